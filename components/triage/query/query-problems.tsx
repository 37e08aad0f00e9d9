import type { ReadWord } from './query-text.model';

/** Which words do nothing, why, and what would do. */
export function QueryProblems({ id, words }: { id: string; words: readonly ReadWord[] }) {
  return (
    <div className="qin-pop" id={id} role="alert">
      {words.map(
        ({ text, from, problem }) =>
          problem && (
            <p key={from}>
              <mark className="mono">{text}</mark> <span className="bad-t">{problem.why}</span>{' '}
              <span className="dim">· {problem.remedy}</span>
            </p>
          ),
      )}
    </div>
  );
}

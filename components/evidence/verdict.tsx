import type { Known } from './known.model';

/** What is known in a line: the word of the vocabulary, the sentence, and the words that hold beside it. */
export function Verdict({ known }: { known: Known }) {
  const { tag, tone, also, strong, rest } = known;
  return (
    <p className="verdict">
      {tag && <span className={`vtag ${tone}`}>{tag}</span>} <b>{strong}</b>{' '}
      {rest && <span className="dim">{rest}</span>}
      {also.map((word) => (
        <span key={word} className="vtag plain also">
          <span className="sr">also </span>
          {word}
        </span>
      ))}
      {tone === 'ambiguous' && <span className="sr"> Ambiguous: no CRS is named.</span>}
    </p>
  );
}

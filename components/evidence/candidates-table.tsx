'use client';
import { type ReactNode, useRef, useState } from 'react';
import { useDisplay } from '@/components/ui/display';
import type { Candidate, Evidence } from '@/lib/contract/entry';
import {
  equivalentsText,
  isNamed,
  leadWords,
  letterOf,
  listedAtFirst,
  readingWords,
  shareText,
  toTileText,
} from './candidate-words.model';
import { useInspectorKeys } from './use-inspector-keys';

/** More equivalents than this are only counted. */
const MOST_EQUIVALENTS = 6;

/** The CRSs that fit, best first; only one that leads is filled. What has the pointer or the focus is drawn in the panes. */
export function CandidatesTable({
  evidence,
  shown,
  siblings,
  action,
  onCandidate,
  onGo,
}: {
  evidence: Evidence;
  /** Index of the candidate that the panes draw. */
  shown: number | null;
  /** The entries of the same task that agree, as a link; null where it is not known. */
  siblings?: ReactNode;
  /** Stands at the head's right. */
  action?: ReactNode;
  onCandidate: (index: number | null) => void;
  /** The map goes to the candidate's place. */
  onGo: (index: number) => void;
}) {
  const { candidates } = evidence;
  const [first] = candidates;
  const { letter_keys } = useDisplay();
  const body = useRef<HTMLTableSectionElement>(null);
  useInspectorKeys(letter_keys, (key) => {
    const buttons = [...(body.current?.querySelectorAll<HTMLElement>('[data-candidate]') ?? [])];
    if (key !== 'c' || buttons.length === 0) return false;
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(at + 1) % buttons.length]?.focus();
    return true;
  });
  const [whole, setWhole] = useState(false);
  if (!first) return null;
  const listed = whole ? candidates.length : listedAtFirst(evidence);
  const more = candidates.length - listed;
  const best = Math.max(...candidates.map(({ score }) => score), Number.MIN_VALUE);
  return (
    <section className="cand" aria-labelledby="cand-h">
      <div className="sub">
        <h3 id="cand-h">Likely CRS</h3>
        <span className="cap">{leadWords(evidence)}</span>
        {action && <span className="right">{action}</span>}
      </div>
      <table className="tbl" aria-label="Candidates">
        <thead>
          <tr>
            <th scope="col" className="k-l">
              <span className="sr">Letter</span>
            </th>
            <th scope="col">CRS</th>
            <th
              scope="col"
              className="num k-in"
              title="Share of the sampled vertices inside the tile, or where accepted siblings lie"
            >
              In tile
            </th>
            <th scope="col" className="num k-d" title="Where the candidate lies, from the tile">
              To tile
            </th>
            <th scope="col" className="num k-s">
              Score
            </th>
          </tr>
        </thead>
        <tbody ref={body} onMouseLeave={() => onCandidate(null)}>
          {candidates.slice(0, listed).map((candidate, i) => (
            <Row
              key={letterOf(i)}
              candidate={candidate}
              letter={letterOf(i)}
              named={isNamed(evidence, i)}
              shown={i === shown}
              share={Math.max(0, candidate.score / best)}
              onShow={() => onCandidate(i)}
              onLeave={() => onCandidate(null)}
              onGo={() => onGo(i)}
            />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <button type="button" className="link more-c" onClick={() => setWhole(true)}>
          {more} less likely
        </button>
      )}
      <p className="why cap">
        <b>Why A</b> {first.reason.replace(/\.$/, '')}
        {siblings && <>; {siblings}</>}
        {'. '}
        {first.equivalents.length > 0 && (
          <span title={first.equivalents.join(', ')}>
            Within 500 m:{' '}
            <span className="mono">{equivalentsText(first.equivalents).slice(0, MOST_EQUIVALENTS).join(', ')}</span>
            {first.equivalents.length > MOST_EQUIVALENTS && ` and ${first.equivalents.length - MOST_EQUIVALENTS} more`}
          </span>
        )}
      </p>
    </section>
  );
}

function Row({
  candidate,
  letter,
  named,
  shown,
  share,
  onShow,
  onLeave,
  onGo,
}: {
  candidate: Candidate;
  letter: string;
  named: boolean;
  shown: boolean;
  share: number;
  onShow: () => void;
  onLeave: () => void;
  onGo: () => void;
}) {
  const { crs, name, in_prior, score, reason } = candidate;
  const reading = readingWords(candidate);
  return (
    <tr aria-selected={named} className={shown ? 'is-hovered' : ''} onMouseEnter={onShow}>
      <td>
        <span className={`badge badge-ghost${named ? ' top' : ''}`}>{letter}</span>
      </td>
      <td>
        <button
          type="button"
          className="row-b trunc"
          data-candidate={letter}
          title={`${crs} ${name}${reading && `, ${reading}`}: ${reason}`}
          onFocus={onShow}
          onBlur={onLeave}
          onClick={onGo}
        >
          {/* the reading first: a long name is cut off */}
          <span className="mono">{crs}</span> {reading && <b className="reading">{reading}</b>} {name}
        </button>
        {named && <span className="sr">, named</span>}
      </td>
      <td className="num">{shareText(in_prior)}</td>
      <td className="num">{toTileText(candidate)}</td>
      <td className="num">
        <span className="score" style={{ '--p': `${share * 100}%` }} />
        {score.toFixed(1)}
      </td>
    </tr>
  );
}

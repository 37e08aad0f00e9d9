import type { Evidence } from '@/lib/contract/entry';

/** The CRSs that fit, best first; only a leading one is filled. */
export function CandidatesTable({ evidence }: { evidence: Evidence }) {
  const { candidates, suggestion } = evidence;
  if (candidates.length === 0) return null;
  const best = Math.max(...candidates.map(({ score }) => score), Number.MIN_VALUE);
  return (
    <section aria-labelledby="cand-h">
      <div className="sub">
        <h3 id="cand-h">Likely CRS</h3>
        <span className="cap">{suggestion ? `${suggestion} leads` : 'several fit equally; none is named'}</span>
      </div>
      <table className="tbl" aria-label="Candidates">
        <thead>
          <tr>
            <th scope="col" className="k-l">
              <span className="sr">Letter</span>
            </th>
            <th scope="col">CRS</th>
            <th scope="col">Why</th>
            <th scope="col" className="num k-x">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {candidates.map((candidate, i) => (
            <tr key={`${candidate.crs} ${candidate.swapped}`} aria-selected={candidate.crs === suggestion}>
              <td>
                <span className={`badge badge-ghost${candidate.crs === suggestion && i === 0 ? ' top' : ''}`}>
                  {String.fromCharCode(65 + i)}
                </span>
              </td>
              <td title={`${candidate.crs} ${candidate.name}`}>
                <span className="mono">{candidate.crs}</span> {candidate.name}
                {candidate.swapped && ', axes swapped'}
              </td>
              <td className="dim" title={candidate.reason}>
                {candidate.reason}
              </td>
              <td className="num">
                <span className="score" style={{ '--p': `${Math.max(0, (candidate.score / best) * 100)}%` }} />
                {candidate.score.toFixed(1)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

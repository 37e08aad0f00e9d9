import { Icon } from '@/components/ui/icon';
import type { Loss, Repair } from '@/lib/contract/repair';
import { lossRows } from './repair-words.model';

const VERDICTS: Record<Loss, string> = {
  none: 'Nothing is lost.',
  'within budget': 'Within the budget.',
  'over budget': 'Over the budget.',
  'not measured': 'Not all could be measured.',
};

/** What a repair changes, figure by figure, and whether that is too much. */
export function RepairLoss({ repair }: { repair: Repair }) {
  const loss = repair.loss ?? 'not measured';
  const bad = loss === 'over budget' || loss === 'not measured';
  return (
    <>
      <div className={`note${bad ? ' note-warn' : ''}`} data-loss={loss}>
        <Icon name={bad ? 'triangle-alert' : 'check'} />
        <div>
          <p>
            <b className="strong">{VERDICTS[loss]}</b> {repair.loss_why.length > 0 && sentence(repair.loss_why)}
          </p>
          <p className="cap">Budget: {repair.budget}.</p>
        </div>
      </div>
      <table className="tbl loss" aria-label="What is lost">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" className="num">
              As stored
            </th>
            <th scope="col" className="num">
              Repaired
            </th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {lossRows(repair).map(({ name, before, after, note, over }) => (
            <tr key={name} className={over ? 'over' : ''}>
              <th scope="row">
                {name}
                {over && <span className="sr">, over the budget</span>}
              </th>
              <td className="num">{before}</td>
              <td className="num">{after}</td>
              <td className={over ? 'bad-t' : 'dim'} title={note ?? undefined}>
                {note}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="cap">
        {repair.computed_by}, {repair.elapsed_ms} ms. A preview: nothing of it is stored.
      </p>
    </>
  );
}

const sentence = (parts: readonly string[]): string => {
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

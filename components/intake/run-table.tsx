import { durationText } from '@/components/operations/duration-text';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import type { Run } from '@/lib/contract/run';
import { deadLettersText, hasHoles, missingText, RUN_LOOKS, unexpectedText } from './run.model';
import { visibleText } from './visible-text.model';

export function RunTable({ runs, now, onOpen }: { runs: readonly Run[]; now: number; onOpen: (run: Run) => void }) {
  return (
    <table className="tbl in-tbl in-runs" aria-label="Runs, the latest started first">
      <thead>
        <tr>
          <th>Run</th>
          <th className="u-k">Task</th>
          <th className="u-q">Queue</th>
          <th className="u-s">Status</th>
          <th className="num u-n">Expected</th>
          <th className="num u-n">Succeeded</th>
          <th className="num u-d">Dead-lettered</th>
          <th className="num u-m">Missing</th>
          <th className="num u-w">Took</th>
          <th className="num u-t">Started</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={`${run.queue} ${run.task_name} ${run.run_id}`} run={run} now={now} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ run, now, onOpen }: { run: Run; now: number; onOpen: (run: Run) => void }) {
  const { run_id, task_name, queue, status, expected, succeeded, duration_ms, started_at } = run;
  const holed = hasHoles(run);
  const look = RUN_LOOKS[status];
  return (
    <tr className={holed ? 'in-holed' : ''}>
      <td title={run_id}>
        <button type="button" className="in-open mono trunc" onClick={() => onOpen(run)}>
          {visibleText(run_id)}
          <span className="sr">: show it</span>
        </button>
        <span className="cap trunc in-block narrow">
          {visibleText(task_name)}, {rowTimeText(started_at, now, { clock: true })}
        </span>
      </td>
      <td className="mono dim" title={task_name}>
        {visibleText(task_name)}
      </td>
      <td className="mono dim" title={queue}>
        {visibleText(queue)}
      </td>
      <td>
        <span className={`pill ${look.tone}`}>
          <Icon name={look.icon} />
          {status}
        </span>
      </td>
      <td className="num">{expected === null ? <span className="faint">–</span> : countText(expected)}</td>
      <td className="num">{succeeded === null ? <span className="faint">–</span> : countText(succeeded)}</td>
      <td className="num" title="Those that arrived here; where the run reported another number, both">
        {deadLettersText(run)}
      </td>
      <td className={`num ${holed ? 'strong bad-t' : 'dim'}`}>
        {run.missing === null ? <span className="faint">–</span> : missingText(run)}
        {run.unexpected > 0 && <span className="cap in-block">{unexpectedText(run)}</span>}
      </td>
      <td className="num dim">{duration_ms !== null && durationText(duration_ms / 1000)}</td>
      <td className="num dim" title={exactText(started_at)}>
        {rowTimeText(started_at, now, { clock: true })}
      </td>
    </tr>
  );
}

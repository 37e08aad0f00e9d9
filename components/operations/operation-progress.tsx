import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { CANARY_HOLDS, type Operation } from '@/lib/contract/operation';
import { stagesOf } from './operation.model';
import { progressOf, progressText } from './outcomes.model';

/** How far it is: the canary and the rest, the bar by outcome, and the counts. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const stages = stagesOf(operation, CANARY_HOLDS);
  const outcomes = progressOf(operation);
  return (
    <section className="card op-prog" aria-label="Progress">
      {stages.length > 0 && (
        <ol className="op-stages" aria-label="Stages">
          {stages.map(({ name, phase, text, share }) => (
            <li
              key={name}
              className={phase}
              {...(phase === 'now' || phase === 'held' ? { 'aria-current': 'step' as const } : {})}
              style={{ '--p': `${Math.min(100, share * 100)}%` }}
            >
              <span className="op-k">
                {phase === 'done' && <Icon name="check" />}
                {phase === 'held' && <Icon name="triangle-alert" />}
                {phase === 'stopped' && <Icon name="ban" />}
                {name}
              </span>
              <span className="op-v">{text}</span>
            </li>
          ))}
        </ol>
      )}
      <div className="op-bar" role="img" aria-label={progressText(operation)}>
        {outcomes
          .filter(({ count }) => count > 0)
          .map(({ key, count }) => (
            <span key={key} className={`o-${key}`} style={{ flex: count }} />
          ))}
      </div>
      <dl className="op-outs">
        {outcomes.map(({ key, label, count }) => (
          <div key={key}>
            <dt>
              <i className={`o-${key}`} />
              {label}
            </dt>
            <dd>{countText(count)}</dd>
          </div>
        ))}
        <div className="sum">
          <dt>Frozen set</dt>
          <dd>{countText(operation.eligible)}</dd>
        </div>
      </dl>
    </section>
  );
}

import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import type { Token } from '@/lib/contract/token';
import { tokenState } from './token.model';
import { visibleText } from './visible-text.model';

/** `onRevoke` is null where every token of the list has ended. */
export function TokenTable({
  tokens,
  now,
  onRevoke,
}: {
  tokens: readonly Token[];
  now: number;
  onRevoke: ((token: Token) => void) | null;
}) {
  return (
    <table className="tbl in-tbl in-tokens" aria-label="Tokens, newest first">
      <thead>
        <tr>
          <th>Name</th>
          <th className="t-h">Token</th>
          <th className="t-q">Queue</th>
          <th className="t-k">Tasks</th>
          <th className="num t-r">At most, per s</th>
          <th className="num t-u">Last used</th>
          <th className="num t-e">{onRevoke ? 'Ends' : 'Ended'}</th>
          <th className="t-m">Made by</th>
          {onRevoke && (
            <th className="t-a">
              <span className="sr">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td className="strong" title={token.name}>
              {token.name}
              <span className="cap in-block narrow">
                {scopeText(token)}
                {token.last_used_at ? `, used ${rowTimeText(token.last_used_at, now)}` : ', never used'}
              </span>
            </td>
            <td className="mono dim">
              dlo_p_{token.id}_…{token.hint}
            </td>
            <td className="mono" title={token.queue ?? undefined}>
              {token.queue === null ? <span className="faint">any</span> : visibleText(token.queue)}
            </td>
            <td className="mono" title={token.task_names?.join('\n')}>
              {token.task_names === null ? (
                <span className="faint">any</span>
              ) : (
                visibleText(token.task_names.join(', '))
              )}
            </td>
            <td className="num">
              {token.captures_per_s === null ? <span className="faint">–</span> : countText(token.captures_per_s)}
            </td>
            <td className="num dim" title={token.last_used_at ? exactText(token.last_used_at) : undefined}>
              {token.last_used_at ? rowTimeText(token.last_used_at, now, { clock: true }) : 'never'}
            </td>
            <td className="num dim">
              <Ends token={token} now={now} />
            </td>
            <td className="dim" title={`${token.created_by}, ${exactText(token.created_at)}`}>
              {token.created_by}, {rowTimeText(token.created_at, now)}
            </td>
            {onRevoke && (
              <td className="t-a">
                <button type="button" className="btn btn-s btn-danger" onClick={() => onRevoke(token)}>
                  Revoke…<span className="sr"> {token.name}</span>
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Ends({ token, now }: { token: Token; now: number }) {
  const { revoked_at, expires_at } = token;
  const state = tokenState(token, now);
  if (state === 'revoked' && revoked_at)
    return <span title={exactText(revoked_at)}>revoked {rowTimeText(revoked_at, now)}</span>;
  if (!expires_at) return <span className="faint">never</span>;
  const text = rowTimeText(expires_at, now);
  return <span title={exactText(expires_at)}>{state === 'expired' ? `expired ${text}` : text}</span>;
}

function scopeText({ queue, task_names }: Token): string {
  return visibleText([queue ?? 'any queue', task_names?.join(', ') ?? 'any task'].join(', '));
}

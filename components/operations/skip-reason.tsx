import type { Action } from '@/lib/contract/operation';
import { skipWords } from './skip-words';

/** Why entries are left out; the name in it set in mono. */
export function SkipReason({ reason, detail, action }: { reason: string; detail: string | null; action: Action }) {
  const { text, code, after } = skipWords(reason, detail, action);
  return (
    <>
      {text}
      {code && (
        <>
          {' '}
          <span className="mono">{code}</span>
        </>
      )}
      {after && ` ${after}`}
    </>
  );
}

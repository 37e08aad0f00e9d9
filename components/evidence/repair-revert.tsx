'use client';
import type { Entry, Payload } from '@/lib/contract/entry';
import { ConfirmEdit } from './repair-confirm';

/** Makes the shown version of the payload the current one; nothing where it is. */
export function RevertPayload({ entry, payload }: { entry: Entry; payload: Payload }) {
  if (payload.payload_hash === entry.payload.payload_hash) return null;
  const captured = payload.edited_by === null;
  return (
    <ConfirmEdit
      entry={entry}
      label={captured ? 'Back to this as captured…' : 'Back to this edit…'}
      title={captured ? 'Make the captured payload current again' : 'Make this edit current again'}
      changes={[
        <>
          Payload <span className="mono">{entry.payload.payload_hash.slice(0, 12)}</span> →{' '}
          <span className="mono">{payload.payload_hash.slice(0, 12)}</span>
        </>,
        captured ? 'It is sent as it was captured.' : payload.edited_by,
      ]}
      told={!captured}
      change={{ revert_to: payload.payload_hash }}
    />
  );
}

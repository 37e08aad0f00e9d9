import { momentText } from '@/components/ui/time-text';
import type { Payload } from '@/lib/contract/entry';

/** Chooses among the versions of a payload, newest first; nothing where there is one. */
export function PayloadSwitch({
  payloads,
  current,
  version,
  now,
  onVersion,
}: {
  payloads: readonly Payload[];
  /** Hash of the one that the entry stands on. */
  current: string;
  version: number;
  now: number;
  onVersion: (version: number) => void;
}) {
  if (payloads.length < 2) return null;
  return (
    <label className="payloads">
      <span className="cap">Payload, {payloads.length} versions</span>
      <select className="input" value={version} onChange={(event) => onVersion(Number(event.target.value))}>
        {payloads.map((payload, i) => (
          <option key={payload.payload_hash} value={i}>
            {payload.payload_hash.slice(0, 12)}, {momentText(payload.captured_at, now)}
            {payload.payload_hash === current ? ', current' : ''}
            {payload.edited_by ? `, edited by ${payload.edited_by}` : ', as captured'}
          </option>
        ))}
      </select>
    </label>
  );
}

import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectStore } from '../object-store/s3';
import { GroupCommit, type WaitingLine } from './group-commit';
import type { Spool } from './spool';
import { spoolFileNames } from './spool-name';
import { within } from './within';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/**
 * A spool in a bucket: one object for the lines that wait, whole and sealed by its PUT. The PUT of a group is tried
 * again, under the same name, for as long as one of its captures waits for it.
 */
export function bucketSpool(
  url: string,
  environment: Record<string, string | undefined>,
  warn: (text: string) => void,
): Spool {
  const where = `the spool ${url}`;
  const lines = new GroupCommit(where, commit);
  const nextName = spoolFileNames();
  // The signing library is loaded only by a pipeline that spools to a bucket.
  const store: Promise<ObjectStore> = import('../object-store/s3').then(
    ({ openObjectStore }) => openObjectStore(url, environment),
    (error: unknown) => {
      const is_missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
      throw is_missing ? new Error('it needs a package beside this one: npm install aws4fetch') : error;
    },
  );
  store.catch((error: Error) => warn(`${where} cannot be used: ${error.message}`));

  async function commit(group: readonly WaitingLine[]): Promise<void> {
    const key = `spool/${nextName()}`;
    const body = Buffer.concat(group.map((one) => one.bytes));
    await put(key, body, lastOf(group.map((one) => one.signal)));
    for (const one of group) one.kept(`${url}/${key}`);
  }

  async function put(key: string, body: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    const bucket = await store;
    for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
      try {
        return await bucket.put(key, body, signal);
      } catch (error) {
        const helps = error instanceof Error && 'may_help_to_wait' in error && error.may_help_to_wait === true;
        if (!helps || signal?.aborted) throw error;
        await pause(pause_ms, undefined, { signal });
      }
    }
  }

  return {
    where: url,
    append: (line, signal) => lines.append(line, signal),
    put_blob: (sha256, bytes, signal) => within(signal, put(`blobs/${sha256}`, bytes, signal), where),
    seal: (signal) =>
      within(
        signal,
        lines.exclusive(async () => {}),
        where,
      ),
  };
}

/** Aborted once all of them are; undefined where one of them never is. */
function lastOf(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const last = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    if (!signal) return undefined;
    const gone = () => {
      left -= 1;
      if (left === 0) last.abort(signal.reason);
    };
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  }
  return last.signal;
}

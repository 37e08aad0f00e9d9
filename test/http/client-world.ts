import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaptureOptions, type CapturePayload, capture, flush, type Spool } from '@/lib/capture';
import { type CaptureSink, captureSink } from '../unit/capture/capture-sink';

export const failure = new Error('side location conflict');

/** A server that answers as a test wants it to, an empty spool, and a client that captures into them. */
export interface ClientWorld {
  sink: CaptureSink;
  folder: string;
  /** Where nobody listens, another one for each test: a process remembers which server did not answer. */
  nobody: string;
  warnings: string[];
  options: (more?: Partial<CaptureOptions>) => CaptureOptions;
  captureOf: (work: string | CapturePayload, more?: Partial<CaptureOptions>) => ReturnType<typeof capture>;
  remove: () => Promise<void>;
}

export async function makeClientWorld(): Promise<ClientWorld> {
  const sink = await captureSink();
  const folder = mkdtempSync(join(tmpdir(), 'dlo-spool-'));
  const warnings: string[] = [];
  const gone = await captureSink();
  await gone.close();
  const options = (more: Partial<CaptureOptions> = {}): CaptureOptions => ({
    url: sink.url,
    code_version: '1',
    spool: folder,
    timeout_ms: 20_000,
    warn: (text) => warnings.push(text),
    ...more,
  });
  return {
    sink,
    folder,
    nobody: gone.url,
    warnings,
    options,
    captureOf: (work, more) => capture(failure, typeof work === 'string' ? { work_key: work } : work, options(more)),
    async remove() {
      await flush();
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const brokenSpool: Spool = {
  where: 'broken',
  append: () => Promise.reject(new Error('the disk is full')),
  put_blob: () => Promise.reject(new Error('the disk is full')),
  seal: async () => {},
};

export const idOf = (line: string) => JSON.parse(line).capture_id;

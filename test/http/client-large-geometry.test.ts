import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CaptureOptions } from '@/lib/capture';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { sha256Of } from '../support/sha256-of';
import { readSpool } from '../unit/capture/read-spool';
import { brokenSpool, type ClientWorld, makeClientWorld } from './client-world';

let world: ClientWorld;
let sink: ClientWorld['sink'];
let folder: ClientWorld['folder'];
let nobody: ClientWorld['nobody'];
let captureOf: ClientWorld['captureOf'];
beforeEach(async () => {
  world = await makeClientWorld();
  ({ sink, folder, nobody, captureOf } = world);
});
afterEach(() => world.remove());

describe('a geometry over the size rule', () => {
  const bytes = new Uint8Array(SIZE_RULE_BYTES + 1).map((_, i) => i % 251);
  const sha256 = sha256Of(bytes);
  const captureLarge = (more: Partial<CaptureOptions> = {}, geometry: Uint8Array | string = bytes) =>
    captureOf({ work_key: 'large', geometry }, more);
  const blobs = () => (existsSync(join(folder, 'blobs')) ? readdirSync(join(folder, 'blobs')) : []);

  test('goes to the blob store first, and its line names it', async () => {
    const result = await captureLarge();
    expect(result.kept).toBe('server');
    expect(sink.blobs.get(sha256)?.equals(bytes)).toBe(true);
    expect(JSON.parse(result.line)).toMatchObject({ payload_ref: `sha256:${sha256}`, geom_format: 'wkb' });
    expect(JSON.parse(result.line)).not.toHaveProperty('geom_wkb');
    expect(blobs()).toEqual([]);
  });

  test('given as text lies there as its bytes, and one of the size rule exactly goes in its line', async () => {
    const wkt = `LINESTRING(${'0 1,'.repeat(SIZE_RULE_BYTES / 4)}0 1)`;
    const result = await captureLarge({}, wkt);
    expect(JSON.parse(result.line)).toMatchObject({
      payload_ref: `sha256:${sha256Of(Buffer.from(wkt))}`,
      geom_format: 'wkt',
    });
    expect(sink.blobs.get(sha256Of(Buffer.from(wkt)))?.toString()).toBe(wkt);
    expect(JSON.parse((await captureLarge({}, bytes.subarray(1))).line)).toHaveProperty('geom_wkb');
  });

  test.each([404, 503, 'stall'] as const)(
    'lies in the spool with its line when the blob store says %s',
    async (mood) => {
      sink.blob_mood = mood;
      const result = await captureLarge(mood === 'stall' ? { timeout_ms: 2500 } : {});
      expect(result.kept).toBe('spool');
      expect(readSpool(folder).captures).toEqual([result.line]);
      expect(blobs()).toEqual([sha256]);
      expect(readFileSync(join(folder, 'blobs', sha256)).equals(bytes)).toBe(true);
      expect(sink.lines).toEqual([]);
    },
  );

  test('goes to the spool too when the server took it but not its line', async () => {
    sink.mood = 'refuse';
    const result = await captureLarge();
    expect(result.kept).toBe('spool');
    expect(blobs()).toEqual([sha256]);
  });

  test('does not keep small captures from the server when only the blob store is too slow', async () => {
    sink.blob_mood = 'stall';
    expect((await captureLarge({ timeout_ms: 2500 })).kept).toBe('spool');
    expect((await captureOf('small')).kept).toBe('server');
  });

  test('goes in its line, as a last resort, where there is no blob store and no spool', async () => {
    sink.blob_mood = 404;
    const result = await captureLarge({ spool: false });
    expect(result.kept).toBe('server');
    expect(sink.captures[0]?.geom_wkb).toBe(Buffer.from(bytes).toString('hex'));
  });

  test('that nothing takes is given whole to on_capture_error', async () => {
    const lost: string[] = [];
    const result = await captureLarge({
      url: nobody,
      timeout_ms: 2500,
      spool: brokenSpool,
      on_capture_error: (line) => lost.push(line),
    });
    expect(result.kept).toBe('nowhere');
    expect(JSON.parse(lost[0] ?? '').geom_wkb).toBe(Buffer.from(bytes).toString('hex'));
  });
});

import { describe, expect, it } from 'vitest';
import { manifestWords } from '@/components/evidence/code-version.model';
import { hexHead } from '@/components/evidence/hex-head.model';
import { mergeHistory, unlistedFailures } from '@/components/evidence/history.model';
import { disagrees, firstSentence, knownWords } from '@/components/evidence/known.model';
import { coordinateText } from '@/components/evidence/number-text.model';
import { rasterBox } from '@/components/evidence/raster-window.model';
import { actionRefusal, bodyLines } from '@/components/evidence/redrive.model';
import { foldLibraries, readTraceback } from '@/components/evidence/traceback.model';
import type { Entry, Evidence } from '@/lib/contract/entry';

describe('a traceback', () => {
  const python = `Traceback (most recent call last):
  File "/srv/tasks/reproject.py", line 131, in reproject
    out = transform(geom)
  File "/srv/venv/site-packages/pyproj/transformer.py", line 820, in transform
    return self._t(
  File "pyproj/_transformer.pyx", line 430, in pyproj._transform
pyproj.exceptions.ProjError: no

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/tasks/run.py", line 20, in run
CrsMismatchError: bounds <b>`;

  it('tells frames of the project from those of libraries, in Python', () => {
    const frames = readTraceback(python).flatMap((block) => (block.kind === 'frame' ? [block.library] : []));
    expect(frames).toEqual([false, true, true, false]);
  });
  it('loses no line', () => {
    for (const text of [python, 'a\n\n  b', ''])
      expect(
        readTraceback(text)
          .flatMap(({ lines }) => lines)
          .join('\n'),
      ).toBe(text);
  });
  it('marks errors and causes', () => {
    const kinds = readTraceback(python).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'error').length).toBe(2);
    expect(kinds.filter((kind) => kind === 'cause').length).toBe(1);
  });
  it('knows JavaScript and JVM frames', () => {
    const blocks = readTraceback(
      'TypeError: x\n    at run (/srv/app/tasks/run.ts:3:5)\n    at emit (node:events:518:28)\n    at com.example.Tile.cut(Tile.java:7)\n    at java.util.List.of(List.java:1)',
    );
    expect(blocks.flatMap((block) => (block.kind === 'frame' ? [block.library] : []))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
  it('folds neighbouring library frames as one', () => {
    expect(foldLibraries(readTraceback(python)).find(({ kind }) => kind === 'folded')).toMatchObject({ frames: 2 });
  });
});

describe('the history', () => {
  it('says which failures it does not list: older ones, and those that a table counted before it was attached', () => {
    const occurrences = (n: number) => Array.from({ length: n }, () => ({})) as Entry['occurrences'];
    const none = { attempts_before: 0, attempts_before_by: null };
    expect(unlistedFailures({ ...none, attempts: 2, occurrences: occurrences(2) })).toEqual([]);
    expect(unlistedFailures({ ...none, attempts: 1250, occurrences: occurrences(200) })).toEqual([
      'The newest 200 of 1,250 failures.',
    ]);
    const before = { attempts_before: 3, attempts_before_by: 'gis.dead_tiles' };
    expect(unlistedFailures({ ...before, attempts: 4, occurrences: occurrences(1) })).toEqual([
      '3 earlier failures were counted by gis.dead_tiles before it was attached; only their number is known.',
    ]);
    expect(unlistedFailures({ ...before, attempts: 304, occurrences: occurrences(200) })).toEqual([
      'The newest 200 of 301 failures.',
      '3 earlier failures were counted by gis.dead_tiles before it was attached; only their number is known.',
    ]);
    expect(unlistedFailures({ ...before, attempts_before: 1, attempts: 2, occurrences: occurrences(1) })).toEqual([
      '1 earlier failure was counted by gis.dead_tiles before it was attached; nothing else is known of it.',
    ]);
  });
  it('merges failures, transitions and redrives, newest first, the effect above its cause', () => {
    const occurrence = (at: string, id: string) => ({
      capture_id: id,
      payload_hash: '',
      failed_at: at,
      received_at: at,
      via: 'sql',
      attempt_id: null,
      code_version: '1',
      failure_class: 'oom',
      error_type: 'E',
      error_text: null,
    });
    const lines = mergeHistory({
      occurrences: [occurrence('2026-11-01T00:00:00.000Z', 'a'), occurrence('2026-11-03T00:00:00.000Z', 'b')],
      events: [
        {
          id: '1',
          at: '2026-11-01T00:00:00.000000Z',
          from_state: null,
          to_state: 'open',
          resolution: null,
          actor: 'capture:sql',
          reason: 'captured',
          attempt_id: null,
          operation_id: null,
          payload_hash: null,
          change: null,
        },
      ],
      redrives: [
        {
          attempt_id: 'x',
          operation_id: null,
          target: 'webhook',
          claimed_at: '2026-11-02T00:00:00Z',
          sent_at: '2026-11-02T00:00:01Z',
          acked_at: null,
          ended_at: '2026-11-02T00:00:09Z',
          outcome: 'refailed',
          answer: '500',
        },
      ],
    });
    expect(lines.map(({ what }) => what)).toEqual([
      'failed: E',
      'redrive ended: refailed',
      'redrive sent',
      'redrive claimed',
      'open',
      'failed: E',
    ]);
  });
});

describe('what is known', () => {
  const evidence = (part: Partial<Evidence>): Evidence => ({
    id: '1',
    geom_wkb: null,
    valid: true,
    mappable: true,
    unmappable_reason: null,
    faults: [],
    crs_verdict: null,
    crs_reason: null,
    candidates: [],
    suggestion: null,
    also: [],
    claim: null,
    area_of_use_source: null,
    cursor_link: null,
    cursor_link_reason: null,
    geom_bytes_at: null,
    reprojected_at: null,
    area_of_use: null,
    reprojected_wkb: null,
    reproject_error: null,
    diagnosed_at: '2026-11-01T00:00:00Z',
    ...part,
  });
  const payload = { tile_z: 14, tile_x: 4473, tile_y: 6116, geom_error: null } as Entry['payload'];

  it('is the verdict first, then the reason without a place, then the place', () => {
    const entry = { payload, tile_distance_m: 1_579_000 };
    expect(knownWords(evidence({ crs_verdict: 'wrong_unit', crs_reason: 'Feet.' }), entry)).toMatchObject({
      tag: 'wrong_unit',
      strong: 'Feet.',
    });
    expect(
      knownWords(evidence({ unmappable_reason: 'unknown_crs', reproject_error: 'no such CRS' }), entry),
    ).toMatchObject({
      tag: 'unknown_crs',
      rest: 'No such CRS.',
    });
    const raster = { payload: { ...payload, source_window: { width: 1 } } as unknown as Entry['payload'] };
    const without = { unmappable_reason: 'no_geometry' } as const;
    expect(knownWords(evidence(without), { ...entry, ...raster }).strong).toMatch(/read a raster/);
    expect(knownWords(evidence(without), entry).strong).toMatch(/^No geometry was captured/);
    expect(knownWords(evidence({}), entry).strong).toBe('Lands 1,579 km from its tile 14/4473/6116.');
    expect(knownWords(evidence({}), { payload, tile_distance_m: 0 }).strong).toBe('Lies in its tile 14/4473/6116.');
  });

  it('is the faults where the claim holds and they make it fail', () => {
    const entry = { payload, tile_distance_m: 0 };
    const fault = (code: string, severity: string, message = 'x') => ({
      code,
      severity,
      message,
      at: null,
      path: null,
    });
    const agrees = (faults: unknown[]) =>
      knownWords(
        evidence({ crs_verdict: 'agrees', crs_reason: 'Lies in its tile.', faults: faults as Evidence['faults'] }),
        entry,
      );
    expect(agrees([fault('self_intersection', 'fails', 'edges 0 and 2 cross')])).toMatchObject({
      tag: 'self_intersection',
      tone: 'plain',
      strong: 'Edges 0 and 2 cross.',
      rest: 'That makes it fail. The CRS claim agrees: lies in its tile.',
    });
    expect(
      agrees([fault('self_intersection', 'fails'), fault('unclosed_ring', 'fails'), fault('spike', 'note')]),
    ).toMatchObject({
      strong: '2 faults make it fail: self_intersection, unclosed_ring.',
      rest: '1 more is a note. The CRS claim agrees: lies in its tile.',
    });
    expect(agrees([fault('spike', 'note')])).toMatchObject({ tag: 'agrees', strong: 'Lies in its tile.' });
  });

  it('says how far from its tile a wrong claim puts it, once, and that the named candidate lies in it', () => {
    const entry = { payload, tile_distance_m: 1_579_000 };
    const first = { crs: 'EPSG:3734', to_tile_m: 0, score: 9 };
    const rest = (part: Partial<Evidence>) => knownWords(evidence({ crs_verdict: 'wrong_unit', ...part }), entry).rest;
    const candidates = [first] as unknown as Evidence['candidates'];
    expect(rest({ crs_reason: 'Feet.', candidates, suggestion: 'EPSG:3734' })).toBe(
      'As claimed it lands 1,579 km from its tile; as A it lies in it. The geometry is valid.',
    );
    expect(rest({ crs_reason: 'Feet.', candidates })).toContain('1,579 km from its tile. ');
    expect(rest({ crs_reason: 'Feet: so they lie in the tile.', candidates })).not.toContain('km');
    expect(rest({ crs_verdict: 'agrees', crs_reason: 'Fits.', candidates })).not.toContain('km');
  });

  it('is certain where a CRS is named, ambiguous where several fit, plain where nothing is wrong', () => {
    const entry = { payload, tile_distance_m: 0 };
    const fits = { crs: 'EPSG:1', name: '', swapped: false, place: [0, 0], score: 1, reason: '', equivalents: [] };
    const candidates = [fits] as unknown as Evidence['candidates'];
    const tone = (part: Partial<Evidence>) => knownWords(evidence({ crs_reason: 'x', ...part }), entry).tone;
    expect(tone({ crs_verdict: 'wrong_unit', candidates, suggestion: 'EPSG:1' })).toBe('certain');
    expect(tone({ crs_verdict: 'wrong_unit', candidates, suggestion: null })).toBe('ambiguous');
    expect(tone({ crs_verdict: 'agrees' })).toBe('plain');
    expect(tone({})).toBe('plain');
    expect(knownWords(evidence({ crs_verdict: 'wrong_unit', also: ['deprecated'] }), entry).also).toEqual([
      'deprecated',
    ]);
  });

  it('puts the first sentence first, whatever points stand in it', () => {
    expect(firstSentence('The numbers are US survey feet. All 28 vertices fit.')).toEqual([
      'The numbers are US survey feet.',
      'All 28 vertices fit.',
    ]);
    expect(firstSentence('Off by 2.5 km, e.g. a shift. Why?')).toEqual(['Off by 2.5 km, e.g. a shift.', 'Why?']);
    expect(firstSentence('No end')).toEqual(['No end', '']);
  });

  it('marks a number on the geometry that is not the claimed one', () => {
    expect(disagrees(32617, 'EPSG:4326')).toBe(true);
    expect(disagrees(4326, 'urn:ogc:def:crs:EPSG::4326')).toBe(false);
    expect(disagrees(0, 'EPSG:4326')).toBe(false);
    expect(disagrees(4326, 'NAD83 / Ohio North')).toBe(false);
  });

  it('says whether the manifest still knows the version', () => {
    const manifest = { code_versions: ['2.14.1'], knows_version: false, target: null, owner: null };
    expect(manifestWords({ code_version: '2.14.0', manifest, task_name: 't' })).toEqual({
      text: 'The manifest of t no longer knows 2.14.0; it knows 2.14.1.',
      tone: 'bad',
    });
    expect(manifestWords({ code_version: '1', manifest: null, task_name: 't' }).tone).toBe('none');
  });
});

describe('small texts', () => {
  it('shortens a coordinate for its column and keeps short ones exact', () => {
    expect(coordinateText(2184474.498665667, 10)).toBe('2184474.50');
    expect(coordinateText(-81.65)).toBe('-81.65');
    expect(coordinateText(Number.NaN)).toBe('NaN');
    expect(coordinateText(1.0000001e30, 10).length).toBeLessThanOrEqual(10);
  });

  it('shows the head of bytes and marks the one at fault, also far in', () => {
    expect(hexHead(Uint8Array.of(1, 255, 0, 0), 1).rows[0]?.bytes.map(({ at_error }) => at_error)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    const far = hexHead(new Uint8Array(4096), 4000);
    expect(far.rows.flatMap(({ bytes }) => bytes.filter(({ at_error }) => at_error)).length).toBe(1);
    expect(far.rows.length).toBe(8);
    expect(far.gap).toBe((4000 / 16 - 2 - 2) * 16);
    expect(hexHead(Uint8Array.of(1, 2), 2).rows.length).toBe(1);
  });

  it('understands windows by offset and by bounds, and leaves others alone', () => {
    expect(rasterBox({ col_off: 1, row_off: 2, width: 3, height: 4 })).toMatchObject({
      x: 1,
      y: 2,
      width: 3,
      height: 4,
    });
    expect(rasterBox({ xmin: -82, ymin: 41, xmax: -81, ymax: 42 })).toMatchObject({ width: 1, unit: 'units' });
    expect(rasterBox({ band: 1 })).toBeNull();
  });

  it('breaks a body into lines without touching a token', () => {
    const body = '{"a":[1,{"b":"x, {y}"}],"n":12345678901234567890,"e":{},"l":[]}';
    expect(bodyLines(body).replace(/\n\s*/g, '').replaceAll(': ', ':')).toBe(body);
    expect(bodyLines('not json {')).toBe('not json {');
    const long = JSON.stringify({ a: 'x\n"\\'.repeat(2_000_000) });
    expect(bodyLines(long).length).toBe(long.length + '\n  '.length + ' '.length + '\n'.length);
  });

  it('says why an action does nothing now', () => {
    const entry = {
      state: 'open',
      redrive_attempts: 3,
      max_redrives: 3,
      faithfulness: { faithful: true, reason: null, detail: null },
    };
    expect(actionRefusal('redrive', entry)).toBe('At the cap of 3 redrives');
    expect(actionRefusal('reopen', entry)).toBe('It is open');
    expect(actionRefusal('quarantine', { ...entry, state: 'redriven' })).toBe('A redrive is under way');
    expect(actionRefusal('abandon', { ...entry, state: 'quarantined' })).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skipText, skipWords, splitReason } from '@/components/operations/skip-words';
import { faithfulness, type Rebuild } from '@/lib/dead-letter/faithfulness';
import { abandonRefusal, quarantineRefusal, reopenRefusal } from '@/lib/dead-letter/operator-transitions';
import { claimRefusal } from '@/lib/dead-letter/redrive-transitions';
import { STATES } from '@/lib/dead-letter/vocabulary';

describe('why an entry is left out', () => {
  test.each([
    ['at_cap', 'at the cap of 3 redrives', 'At the cap of 3 redrives'],
    ['over_cap', '1 of 1 redrives are used', 'At the cap of 1 redrive'],
    ['at_cap', null, 'At the cap of its redrives'],
    ['in_flight', null, 'In flight, its answer is still to come'],
    ['in_doubt', null, 'In doubt: the pipeline may have run it'],
    ['quarantined', null, 'Quarantined'],
    ['resolved', 'by operator 2', 'Already resolved, by operator 2'],
    ['resolved', 'by operator 2 at 2026-11-30T14:31:50.123Z', 'Already resolved, by operator 2 at 14:31:50'],
    ['in_another_operation', null, 'Waits in another operation'],
    ['no_manifest', 'tile_clip', 'Cannot be rebuilt: task tile_clip has no manifest'],
    ['no_manifest', null, 'Cannot be rebuilt: its task has no manifest'],
    [
      'unknown_code_version',
      'the manifest does not list code version 2.12.9',
      'Cannot be rebuilt: code 2.12.9 not in the manifest',
    ],
    [
      'unknown_code_version',
      'it was captured without a code version',
      'Cannot be rebuilt: it was captured without a code version',
    ],
    ['missing_param', 'the param unit_override is missing', 'Cannot be rebuilt: param unit_override missing'],
    ['extra_param', 'the param a b is not known to the task', 'Cannot be rebuilt: param a b not known to the task'],
    ['invalid_param', 'the param zoom must be integer', 'Cannot be rebuilt: param zoom must be integer'],
    [
      'invalid_param',
      'its params are nested too deeply to check',
      'Cannot be rebuilt: its params are nested too deeply to check',
    ],
    [
      'no_payload',
      'the bytes that its payload refers to are not in the blob store, or damaged',
      'Cannot be rebuilt: its payload is not in the blob store, or damaged',
    ],
    [
      'no_target',
      'no target named demo is configured (DLO_TARGETS)',
      'Nowhere to send it: target demo is not configured',
    ],
    ['no_target', 'the manifest names no target', 'Nowhere to send it: the manifest names no target'],
    ['changed_since', null, 'Changed since the preview'],
    ['changed', 'by operator 2 at 2026-11-30T14:31:50Z', 'Changed since the preview, by operator 2 at 14:31:50'],
    ['cancel_requested', null, 'Its abandonment was asked for already'],
    ['not_found', null, 'No such entry'],
  ])('%s with %j reads “%s”', (reason, detail, text) => {
    expect(skipText(reason, detail)).toBe(text);
  });

  test('a state that the action would make is called so', () => {
    expect(skipText('quarantined', null, 'quarantine')).toBe('Already quarantined');
    expect(skipText('open', null, 'reopen')).toBe('Already open');
  });

  test('a reason of a later version is shown as it is, with its detail', () => {
    expect(skipText('on_holiday', 'until Monday')).toBe('On holiday: until Monday');
    expect(skipText('', null)).toBe('Left out');
    expect(skipText('constructor', null)).toBe('Constructor');
  });

  test('the param stands apart, to be set in mono', () => {
    expect(skipWords('missing_param', 'the param unit_override is missing')).toEqual({
      text: 'Cannot be rebuilt: param',
      code: 'unit_override',
      after: 'missing',
    });
  });

  test('every refusal of the state machine has words of its own', () => {
    const entry = { redrive_attempts: 3, max_redrives: 3, cancel_requested: false };
    const reasons = STATES.flatMap((state) =>
      [true, false].flatMap((cancel_requested) => [
        claimRefusal({ ...entry, state, cancel_requested }, false),
        abandonRefusal({ state, cancel_requested }),
        quarantineRefusal({ state }),
        reopenRefusal({ state }),
      ]),
    ).filter((reason) => reason !== null);
    expect(reasons.length).toBeGreaterThan(5);
    // only a reason without words of its own shows a detail that it does not know
    for (const reason of reasons) expect(skipText(reason, 'a detail')).not.toContain('a detail');
  });

  test('every refusal of faithfulness has words of its own', () => {
    const whole = {
      manifest: { code_versions: ['1'], params_schema: { type: 'object' }, target: 'demo', takes_references: false },
      code_version: '1',
      params_text: '{}',
      params_readable: true,
      payload: 'inline',
      targets: ['demo'],
    } satisfies Rebuild;
    const wrong: Partial<Rebuild>[] = [
      { manifest: null },
      { code_version: null },
      { code_version: '2' },
      { params_readable: false },
      { params_text: '{"x":1}' },
      { manifest: { ...whole.manifest, params_schema: { type: 'object', required: ['a'] } } },
      { payload: 'gone' },
      { payload: 'by_reference' },
      { targets: [] },
    ];
    for (const change of wrong) {
      const { reason, detail } = faithfulness({ ...whole, ...change });
      expect(reason).not.toBeNull();
      expect(skipText(reason ?? '', detail)).toMatch(/^(Cannot be rebuilt|Nowhere to send it)/);
    }
  });

  test('any text makes words, and none is lost', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (reason, detail) => {
        expect(skipText(reason, detail).length).toBeGreaterThan(0);
      }),
    );
  });

  test('reason and detail of the list of items are taken apart at the first colon', () => {
    expect(splitReason('no_target: no target named a: b')).toEqual({
      reason: 'no_target',
      detail: 'no target named a: b',
    });
    expect(splitReason('changed_since')).toEqual({ reason: 'changed_since', detail: null });
  });
});

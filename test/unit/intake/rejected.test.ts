import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineProblem, messageHead, reasonWords, retriedText, sideFileOf } from '@/components/intake/rejected.model';
import { visibleText } from '@/components/intake/visible-text.model';
import { ApiError } from '@/lib/api/api-error';
import { REJECT_REASONS } from '@/lib/spool/rejected-line';

test('every reason that the loader gives has its words; one of a newer server is shown as it came', () => {
  for (const reason of REJECT_REASONS) expect(reasonWords(reason).helps, reason).not.toBe('');
  expect(reasonWords('struck_by_lightning').word).toBe('struck by lightning');
});

test('what hides, turns or ends text is seen where it stands', () => {
  expect(visibleText('a\u0000b\u001bc\u007fd')).toBe('a␀b␛c␡d');
  expect(visibleText('x\u202ey\u2066z\ufeff')).toBe('x⟨U+202E⟩y⟨U+2066⟩z⟨U+FEFF⟩');
  expect(visibleText('one\ttwo\r\nthree')).toBe('one⇥two␍⏎three');
  expect(visibleText('Łódź 東京 \ufffd')).toBe('Łódź 東京 \ufffd');
});

test('no text has a control or a format character left once it is made visible', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(visibleText(text))),
  );
});

test('the side file is named where it certainly lies, and where it is only likely that is said', () => {
  const watched = [{ url: '/spool' }];
  expect(sideFileOf({ source: '/spool', name: 'a.ndjson', side_file: null }, watched)).toEqual({
    path: '/spool/rejected/a.ndjson',
    is_certain: true,
  });
  expect(sideFileOf({ source: 's3://b/p', name: 'a.ndjson', side_file: null }, [])).toEqual({
    path: 's3://b/p/rejected/a.ndjson/',
    is_certain: true,
  });
  expect(sideFileOf({ source: '/home/ada', name: 'a.ndjson', side_file: null }, watched)).toEqual({
    path: '/home/ada/a.ndjson.rejected',
    is_certain: false,
  });
  const side_file = '/home/ada/stdin-1.rejected';
  expect(sideFileOf({ source: 'stdin', name: 'standard input', side_file }, watched)).toEqual({
    path: side_file,
    is_certain: true,
  });
});

test('a new try says what became of its entry', () => {
  const captured = { id: '7', work_key: 'k', attempts: 3 };
  expect(retriedText({ ...captured, outcome: 'created' })).toBe('Stored as a new entry');
  expect(retriedText({ ...captured, outcome: 'repeated' })).toBe('Stored as failure 3 of its entry');
  expect(retriedText({ ...captured, outcome: 'duplicate' })).toMatch(/counted before/);
});

test('why a line was not dealt with is said, and that it stays open where nobody answers', () => {
  expect(lineProblem(new ApiError('conflict', 'the rejected line 3 was dealt with by Ada', 409))).toBe(
    'The rejected line 3 was dealt with by Ada.',
  );
  expect(lineProblem(new ApiError('bad_request', 'work_key is missing', 400))).toBe(
    'Refused again: work_key is missing.',
  );
  expect(lineProblem(new ApiError('network', 'x', 0))).toBe('The server does not answer. The line stays open.');
});

test('the list shows the beginning of why a line was not taken, whole characters of it', () => {
  expect(messageHead('work_key is missing')).toBe('work_key is missing');
  expect([...messageHead('🗺'.repeat(130))].length).toBe(121);
});

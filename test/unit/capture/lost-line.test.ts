import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CaptureOptions, capture, type Spool } from '@/lib/capture';
import { lostLine } from '@/lib/capture/lost-line';
import LOST_TEXTS from '@/test/fixtures/lost-texts.json';
import { type CaptureSink, captureSink } from './capture-sink';

let sink: CaptureSink;
let said: string[];
beforeEach(async () => {
  sink = await captureSink();
  said = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sink.close();
});

const full: Spool = {
  where: '/var/spool/dlo',
  append: async () => {
    throw new Error('the spool /var/spool/dlo is full');
  },
  put_blob: async () => {},
  seal: async () => {},
};

const lose = (error: unknown, payload: object, more: Partial<CaptureOptions> = {}) => {
  sink.mood = 'refuse';
  const options = {
    url: sink.url,
    code_version: '1',
    task_name: 'clip',
    spool: false as const,
    warn: () => {},
    ...more,
  };
  return capture(error, { work_key: 'parcels/1', ...payload }, options);
};

describe('the line of a lost capture', () => {
  test('names task, key, type and the beginning of the error, why the server and the spool did not take it, and the next step', async () => {
    await lose(new RangeError(`no bounds\n${'é'.repeat(300)}`), {}, { spool: full });
    expect(said).toEqual([
      `dead-letter-office: a capture is lost (task "clip", work_key "parcels/1", RangeError: no bounds ${'é'.repeat(190)}): ` +
        `neither ${sink.url} nor the spool /var/spool/dlo took it: HTTP 413 too_large; the spool /var/spool/dlo is full. ` +
        'Next: free or mend /var/spool/dlo, or give on_capture_error a function that keeps the line\n',
    ]);
  });

  test('says without a spool that there is none', async () => {
    await lose(new Error('x'), {});
    expect(said[0]).toMatch(/did not take it: HTTP 413 too_large; there is no spool\. Next: set DLO_SPOOL_DIR/);
  });

  test('holds the error’s words as redaction left them, and none where redaction failed', async () => {
    await lose(new Error('password'), {}, { redact: { error_text: () => 'hidden', work_key: () => 'parcels/x' } });
    await lose(new Error('password'), { task_name: 'load' }, { redact: () => JSON.parse('password') });
    expect(said[0]).toContain('(task "clip", work_key "parcels/x", Error: hidden)');
    expect(said[1]).toContain('(task "load", work_key "parcels/1", Error)');
    expect(said.join('')).not.toContain('password');
  });

  test('holds nothing of the payload but its key, not even where the server quotes it', async () => {
    const geometry = 'POINT(1018234.5 700123.25)';
    await lose(new Error(`bad ${geometry}`), { geometry, params: { secret: 'hunter2' } });
    const quoted = 'HTTP 400: {"error":{"code":"bad_request","message":"no hunter2, 1018234.5"}}';
    said.push(lostLine({ task_name: 't', error_type: 'E', error_text: '' }, quoted, 'http://u:hunter2@h', undefined));
    expect(said.join('')).not.toMatch(/hunter2|1018234|700123/);
    expect(said[1]).toContain('http://…@h did not take it: HTTP 400 bad_request; there is no spool');
  });

  test.each(LOST_TEXTS as [string, string][])(
    'leaves coordinates and bytes out of %j, and other numbers in',
    (given, told) => {
      const line = lostLine({ task_name: 't', error_type: 'E', error_text: given }, 'x', 'http://h', undefined);
      expect(line).toContain(`E: ${told})`);
    },
  );

  test('is one line also for a task whose capture cannot be made', async () => {
    const options = {
      url: 'http://127.0.0.1:1',
      task_name: 'clip',
      get spool(): false {
        throw new Error('no spool today');
      },
    };
    await capture(new RangeError('secret'), { work_key: 'k' }, options);
    expect(said).toEqual([expect.stringMatching(/^.*\(task "clip", RangeError\).*no spool today.*\n$/)]);
  });
});

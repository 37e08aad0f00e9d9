import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const url = `${inject('base_url')}/clients/dead_letter.py`;

test('the Python client is served as the text that it is, and never as anything that runs in a browser', async () => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const file = path.join(import.meta.dirname, '../../public/clients/dead_letter.py');
  expect(await answer.text()).toBe(readFileSync(file, 'utf8'));
});

test('what was fetched from the app captures into the app', async () => {
  const script = `
import sys, types, urllib.request
client = types.ModuleType('dead_letter')
sys.modules['dead_letter'] = client
exec(compile(urllib.request.urlopen(sys.argv[1]).read(), 'dead_letter.py', 'exec'), client.__dict__)
print(client.capture(ValueError('x'), {'work_key': 'fetched'}, url=sys.argv[1], task_name='fetched', timeout_s=60).kept)`;
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', script, url]);
  expect(stdout).toBe('server\n');
});

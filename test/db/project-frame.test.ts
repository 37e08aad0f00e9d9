import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const python = `Traceback (most recent call last):
  File "/srv/jobs/nightly.py", line 80, in main
    overlay(a, b)
  File "/srv/jobs/overlay.py", line 12, in overlay
    return a.union(b)
  File "/usr/lib/python3.11/site-packages/shapely/ops.py", line 9, in union
    raise GEOSException(text)`;
const javascript = `Error: boom at x
    at union (/srv/node_modules/jsts/dist/jsts.js:1:2)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async Overlay.run [as go] (file:///srv/jobs/overlay.mjs:12:4)
    at async main (/srv/jobs/nightly.mjs:80:1)`;

test.each([
  ['Python: the last frame of the project', python, 'overlay@overlay.py'],
  [
    'Python with Windows line ends and paths',
    'x\r\n  File "C:\\jobs\\clip.py", line 4, in <lambda>\r\n',
    '<lambda>@clip.py',
  ],
  ['JavaScript: the first frame of the project', javascript, 'Overlay.run@overlay.mjs'],
  ['JavaScript without a function', 'Error\n    at /srv/jobs/clip.js:3:4', '@clip.js'],
  ['libraries only', 'Error\n    at x (/a/node_modules/b.js:1:1)', ''],
  ['no traceback', null, ''],
  ['prose', 'the task looked at /srv/a.js:1:2 and gave up', ''],
])('the frame of a signature, %s', async (_, traceback, frame) => {
  const { rows } = await database.pool.query('select dlq.project_frame($1::text) as frame', [traceback]);
  expect(rows[0]).toEqual({ frame });
});

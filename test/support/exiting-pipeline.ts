import { capture, deadLetterOnFailure } from '@/lib/capture';

/** A pipeline that ends without flush, as many do: `exiting-pipeline.ts URL HOW`, its spool from the environment. */
const [url = '', how = ''] = process.argv.slice(2);
const task = deadLetterOnFailure({
  url,
  code_version: '1',
  task_name: 'clip',
  payload: (work_key: string) => ({ work_key }),
})((_: string) => {
  throw new RangeError('bounds lie outside');
});

if (how === 'uncaught') task('uncaught');
if (how === 'exit') {
  for (let i = 0; i < 20; i += 1) {
    try {
      task(`exit ${i}`);
    } catch {
      // the loop goes on to its next item
    }
  }
  process.exit(3);
}
if (how === 'spooled') {
  const { kept } = await capture(new Error('x'), { work_key: 'spooled' }, { url, code_version: '1', timeout_ms: 300 });
  process.stdout.write(kept);
  process.exit(0);
}
if (how === 'end') await capture(new Error('x'), { work_key: 'end' }, { url, code_version: '1' });

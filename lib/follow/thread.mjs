import { join } from 'node:path';

// Not bundled: the thread reads the project's own sources, as the commands do.
const root = join(import.meta.dirname, '..', '..');
process.env.TSX_TSCONFIG_PATH ??= join(root, 'tsconfig.json');
const { register } = await import('tsx/esm/api');
register();
await import('./thread.ts');

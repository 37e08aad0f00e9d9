import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';

/** Debian's own interpreter: another python3 first on the path does not see Debian's shapely and pyproj. */
const PYTHON = '/usr/bin/python3';
const HERE = import.meta.dirname;
const CLIENTS = path.join(HERE, '../../../public/clients');

/** What of this process's environment a pipeline of a test sees: nothing that names a server, a spool or a version. */
const BARE: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  LANG: 'C.UTF-8',
  PYTHONPATH: CLIENTS,
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Runs one of the scripts beside this file, warnings being errors. Rejects where it ends with another status than 0. */
export function runPython(
  script: string,
  given: { arguments?: string[]; input?: string; environment?: Record<string, string> } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(PYTHON, ['-W', 'error', path.join(HERE, script), ...(given.arguments ?? [])], {
      // the type asks for NODE_ENV, which is nothing to Python
      env: { ...BARE, ...given.environment } as NodeJS.ProcessEnv,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${script} ended with ${code}: ${errors.slice(-2000)}`)),
    );
    child.stdin.end(given.input ?? '');
  });
}

/** The names of the client's tests in Python. */
export function pythonTests(): string[] {
  return JSON.parse(execFileSync(PYTHON, [path.join(HERE, 'run_tests.py'), '--list'], { encoding: 'utf8' }));
}

/** What the client's tests in Python came to, by name: `passed`, `skipped: …`, or what went wrong. */
export const pythonOutcomes = async (): Promise<Record<string, string>> => JSON.parse(await runPython('run_tests.py'));

/** Captures by the Python client in a process of its own; its results in order. */
export async function captureByPython(
  given: readonly object[],
  environment: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const input = given.map((one) => `${JSON.stringify(one)}\n`).join('');
  const output = await runPython('capture_lines.py', { input, environment });
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

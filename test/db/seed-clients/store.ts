import { spawn } from 'node:child_process';
import path from 'node:path';

/** Debian's own interpreter: another python3 first on the path does not see Debian's psycopg and shapely. */
const PYTHON = '/usr/bin/python3';

export interface Stored {
  stored: number;
  errors: string[];
}

/** Stores failures through one psycopg client with the document's own statement. Rejects when the client itself fails. */
export function storeBy(url: string, statement: 'geotask_dlq' | 'failed_geotasks', works: object[]): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const client = spawn(PYTHON, [path.join(import.meta.dirname, 'store.py'), url, statement]);
    let output = '';
    let errors = '';
    client.stdout.on('data', (chunk) => (output += chunk));
    client.stderr.on('data', (chunk) => (errors += chunk));
    client.on('error', reject);
    client.on('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error(errors))));
    client.stdin.end(works.map((work) => JSON.stringify(work)).join('\n'));
  });
}

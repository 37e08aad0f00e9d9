import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseSpoolFileName } from '@/lib/capture/spool-name';
import { DlqError } from '@/lib/contract/error';
import { nullWhereMissing } from './file-bytes';
import { openBucket } from './open-source';
import { plainFiles } from './plain-files';
import { spoolBucket } from './spool-bucket';
import { spoolDirectory } from './spool-directory';
import type { SpoolSource } from './spool-source';
import { standardInput } from './standard-input';

export interface PlanInput {
  /** Files, folders, s3://bucket/prefix, or `-`. */
  addresses: readonly string[];
  environment: Record<string, string | undefined>;
  /** Where the side files of plain files go; else beside them. */
  side_folder?: string | undefined;
  stdin: AsyncIterable<Uint8Array>;
}

const LINES = /\.(ndjson|jsonl)$/;

/**
 * The sources that the addresses mean. A folder or a prefix that has the marks of a spool is one, and its files are moved
 * when they are loaded; other files are left where they are. @throws DlqError, ConfigError naming the address.
 */
export async function planIngest(input: PlanInput): Promise<SpoolSource[]> {
  const sources: SpoolSource[] = [];
  const plain = new Map<string, Set<string>>();
  const take = (folder: string, names: readonly string[]) => {
    plain.set(folder, new Set([...(plain.get(folder) ?? []), ...names]));
  };
  for (const address of new Set(input.addresses)) {
    if (address === '-') sources.push(standardInput(input.stdin, input.side_folder ?? process.cwd()));
    else if (address.startsWith('s3://')) sources.push(await bucketAt(address, input.environment));
    else {
      const at = path.resolve(address);
      const found = await stat(at).catch(nullWhereMissing);
      if (!found) throw new DlqError('not_found', `there is no file or folder ${address}`);
      if (!found.isDirectory()) take(path.dirname(at), [path.basename(at)]);
      else if (await isSpool(at)) sources.push(spoolDirectory(at));
      else take(at, await namesOfLines(at, address));
    }
  }
  for (const [folder, names] of plain)
    sources.push(plainFiles(folder, names, input.side_folder && path.resolve(input.side_folder)));
  return sources;
}

async function bucketAt(address: string, environment: PlanInput['environment']): Promise<SpoolSource> {
  const url = address.replace(/\/+$/, '');
  const store = openBucket(url, environment);
  for await (const _ of store.list('spool/')) return spoolBucket(url, store);
  return spoolBucket(url, store, 'plain');
}

/** Clients name their files in one way, and the folders beside them are the spool's own. */
async function isSpool(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.some(
    (one) =>
      (one.isFile() && parseSpoolFileName(one.name) !== null) ||
      (one.isDirectory() && ['blobs', 'loaded', 'rejected'].includes(one.name)),
  );
}

async function namesOfLines(folder: string, address: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => LINES.test(name));
  if (names.length > 0) return names;
  throw new DlqError('not_found', `${address} holds no .ndjson or .jsonl file; name the files themselves`);
}

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ObjectStore } from '@/lib/object-store/s3';
import { nullWhereMissing, readFrom } from './file-bytes';
import type { BlobPlace } from './move-blobs';
import { openBucket } from './open-source';
import { plainFiles } from './plain-files';
import { bytesFrom, spoolBucket } from './spool-bucket';
import { STDIN } from './standard-input';

/** One file or object that may hold bytes of a file that was loaded. */
export interface KeptFile {
  /** As people name it. */
  where: string;
  /** The bytes from `offset` on, null where it is not there. */
  read: (offset: number) => Promise<AsyncIterable<Uint8Array> | null>;
}

/** Where a file's bytes may lie after its load, and what may lie beside it; nothing is moved or removed. */
export interface KeptPlaces {
  /** The file, and what its loader or a `dlo ingest` made of it. */
  copies: () => AsyncIterable<KeptFile>;
  sides: () => AsyncIterable<KeptFile>;
  beside: BlobPlace | null;
}

/** @throws ConfigError naming what a bucket needs here. */
export function keptPlaces(
  { source, name, side_file }: { source: string; name: string; side_file: string | null },
  environment: Record<string, string | undefined>,
): KeptPlaces {
  if (source.startsWith('s3://')) return inBucket(source, openBucket(source, environment), name);
  // Names come from a listing; one that leads elsewhere never did.
  if (source === STDIN) return { ...NOWHERE, sides: () => noted(side_file) };
  if (path.basename(name) !== name) return NOWHERE;
  const places = inFolder(source, name);
  const known = [path.join(source, 'rejected', name), path.join(source, `${name}.rejected`)];
  if (side_file === null || known.includes(side_file)) return places;
  return { ...places, sides: () => both(places.sides(), noted(side_file)) };
}

async function* nothing(): AsyncGenerator<never> {}
export const NOWHERE: KeptPlaces = { copies: nothing, sides: nothing, beside: null };

const fileAt = (file: string): KeptFile => ({
  where: file,
  read: async (offset) => (await isThere(file)) && readFrom(file, offset),
});

/** A side file that its loader put where `--rejected` or the folder it ran in said. */
async function* noted(side_file: string | null): AsyncGenerator<KeptFile> {
  if (side_file !== null) yield fileAt(side_file);
}

async function* both(one: AsyncIterable<KeptFile>, other: AsyncIterable<KeptFile>): AsyncGenerator<KeptFile> {
  yield* one;
  yield* other;
}

function inFolder(folder: string, name: string): KeptPlaces {
  const kept = (...names: string[]): KeptFile => fileAt(path.join(folder, ...names));
  return {
    async *copies() {
      yield kept(name);
      yield kept('loaded', name);
      // A loaded file of the same name stayed; see `freeName`.
      for (let n = 1; await isThere(path.join(folder, 'loaded', `${name}.${n}`)); n++)
        yield kept('loaded', `${name}.${n}`);
    },
    async *sides() {
      yield kept('rejected', name);
      yield kept(`${name}.rejected`);
    },
    beside: plainFiles(folder, new Set([name])),
  };
}

async function isThere(file: string): Promise<true | null> {
  return (await stat(file).catch(nullWhereMissing)) && true;
}

function inBucket(url: string, store: ObjectStore, name: string): KeptPlaces {
  const kept = (key: string): KeptFile => ({
    where: `${url}/${key}`,
    read: async (offset) => {
      const body = await store.get(key);
      return body && bytesFrom(body, offset);
    },
  });
  return {
    async *copies() {
      for (const key of [`spool/${name}`, `loaded/${name}`, name]) yield kept(key);
    },
    async *sides() {
      for await (const { key } of store.list(`rejected/${name}/`)) yield kept(key);
    },
    beside: spoolBucket(url, store, 'plain'),
  };
}

import path from 'node:path';
import { ConfigError, getConfig } from '@/lib/config';
import { openObjectStore } from '@/lib/object-store/s3';
import type { BlobStore } from './blob-store';
import { DirectoryStore } from './directory-store';
import { ObjectBlobStore } from './object-blob-store';

/** @param where a folder, or s3://bucket/prefix. @throws ConfigError naming the variable that is missing or wrong. */
export function openBlobStore(where: string, environment: Record<string, string | undefined>): BlobStore {
  if (!where.includes('://')) return new DirectoryStore(path.resolve(where));
  try {
    return new ObjectBlobStore(openObjectStore(where, environment));
  } catch (error) {
    throw new ConfigError(`DLO_BLOBS: ${error instanceof Error ? error.message : String(error)}`);
  }
}

let opened: { where: string; store: BlobStore } | undefined;

/** The blob store of this process (DLO_BLOBS). */
export function getBlobStore(): BlobStore {
  const where = getConfig().blobs;
  if (opened?.where !== where) opened = { where, store: openBlobStore(where, process.env) };
  return opened.store;
}

import path from 'node:path';
import { ConfigError } from '@/lib/config';
import { type ObjectStore, openObjectStore } from '@/lib/object-store/s3';
import { spoolBucket } from './spool-bucket';
import { spoolDirectory } from './spool-directory';
import type { SpoolSource } from './spool-source';

/** The spool at an address: a folder, or s3://bucket/prefix. @throws ConfigError naming what the bucket needs. */
export function openSource(address: string, environment: Record<string, string | undefined>): SpoolSource {
  if (!address.startsWith('s3://')) return spoolDirectory(path.resolve(address));
  const url = address.replace(/\/+$/, '');
  return spoolBucket(url, openBucket(url, environment));
}

/** @throws ConfigError naming the variable, or the address, that is wrong. */
export function openBucket(url: string, environment: Record<string, string | undefined>): ObjectStore {
  try {
    return openObjectStore(url, environment);
  } catch (error) {
    throw new ConfigError(`${url}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

import path from 'node:path';
import { openObjectStore } from '@/lib/object-store/s3';
import { spoolBucket } from './spool-bucket';
import { spoolDirectory } from './spool-directory';
import type { SpoolSource } from './spool-source';

/** The spool at an address: a folder, or s3://bucket/prefix. @throws Error naming the variable that the bucket needs. */
export function openSource(address: string, environment: Record<string, string | undefined>): SpoolSource {
  if (!address.startsWith('s3://')) return spoolDirectory(path.resolve(address));
  const url = address.replace(/\/+$/, '');
  return spoolBucket(url, openObjectStore(url, environment));
}

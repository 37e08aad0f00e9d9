import { z } from 'zod';
import { sha256Schema, storedSchema } from '@/lib/contract/blob';
import { type ApiOperation, json } from './api-operation';

const sha256 = { sha256: sha256Schema };
const stored = storedSchema.meta({ id: 'StoredBlob' });

export const BLOB_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'put',
    path: '/api/blobs/{sha256}',
    role: 'operator',
    intake: true,
    summary:
      'Store a payload of over 1 MB under its sha256 before the capture that names it as payload_ref (sha256:…); 422 where the bytes have another hash',
    params: sha256,
    body: { 'application/octet-stream': z.string().meta({ format: 'binary' }) },
    answer: json(stored),
    also: { 201: { description: 'New here', content: json(stored) } },
  },
  {
    method: 'get',
    path: '/api/blobs/{sha256}',
    role: 'viewer',
    summary: 'The bytes of a payload_ref, verified; the answer to a damaged blob is an error, or breaks off short',
    params: sha256,
    answer: { 'application/octet-stream': z.string().meta({ format: 'binary' }) },
  },
  {
    method: 'head',
    path: '/api/blobs/{sha256}',
    role: 'viewer',
    intake: true,
    summary: 'Whether a blob is there; the header Dlo-Blob-Bytes has its size; not verified',
    params: sha256,
    answer: {},
  },
];

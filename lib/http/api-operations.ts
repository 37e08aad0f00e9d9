import { type ZodType, z } from 'zod';
import { sha256Schema, storedSchema } from '@/lib/contract/blob';
import { CAPTURE_OUTCOMES, capturedLineSchema, capturedSchema, captureSchema } from '@/lib/contract/capture';
import { entrySchema, evidenceSchema, GEOMETRY_FORMATS } from '@/lib/contract/entry';
import { filterSchema } from '@/lib/contract/filter';
import { depthSchema, healthSchema, readySchema } from '@/lib/contract/health';
import {
  ITEM_OUTCOMES,
  OPERATION_STATES,
  operationItemSchema,
  operationSchema,
  previewRequestSchema,
  previewSchema,
  startRequestSchema,
} from '@/lib/contract/operation';
import { RUN_STATUSES, runDetailSchema, runListSchema, runReportSchema, runSchema } from '@/lib/contract/run';
import { rejectedLineSchema, rejectedListSchema, spoolSchema } from '@/lib/contract/spool';
import {
  decidedSchema,
  inDoubtSchema,
  manifestSchema,
  outcomeSchema,
  recordedOutcomeSchema,
  taskSchema,
} from '@/lib/contract/task';
import { createdTokenSchema, newTokenSchema, tokenSchema } from '@/lib/contract/token';
import { listSchema, SORTS, triageSchema } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

export type Method = 'get' | 'head' | 'post' | 'put' | 'delete';

/** What a media type carries: a schema, or bytes of a format that is described elsewhere. */
export type Content = Record<string, ZodType>;

/** One operation of the API, as its document shows it. `path` is the folder with `{name}` for `[name]`. */
export interface ApiOperation {
  method: Method;
  path: string;
  summary: string;
  /** What the summary has no room for. */
  description?: string;
  role: Role;
  /** A producer's token may ask too, and a write can be told to come back later. */
  intake?: boolean;
  params?: Record<string, ZodType>;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: Content;
  answer: Content;
  /** Other statuses than 200 and those that every operation can answer. */
  also?: Record<number, { description: string; content?: Content }>;
}

const id = { id: z.string().regex(/^\d{1,19}$/) };
const sha256 = { sha256: sha256Schema };
const order = z.object({
  sort: z.enum(SORTS).optional(),
  dir: z.enum(['asc', 'desc']).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  cursor: z.string().optional(),
});
const paging = z.object({ cursor: z.string().optional() });
const filtered = z.object({ ...filterSchema.shape });
const listed = filtered.extend(order.shape);
const json = (schema: ZodType): Content => ({ 'application/json': schema });

const entry = entrySchema.meta({ id: 'Entry' });
const operation = operationSchema.meta({ id: 'Operation' });
const manifest = manifestSchema.meta({ id: 'Manifest' });
const task = taskSchema.meta({ id: 'Task' });
const stored = storedSchema.meta({ id: 'StoredBlob' });
const capture = captureSchema.meta({ id: 'Capture' });
const ready = readySchema.meta({ id: 'Ready' });
const token = tokenSchema.meta({ id: 'Token' });

const run = runSchema.meta({ id: 'Run' });

const CAPTURE_RULES = [
  'A capture_id (in the body, or of one capture in the header Capture-Id; both must be the same) counts once: the same again, under whatever body, is answered with 200 and the outcome duplicate, and what came first stays.',
  'What the newest failure (by failed_at) says is the entry’s; one that is older than what is known, such as a spool loaded late, only counts: attempts rises, evidence and state stay.',
  'A failure later than the resolution of its entry reopens it; an earlier one does not.',
  'NDJSON is stored as it is read. Where the body breaks off, the whole lines before the break are stored and answered, and a last line with line 0 says what broke; send the rest again under the same capture_ids.',
  'A body may be sent with Content-Encoding: gzip; limits count the unpacked bytes.',
].join(' ');

/** Every operation there is; a test holds this against the route files. */
export const API_OPERATIONS: readonly ApiOperation[] = [
  { method: 'get', path: '/healthz', role: 'viewer', summary: 'The process answers', answer: json(healthSchema) },
  {
    method: 'get',
    path: '/readyz',
    role: 'viewer',
    summary: 'Requests can be served: the database is reachable, writable and migrated',
    answer: json(ready),
    also: { 503: { description: 'Not ready, with the reasons', content: json(ready) } },
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    role: 'viewer',
    summary: 'This document',
    answer: json(z.looseObject({})),
  },
  {
    method: 'post',
    path: '/api/dead-letters',
    role: 'operator',
    intake: true,
    description: CAPTURE_RULES,
    summary: `Capture one (JSON) or many (NDJSON, answered line by line); outcome: ${CAPTURE_OUTCOMES.join(', ')}`,
    headers: z.object({ 'capture-id': z.uuid().optional() }),
    body: { 'application/json': capture, 'application/x-ndjson': capture },
    answer: {
      'application/json': capturedSchema.meta({ id: 'Captured' }),
      'application/x-ndjson': capturedLineSchema.meta({ id: 'CapturedLine' }),
    },
  },
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
  {
    method: 'get',
    path: '/api/dead-letters',
    role: 'viewer',
    summary: 'The entries that match, a page at a time',
    query: listed,
    answer: json(listSchema.meta({ id: 'List' })),
  },
  {
    method: 'get',
    path: '/api/dead-letters/{id}',
    role: 'viewer',
    summary: 'One entry whole: evidence, diagnosis, history, and what a redrive would send',
    params: id,
    answer: json(entry),
  },
  {
    method: 'get',
    path: '/api/dead-letters/{id}/evidence',
    role: 'viewer',
    summary: 'The geometry as stored, its faults and its reprojection',
    params: id,
    answer: json(evidenceSchema.meta({ id: 'Evidence' })),
  },
  {
    method: 'post',
    path: '/api/dead-letters/{id}/in-doubt',
    role: 'operator',
    summary: 'A person’s word on a redrive in doubt: it happened (resolved as fixed) or it did not (open)',
    params: id,
    body: json(inDoubtSchema.meta({ id: 'InDoubtDecision' })),
    answer: json(decidedSchema.meta({ id: 'Decided' })),
    also: { 409: { description: 'It is not in doubt, or somebody was faster' } },
  },
  {
    method: 'get',
    path: '/api/dead-letters/{id}/geometry',
    role: 'viewer',
    summary: 'The geometry as stored (wkb), or as WKT or GeoJSON in source units where that is faithful',
    params: id,
    query: z.object({ format: z.enum(GEOMETRY_FORMATS).optional() }),
    answer: {
      'application/octet-stream': z.string(),
      'text/plain': z.string(),
      'application/geo+json': z.looseObject({}),
    },
  },
  {
    method: 'post',
    path: '/api/dead-letters/{id}/outcome',
    role: 'operator',
    summary: 'The pipeline’s later answer to a redrive',
    params: id,
    body: json(outcomeSchema.meta({ id: 'Outcome' })),
    answer: json(recordedOutcomeSchema),
  },
  {
    method: 'get',
    path: '/api/triage',
    role: 'viewer',
    summary: 'Total, facets, histogram, signatures, what is not on the map, and the first page, in one answer',
    query: listed,
    answer: json(triageSchema.meta({ id: 'Triage' })),
  },
  {
    method: 'get',
    path: '/api/tiles/{z}/{x}/{y}',
    role: 'viewer',
    summary: 'A Mapbox vector tile of the entries that match',
    params: { z: z.coerce.number().int(), x: z.coerce.number().int(), y: z.coerce.number().int() },
    query: filtered,
    answer: { 'application/vnd.mapbox-vector-tile': z.string().meta({ format: 'binary' }) },
    also: { 304: { description: 'Unchanged (If-None-Match)' } },
  },
  {
    method: 'get',
    path: '/api/tiles.json',
    role: 'viewer',
    summary: 'TileJSON of the tiles, for QGIS and others',
    query: filtered,
    answer: json(z.looseObject({ tilejson: z.string(), tiles: z.array(z.string()) })),
  },
  {
    method: 'get',
    path: '/api/depth',
    role: 'viewer',
    summary: 'Entries not resolved, now, by queue, task, class and state',
    answer: json(depthSchema.meta({ id: 'Depth' })),
  },
  {
    method: 'post',
    path: '/api/operations/preview',
    role: 'operator',
    summary: 'Freeze the set that an action would change; changes nothing itself',
    body: json(previewRequestSchema),
    answer: json(previewSchema.meta({ id: 'Preview' })),
  },
  {
    method: 'post',
    path: '/api/operations',
    role: 'operator',
    summary: 'Start what was previewed',
    body: json(startRequestSchema),
    answer: json(operation),
  },
  {
    method: 'get',
    path: '/api/operations',
    role: 'viewer',
    summary: 'Operations, newest first',
    query: paging.extend({ state: z.enum(OPERATION_STATES).optional() }),
    answer: json(z.object({ items: z.array(operation), next_cursor: z.string().nullable() })),
  },
  {
    method: 'get',
    path: '/api/operations/{id}',
    role: 'viewer',
    summary: 'One operation with its progress',
    params: id,
    answer: json(operation),
  },
  ...(['pause', 'resume', 'cancel'] as const).map(
    (verb): ApiOperation => ({
      method: 'post',
      path: `/api/operations/{id}/${verb}`,
      role: 'operator',
      summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} an operation`,
      params: id,
      answer: json(operation),
    }),
  ),
  {
    method: 'get',
    path: '/api/operations/{id}/items',
    role: 'viewer',
    summary: 'Every member of the frozen set and what became of it',
    params: id,
    query: paging.extend({ outcome: z.enum(ITEM_OUTCOMES).optional() }),
    answer: json(z.object({ items: z.array(operationItemSchema), next_cursor: z.string().nullable() })),
  },
  {
    method: 'post',
    path: '/api/runs',
    role: 'operator',
    intake: true,
    summary: 'Report the start, the progress or the end of a run of a task; answers the run as it is known then',
    description:
      'A run is named by queue, run_id and task_name. Reports may come late, twice or in another order: a status only rises (running, failed, finished), the earliest start counts, of counts under way the greatest stays, and the report that ends the run wins over them. Lists of tiles add up, each tile once.',
    body: json(runReportSchema.meta({ id: 'RunReport' })),
    answer: json(run),
  },
  {
    method: 'get',
    path: '/api/runs',
    role: 'viewer',
    summary: 'Runs, the latest started first, with what is missing of each',
    query: z.object({
      queue: z.string().optional(),
      task_name: z.string().optional(),
      status: z.enum(RUN_STATUSES).optional(),
      limit: z.coerce.number().int().min(1).max(500).optional(),
      cursor: z.string().optional(),
    }),
    answer: json(runListSchema),
  },
  {
    method: 'get',
    path: '/api/runs/{run_id}',
    role: 'viewer',
    summary: 'One run with the holes of its manifest: tiles that neither succeeded nor are dead letters of the run',
    params: { run_id: z.string() },
    query: z.object({
      queue: z.string().optional(),
      task_name: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(10_000).optional(),
      cursor: z.string().optional(),
    }),
    answer: json(runDetailSchema.meta({ id: 'RunDetail' })),
    also: { 409: { description: 'Several runs have this id: give queue and task_name' } },
  },
  {
    method: 'get',
    path: '/api/tokens',
    role: 'operator',
    summary: 'The tokens of producers, newest first; never their text',
    answer: json(z.object({ items: z.array(token) })),
  },
  {
    method: 'post',
    path: '/api/tokens',
    role: 'operator',
    summary: 'Make a producer’s token: it may send captures, blobs and runs, and nothing else. Its text is shown once',
    body: json(newTokenSchema.meta({ id: 'NewToken' })),
    answer: json(createdTokenSchema.meta({ id: 'CreatedToken' })),
    also: { 409: { description: 'A token of this name is in use' } },
  },
  {
    method: 'post',
    path: '/api/tokens/{id}/revoke',
    role: 'operator',
    summary: 'End a token for good; it takes effect everywhere within ten seconds',
    params: id,
    answer: json(token),
  },
  {
    method: 'put',
    path: '/api/tasks/{task_name}',
    role: 'operator',
    summary:
      'Register which code versions and params a task can rebuild faithfully. A redrive carries a geometry kept by reference as geom_wkb up to 8 MB; a larger one only as payload_url (sha256 in payload_ref), and only to a task that says takes_references',
    params: { task_name: z.string() },
    body: json(manifest),
    answer: json(task),
  },
  {
    method: 'get',
    path: '/api/tasks/{task_name}',
    role: 'viewer',
    summary: 'The manifest of a task',
    params: { task_name: z.string() },
    answer: json(task),
  },
  {
    method: 'get',
    path: '/api/spool',
    role: 'viewer',
    summary: 'The spools that are loaded: what waits, the files (newest first), how many lines were not taken',
    query: paging,
    answer: json(spoolSchema.meta({ id: 'Spool' })),
  },
  {
    method: 'get',
    path: '/api/spool/rejected',
    role: 'operator',
    summary:
      'Lines of spool files that could not be taken, newest first; open=true leaves out those dealt with, open=false the others',
    query: paging.extend({ open: z.enum(['true', 'false']).optional() }),
    answer: json(rejectedListSchema),
  },
  {
    method: 'post',
    path: '/api/spool/rejected/{id}/dismiss',
    role: 'operator',
    summary: 'Nothing more is to be done about this line',
    params: id,
    answer: json(rejectedLineSchema.meta({ id: 'RejectedLine' })),
    also: { 409: { description: 'It was dealt with already' } },
  },
  {
    method: 'post',
    path: '/api/spool/rejected/{id}/retry',
    role: 'operator',
    summary: 'Try the stored text of this line once more, where it is whole',
    params: id,
    answer: json(capturedSchema),
    also: { 409: { description: 'It was dealt with already' } },
  },
];

import { z } from 'zod';
import { CAPTURE_OUTCOMES, capturedLineSchema, capturedSchema, captureSchema } from '@/lib/contract/capture';
import { entrySchema, evidenceSchema, GEOMETRY_FORMATS, ghostSchema } from '@/lib/contract/entry';
import { decidedSchema, inDoubtSchema, outcomeSchema, recordedOutcomeSchema } from '@/lib/contract/task';
import { listSchema } from '@/lib/contract/triage';
import { type ApiOperation, json } from './api-operation';
import { id, listed } from './parameters';

const capture = captureSchema.meta({ id: 'Capture' });
const entry = entrySchema.meta({ id: 'Entry' });

const CAPTURE_RULES = [
  'A capture_id (in the body, or of one capture in the header Capture-Id; both must be the same) counts once: the same again, under whatever body, is answered with 200 and the outcome duplicate, and what came first stays.',
  'What the newest failure (by failed_at) says is the entry’s; one that is older than what is known, such as a spool loaded late, only counts: attempts rises, evidence and state stay.',
  'A failure later than the resolution of its entry reopens it; an earlier one does not.',
  'NDJSON is stored as it is read. Where the body breaks off, the whole lines before the break are stored and answered, and a last line with line 0 says what broke; send the rest again under the same capture_ids.',
  'A body may be sent with Content-Encoding: gzip; limits count the unpacked bytes.',
].join(' ');

export const DEAD_LETTER_OPERATIONS: readonly ApiOperation[] = [
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
    summary: 'The geometry as stored, its faults, its claim and its reprojection',
    description:
      'A geometry of more than 256 kB is not in the answer: geom_bytes_at and reprojected_at are where its bytes can be had.',
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
    also: { 304: { description: 'Unchanged (If-None-Match)' } },
  },
  {
    method: 'get',
    path: '/api/dead-letters/{id}/reprojected',
    role: 'viewer',
    summary: 'The reprojection as EWKB in EPSG:4326, by the database’s PROJ',
    params: id,
    answer: { 'application/octet-stream': z.string().meta({ format: 'binary' }) },
    also: { 304: { description: 'Unchanged (If-None-Match)' } },
  },
  {
    method: 'get',
    path: '/api/dead-letters/{id}/ghost',
    role: 'viewer',
    summary: 'The geometry as if it were in another CRS: what a candidate would look like on the map',
    description:
      'The axes are exchanged first (swapped), then multiplied by their signs. Over 20,000 vertices a simpler shape is drawn, and said so.',
    params: id,
    query: z.object({
      crs: z.string(),
      swapped: z.enum(['true', 'false']).optional(),
      x_sign: z.enum(['1', '-1']).optional(),
      y_sign: z.enum(['1', '-1']).optional(),
    }),
    answer: json(ghostSchema.meta({ id: 'Ghost' })),
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
];

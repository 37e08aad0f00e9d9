import { z } from 'zod';
import { captureSchema } from '@/lib/contract/capture';
import { EXPORT_FORMATS } from '@/lib/contract/export';
import { depthSchema } from '@/lib/contract/health';
import { signatureTrendsSchema } from '@/lib/contract/signature-trends';
import { faultFacetSchema, triageSchema } from '@/lib/contract/triage';
import { type ApiOperation, json } from './api-operation';
import { filtered, listed } from './parameters';

export const TRIAGE_OPERATIONS: readonly ApiOperation[] = [
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
    path: '/api/triage/faults',
    role: 'viewer',
    summary: 'How many of the entries that match have each fault; “capped” where the counts are lower bounds',
    query: filtered,
    answer: json(faultFacetSchema.meta({ id: 'FaultFacet' })),
  },
  {
    method: 'get',
    path: '/api/triage/signatures',
    role: 'viewer',
    summary: 'How often the most frequent signatures of the entries that match failed over time, and in which tasks',
    query: filtered,
    answer: json(signatureTrendsSchema.meta({ id: 'SignatureTrends' })),
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
    path: '/api/export/{format}',
    role: 'viewer',
    summary: 'The entries that match as a file, streamed by id',
    description:
      'Each entry as it is when it is read. GeoJSON (RFC 7946) has the footprint, and the bytes of the source as hex in geom_wkb; FlatGeobuf (without an index) and GeoParquet 1.1 have the footprint. An entry without one is a feature without a geometry. A line of NDJSON is the capture that stands, exact: sent to POST /api/dead-letters or loaded by dlo ingest it gives the same entry, and counts once. What a viewer may not read of a sensitive entry is a line {"masked": …}, which is refused there. An answer that breaks off is not whole.',
    params: { format: z.enum(EXPORT_FORMATS) },
    query: filtered,
    answer: {
      'text/csv': z.string(),
      'application/x-ndjson': captureSchema,
      'application/geo+json': z.looseObject({ type: z.literal('FeatureCollection') }),
      'application/flatgeobuf': z.string().meta({ format: 'binary' }),
      'application/vnd.apache.parquet': z.string().meta({ format: 'binary' }),
    },
  },
  {
    method: 'get',
    path: '/api/depth',
    role: 'viewer',
    summary: 'Entries not resolved, now, by queue, task, class and state',
    answer: json(depthSchema.meta({ id: 'Depth' })),
  },
];

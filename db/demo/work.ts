import type { CapturePayload } from '@/lib/capture';
import type { RedriveRequest } from '@/lib/contract/task';
import type { Sources } from './sources/open-sources';

/** One unit of work as a task consumes it: the contract's fields, geometry as hex WKB. A task reads nothing else. */
export interface Work {
  work_key: string;
  task_name: TaskName;
  geom_wkb: string | null;
  srid: number | null;
  src_crs: string | null;
  tile_z: number | null;
  tile_x: number | null;
  tile_y: number | null;
  source_uris: string[] | null;
  source_window: { col_off: number; row_off: number; width: number; height: number } | null;
  nodata: string | null;
  target_crs: string | null;
  params: Record<string, unknown>;
}

export const TASK_NAMES = [
  'reproject_parcels',
  'tile_clip',
  'overlay_zoning',
  'buffer',
  'raster_window',
  'fetch_upstream',
  'mosaic',
] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** A task under one code version. It fails by throwing, or rejects. */
export type Task = (work: Work, version: string, sources: Sources) => unknown;

/** What every source leaves out. */
export const NO_SOURCE = {
  geom_wkb: null,
  srid: null,
  src_crs: null,
  source_uris: null,
  source_window: null,
  nodata: null,
  target_crs: null,
} as const;

export function payloadOf(work: Work): CapturePayload {
  const { geom_wkb, ...rest } = work;
  return {
    ...rest,
    geometry: geom_wkb === null ? null : Buffer.from(geom_wkb, 'hex'),
    tile_matrix_set: work.tile_z === null ? null : 'WebMercatorQuad',
  };
}

/** The unit of work of a redrive: from the request's body alone. Throws where no task of this pipeline has that name. */
export function workOf(request: RedriveRequest): Work {
  const task_name = TASK_NAMES.find((name) => name === request.task_name);
  if (!task_name) throw new RangeError(`this pipeline has no task ${request.task_name}`);
  const window = request.source_window;
  return {
    work_key: request.idempotency_key,
    task_name,
    geom_wkb: request.geom_wkb,
    srid: request.srid,
    src_crs: request.src_crs,
    tile_z: request.tile_z,
    tile_x: request.tile_x,
    tile_y: request.tile_y,
    source_uris: request.source_uris,
    source_window: window && {
      col_off: Number(window.col_off),
      row_off: Number(window.row_off),
      width: Number(window.width),
      height: Number(window.height),
    },
    nodata: request.nodata,
    target_crs: request.target_crs,
    params: isRecord(request.params) ? request.params : {},
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

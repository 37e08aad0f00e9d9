import type { Manifest } from '@/lib/contract/task';
import type { TaskName } from './work';

/** The name that the receiver has among the server's targets. */
export const DEMO_TARGET = 'demo';

type Property = Record<string, unknown>;
const text: Property = { type: 'string' };
const maybeText: Property = { type: ['string', 'null'] };
const number: Property = { type: 'number' };
const whole: Property = { type: 'integer' };
const flag: Property = { type: 'boolean' };

/** A closed object whose members are all required: a missing or an extra param makes an entry unfaithful. */
function closed(properties: Record<string, Property>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const SINCE_2_12 = ['2.12.9', '2.13.4', '2.14.0', '2.14.1'];

/**
 * What release 2.14.1 can rebuild. 2.11.3 is out of reach for every task; parcels before 2.13.4 lack `layer_unit` and
 * `axis_order`, and mosaics before it `strip_rows`, without which the newest code would have to guess.
 */
export const MANIFESTS: Readonly<Record<TaskName, Manifest>> = {
  reproject_parcels: manifest('cadastre', SINCE_2_12, {
    provider: text,
    layer: text,
    feature_id: whole,
    layer_crs_name: maybeText,
    layer_unit: maybeText,
    axis_order: { enum: ['xy', 'yx'] },
    densify_m: number,
    resampling: text,
    keep_attributes: flag,
  }),
  tile_clip: manifest('basemap', SINCE_2_12, {
    country: text,
    country_id: text,
    layer: text,
    buffer_px: number,
    simplify_px: number,
    extent: whole,
    keep_empty: flag,
  }),
  overlay_zoning: manifest('planning', SINCE_2_12, {
    county: text,
    county_fips: text,
    districts: {
      type: 'array',
      items: closed({ zone_code: maybeText, bbox: { type: 'array', items: number, minItems: 4, maxItems: 4 } }),
    },
    max_area_change: number,
    min_piece_m2: number,
    snap_deg: number,
    precision: text,
  }),
  buffer: manifest('planning', SINCE_2_12, {
    distance_m: number,
    utm_zone: whole,
    south: flag,
    quadrant_segments: whole,
    cap: text,
    join: text,
    dissolve: flag,
    place: text,
  }),
  raster_window: manifest('terrain', ['2.13.4', '2.14.0', '2.14.1'], {
    band: whole,
    overview: whole,
    statistic: text,
    resampling: text,
    scale: number,
    dtype: text,
    job_sheet: text,
  }),
  fetch_upstream: manifest('terrain', SINCE_2_12, {
    service: text,
    api_version: text,
    product: text,
    datum: text,
    timeout_ms: whole,
    retries_spent: whole,
    near: text,
  }),
  mosaic: manifest('terrain', SINCE_2_12, {
    cols: whole,
    rows: whole,
    memory_limit_mb: whole,
    strip_rows: whole,
    resampling: text,
    compress: text,
    blend: text,
    region: text,
  }),
};

function manifest(owner: string, code_versions: string[], params: Record<string, Property>): Manifest {
  return {
    code_versions,
    params_schema: closed(params),
    target: DEMO_TARGET,
    idempotent: true,
    takes_references: false,
    owner,
  };
}

/** Registers every task with the server, as a person would: no producer's token may. Throws with the server's answer where one is refused. */
export async function putManifests({ url }: { url: string }): Promise<void> {
  for (const [task_name, body] of Object.entries(MANIFESTS)) {
    const response = await fetch(new URL(`/api/tasks/${encodeURIComponent(task_name)}`, url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`the manifest of ${task_name} was refused: ${response.status} ${await response.text()}`);
    }
    await response.arrayBuffer();
  }
}

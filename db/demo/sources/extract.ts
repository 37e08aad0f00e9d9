import type { Geometry, Position } from 'geojson';
import wkx from 'wkx';
import { atLeast } from '../versions';
import { mapVertices } from '../vertices';
import { crsByName } from './crs-registry';

/** A layer as its provider delivers it. */
export interface Layer {
  /** The CRS name in the layer's .prj, or text that someone typed; null where the delivery had none. */
  crs_name: string | null;
  /** The unit in the layer's .prj. */
  unit: string | null;
  /** The axis order of the answer: `yx` from WFS 1.1 and later for EPSG:4326. */
  axis_order: 'xy' | 'yx';
}

/** Faults of a delivery that reach the extract as they are: an empty attribute, a connection cut. */
export interface Damage {
  /** This vertex of the first ring has an empty coordinate in the provider's CSV. */
  empty_vertex?: number;
  /** The provider's file ended after this share of the bytes. */
  cut_at?: number;
}

/**
 * The claim that the extract writes beside a geometry. 2.14.0 looks names up without what stands in brackets ("so that
 * spelling variants meet"), and with it lost the unit: `Ohio North (ftUS)` became `Ohio North`, which is in metres.
 */
export function claimOf(layer: Layer, version: string): string | null {
  if (layer.crs_name === null) return null;
  const name = version === '2.14.0' ? layer.crs_name.replace(/\s*\(.*\)$/, '') : layer.crs_name;
  return crsByName(name)?.code ?? layer.crs_name;
}

export interface ExtractOptions {
  /** Grid that coordinates are snapped to, in the layer's unit. */
  snap?: number;
  /** Leave repeated vertices out. */
  compact?: boolean;
  damage?: Damage;
}

/**
 * A feature's bytes as the extract of a release writes them.
 * 2.13.4 merges repeated vertices, which took the closing vertex of rings of more than six vertices with it; 2.13.4 and
 * later snap to `snap` (in the layer's unit) without looking at what that does to a narrow neck.
 */
export function extractWkb(geometry: Geometry, version: string, options: ExtractOptions = {}): string {
  const { snap, compact, damage = {} } = options;
  let written = geometry;
  if (snap !== undefined && atLeast(version, '2.13.4')) written = snapped(written, snap);
  if (compact && version === '2.13.4') written = withoutRepeatedVertices(written);
  if (damage.empty_vertex !== undefined) written = withEmptyCell(written, damage.empty_vertex);
  const bytes = wkx.Geometry.parseGeoJSON(written).toWkb();
  return (damage.cut_at === undefined ? bytes : bytes.subarray(0, Math.ceil(bytes.length * damage.cut_at))).toString(
    'hex',
  );
}

function snapped(geometry: Geometry, step: number): Geometry {
  return mapVertices(geometry, (vertex) => vertex.map((value) => Math.round(value / step) * step));
}

function withoutRepeatedVertices(geometry: Geometry): Geometry {
  if (geometry.type !== 'Polygon') return geometry;
  return { type: 'Polygon', coordinates: geometry.coordinates.map(distinctVertices) };
}

function distinctVertices(ring: Position[]): Position[] {
  if (ring.length <= 7) return ring;
  const seen = new Set<string>();
  return ring.filter((vertex) => {
    const key = vertex.join(' ');
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

/** The provider's CSV has an empty cell, and parseFloat('') is NaN. */
function withEmptyCell(geometry: Geometry, at: number): Geometry {
  let i = -1;
  return mapVertices(geometry, (vertex) => {
    i += 1;
    return i === at ? [Number.parseFloat(''), ...vertex.slice(1)] : vertex;
  });
}

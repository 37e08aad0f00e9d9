import type { AxisOrder, Bbox, CrsKind } from './registry';
import data from './registry.json';

/** One CRS as generate.py writes it; numbers point into the lists of the file, what is missing at the end is null. */
export type RegistryRow = [
  code: number | string,
  name: string,
  kind: number,
  deprecated: 0 | 1,
  replacements?: string[] | null,
  area?: number | null,
  axis_order?: number | null,
  unit?: number | null,
  base?: string | null,
  method?: number | null,
  proj?: string | null,
  envelope?: Bbox | null,
  aliases?: string[] | null,
];

export interface RegistryFile {
  meta: { proj: string; epsg: string; epsg_date: string; esri: string; ignf: string };
  kinds: CrsKind[];
  areas: ([west: number, south: number, east: number, north: number, name: string] | [name: string])[];
  axis_orders: AxisOrder[];
  units: [name: string, factor: number][];
  methods: string[];
  crs: Record<string, RegistryRow[]>;
}

export function registryFile(): RegistryFile {
  return data as unknown as RegistryFile;
}

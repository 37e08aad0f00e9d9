import { allCrs, type CrsRecord } from './registry/registry';
import { groupedBy } from './zone-family';

export const UNITS = [
  { factor: 1, name: 'metres', proj: '+units=m' },
  { factor: 1200 / 3937, name: 'US survey feet', proj: '+units=us-ft' },
  { factor: 0.3048, name: 'feet', proj: '+units=ft' },
  { factor: 1000, name: 'kilometres', proj: '+units=km' },
] as const;
export type Unit = (typeof UNITS)[number];

let twins: Map<string, CrsRecord[]> | null = null;

/** CRSs in force with the same projection, to the centimetre, and another unit. */
export function unitTwinsOf(claim: CrsRecord): readonly CrsRecord[] {
  twins ??= groupedBy(
    allCrs().filter((record) => record.kind === 'projected' && !record.deprecated),
    projectionKey,
  );
  const key = projectionKey(claim);
  if (key === null) return [];
  return (twins.get(key) ?? []).filter((record) => record.id !== claim.id && !isSameUnit(record, claim));
}

/** The name of a unit as a reason says it. */
export function unitName(record: CrsRecord): string {
  const factor = record.unit_factor;
  const known = UNITS.find((unit) => factor !== null && Math.abs(unit.factor / factor - 1) < 1e-9);
  return known?.name ?? record.unit ?? 'an unknown unit';
}

/** Feet and US survey feet differ by 2 in a million: 2 m at 1,000 km. */
function isSameUnit(a: CrsRecord, b: CrsRecord): boolean {
  return a.unit_factor === null || b.unit_factor === null || Math.abs(a.unit_factor / b.unit_factor - 1) < 1e-5;
}

/** The projection's own text in another unit: PROJ keeps x_0 and y_0 in metres whatever the unit is. */
export function projInUnit(record: CrsRecord, unit: Unit): string | null {
  if (!record.proj) return null;
  const rest = record.proj.split(/\s+/).filter((word) => !/^\+(units|to_meter|type)=/.test(word));
  const no_defs = rest.indexOf('+no_defs');
  rest.splice(no_defs < 0 ? rest.length : no_defs, 0, unit.proj);
  return rest.join(' ');
}

/** The parameters of the projection without its unit, numbers rounded (x_0 in feet comes back as 609601.2192024384). */
function projectionKey(record: CrsRecord): string | null {
  if (!record.proj) return null;
  return record.proj
    .split(/\s+/)
    .filter(
      (word) => word.startsWith('+') && !/^\+(units|to_meter|type|no_defs|datum|ellps|towgs84|vunits)\b/.test(word),
    )
    .map((word) => {
      const [name, value] = word.split('=');
      if (value === undefined || !Number.isFinite(Number(value))) return word;
      return `${name}=${name === '+x_0' || name === '+y_0' ? Math.round(Number(value) * 10) / 10 : Number(Number(value).toFixed(7))}`;
    })
    .sort()
    .join(' ');
}

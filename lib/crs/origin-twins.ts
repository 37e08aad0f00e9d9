import { allCrs, type CrsRecord } from './registry/registry';
import { groupedBy } from './zone-family';

let same_axes: Map<string, CrsRecord[]> | null = null;

/** More that share their lines are the zones of many countries (Gauss-Krüger), not editions of one grid. */
const MOST_EDITIONS = 6;

/** CRSs in force that project about the same lines with other false coordinates: LV03 and LV95. */
export function originTwinsOf(claim: CrsRecord): readonly CrsRecord[] {
  same_axes ??= groupedBy(projected(), axesKey);
  const key = axesKey(claim);
  const editions = (key === null ? [] : (same_axes.get(key) ?? [])).filter((record) => isOther(record, claim));
  return editions.length > MOST_EDITIONS ? [] : editions;
}

/** Nobody mixes up the lists of two registries. */
const isOther = ({ id }: CrsRecord, claim: CrsRecord) => id !== claim.id && id.split(':')[0] === claim.id.split(':')[0];

const projected = () => allCrs().filter(({ kind, deprecated }) => kind === 'projected' && !deprecated);

/** All but false coordinates, unit and ellipsoid; null for projections without an axis of their own, which are the world's. */
function axesKey({ proj }: CrsRecord): string | null {
  if (!proj || !/\+lat_0=(?!0\s)|\+lon_0=(?!0\s)/.test(proj)) return null;
  return proj
    .split(/\s+/)
    .filter(
      (word) =>
        /^\+(proj|lat_|lon_|lonc|alpha|gamma|k|k_0|zone|south|axis|pm)\b/.test(word) || /^\+l(at|on)_/.test(word),
    )
    .map((word) => {
      const [name, value] = word.split('=');
      return value !== undefined && Number.isFinite(Number(value))
        ? `${name}=${Number(Number(value).toFixed(5))}`
        : word;
    })
    .sort()
    .join(' ');
}

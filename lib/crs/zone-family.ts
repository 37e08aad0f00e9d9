import { lonSpan } from './geo-box';
import { allCrs, type CrsRecord } from './registry/registry';

/** Words by which the members of a family differ: zones, directions, central meridians, units. */
const DIFFERENCE =
  /^(\d+[a-z]?|[nsew]|[ivx]+|zones?|cm|fips|feet|ftus|ft|m|us|north(ern)?|south(ern)?|east(ern)?|west(ern)?|central|nord|sud|est|ouest|centre|norte|sur|este|oeste|ne|nw|se|sw|mainland|island|offshore)$/;

/** What a CRS shares with its neighbouring zones, or null where its name tells of none: "nad83|texas", "wgs 84|utm". */
function familyKey(name: string): string | null {
  const plain = name.replaceAll('_', ' ').replace(/\([^)]*\)/g, ' ');
  const at = plain.indexOf(' / ');
  const datum =
    at < 0
      ? ''
      : plain
          .slice(0, at)
          .trim()
          .toLowerCase()
          .replace(/ v\d+$/, '');
  const kept = (at < 0 ? plain : plain.slice(at + 3))
    .toLowerCase()
    .split(/[\s,]+/)
    .map((word) => word.replace(/\/\d+$/, '').replace(/^([a-z]+)\d+$/, '$1'))
    .filter((word) => word !== '' && word !== '-' && !DIFFERENCE.test(word));
  return kept.length === 0 ? null : `${datum}|${kept.join(' ')}`;
}

let families: Map<string, CrsRecord[]> | null = null;

/** The other projected CRSs of the same family, deprecated ones left out; the family of a UTM zone has 120. */
export function neighboursOf(claim: CrsRecord): readonly CrsRecord[] {
  families ??= groupedBy(
    allCrs().filter((record) => record.kind === 'projected' && !record.deprecated),
    ({ name }) => familyKey(name),
  );
  const key = familyKey(claim.name);
  return key === null ? [] : (families.get(key) ?? []).filter((record) => record.id !== claim.id);
}

/** How many zones lie between two members: 0 for the same ground, 1 for the next zone or the other hemisphere. */
export function zonesApart(a: CrsRecord, b: CrsRecord): number {
  if (!a.area || !b.area) return 2;
  const middle = (box: typeof a.area & object) => box[0] + lonSpan(box) / 2;
  const turned = (((middle(a.area) - middle(b.area)) % 360) + 540) % 360;
  const across = Math.abs(turned - 180) / Math.max(1, Math.min(lonSpan(a.area), lonSpan(b.area)));
  const is_other_half = Math.sign(a.area[1] + a.area[3]) !== Math.sign(b.area[1] + b.area[3]);
  return Math.round(across) + (is_other_half ? 1 : 0);
}

export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

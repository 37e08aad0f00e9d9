import { aliasesOf, allCrs, type CrsKind, type CrsRecord } from './registry';

/** Which record a name means that several bear: 'WGS 84' is a 2D, a 3D and a geocentric CRS. Best first. */
const KINDS: readonly CrsKind[] = [
  'geographic_2d',
  'projected',
  'geographic_3d',
  'compound',
  'geocentric',
  'vertical',
  'other',
];
const AUTHORITIES = ['EPSG', 'OGC', 'ESRI', 'IGNF'];

interface Names {
  /** By the name in lower case. */
  exact: Map<string, Named>;
  /** By letters and digits alone, so that `_`, `/` and blanks are the same. */
  squeezed: Map<string, Named>;
}

interface Named {
  record: CrsRecord;
  rank: number;
}

let loaded: Names | null = null;

/** The record that bears a name or another name, in any case and with `_` for blanks; or null. */
export function recordByName(name: string): CrsRecord | null {
  loaded ??= readNames();
  const found = loaded.exact.get(name.trim().toLowerCase()) ?? loaded.squeezed.get(squeeze(name));
  return found?.record ?? null;
}

function squeeze(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function readNames(): Names {
  const names: Names = { exact: new Map(), squeezed: new Map() };
  for (const record of allCrs()) {
    const rank = rankOf(record);
    add(names, record.name, { record, rank });
    // As GDAL writes it into WKT.
    if (record.deprecated) keepBest(names.exact, `${record.name} (deprecated)`.toLowerCase(), { record, rank });
    // Its own name before another's second one.
    for (const alias of aliasesOf(record.id)) add(names, alias, { record, rank: rank + 1 });
  }
  return names;
}

function add(names: Names, name: string, named: Named): void {
  keepBest(names.exact, name.toLowerCase(), named);
  keepBest(names.squeezed, squeeze(name), named);
}

function keepBest(index: Map<string, Named>, key: string, named: Named): void {
  const before = index.get(key);
  if (key !== '' && (!before || named.rank < before.rank)) index.set(key, named);
}

/** Smaller is better: still valid, then the authority, then the kind. */
function rankOf({ id, kind, deprecated }: CrsRecord): number {
  const authority = AUTHORITIES.indexOf(id.slice(0, id.indexOf(':')));
  return (deprecated ? 1000 : 0) + authority * 100 + KINDS.indexOf(kind) * 10;
}

import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import type { CellCount, FoldLimits, IndexFold, Instant, PageOrder, TileAddress, TilePoint } from '@/lib/index/answers';
import { type ComboRow, type EntryRow, INDEX_FACETS, type IndexFacet, type IndexQuery } from '@/lib/index/query';
import { columnsBetween, rowsBetween } from '@/lib/index/z-order';

type Row = EntryRow & { of: ComboRow };
const DAY_US = 86_400_000_000;
const AXIS_START = Date.UTC(2000, 0, 1) * 1000;

/** The same answers as the index's, from a plain list and nothing but loops over it. */
export class NaiveIndex {
  readonly #combos = new Map<number, ComboRow>();
  readonly #rows = new Map<number, Row>();

  addCombo(row: ComboRow): void {
    this.#combos.set(row.id, row);
  }

  put(row: EntryRow): void {
    this.#rows.set(row.entry_id, { ...row, of: this.#combos.get(row.combo)! });
  }

  remove(entry_id: number): void {
    this.#rows.delete(entry_id);
  }

  get size(): number {
    return this.#rows.size;
  }

  fold(query: IndexQuery, limits: FoldLimits): IndexFold {
    const rows = [...this.#rows.values()];
    const hits = rows.filter((row) => matches(row, query));
    const timeless = rows.filter((row) => matches(row, { ...query, since_us: undefined, until_us: undefined }));
    const on_axis = timeless.filter((row) => isOnAxis(row.failed_at_us, query.now_us));
    const cells = hits.map((row) => shown(row, query)).filter((cell) => cell !== null);
    const seconds = on_axis.map((row) => Math.floor(Number(row.failed_at_us) / DAY_US) * 86_400);
    return {
      total: hits.length,
      depth: rows.filter((row) => row.state !== 'resolved').length,
      facets: Object.fromEntries(
        INDEX_FACETS.map((facet) => [facet, facetOf(rows, query, facet, limits.facet_values)]),
      ) as IndexFold['facets'],
      not_mapped: counted(hits.filter((row) => shown(row, query) === null).map(reasonOf)).map(({ value, count }) => ({
        reason: value!,
        count,
      })),
      extent: extentOf(cells),
      grid: [...groups(cells, (cell) => Math.floor(cell / 2 ** 38))]
        .map(([cell, all]) => ({ cell, count: all.length }))
        .sort((a, b) => a.cell - b.cell),
      first_s: seconds.length > 0 ? Math.min(...seconds) : null,
      last_s: seconds.length > 0 ? Math.max(...seconds) : null,
      days: daysOf(on_axis),
      versions: versionsOf(on_axis, limits.versions),
      signatures: signaturesOf(hits, query, limits.signatures),
    };
  }

  page(query: IndexQuery, { dir, limit, after }: PageOrder): number[] {
    const way = dir === 'asc' ? 1 : -1;
    return this.#hits(query)
      .sort((a, b) => way * compareRows(a, b))
      .filter((row) => !after || way * compareRows(row, after) > 0)
      .slice(0, limit)
      .map((row) => row.entry_id);
  }

  count(query: IndexQuery): number {
    return this.#hits(query).length;
  }

  ids(query: IndexQuery): number[] {
    return this.#hits(query).map((row) => row.entry_id);
  }

  cells(query: IndexQuery, tile: TileAddress, deeper: number): CellCount[] {
    const size = 4 ** (26 - tile.z - deeper);
    const groups_of = groups(this.#inTile(query, tile), (row) => Math.floor(shown(row, query)! / size));
    return [...groups_of].map(([cell, rows]) => ({
      col: place(cell).x,
      row: place(cell).y,
      total: rows.length,
      classes: Uint32Array.from(FAILURE_CLASSES, (word) => rows.filter((row) => row.of.failure_class === word).length),
      other: rows.filter((row) => !(FAILURE_CLASSES as readonly string[]).includes(row.of.failure_class)).length,
      reopened: rows.filter((row) => row.reopened).length,
    }));
  }

  points(query: IndexQuery, tile: TileAddress, most: number): TilePoint[] {
    return this.#inTile(query, tile)
      .sort((a, b) => compareRows(b, a))
      .slice(0, most)
      .map((row) => ({
        entry_id: row.entry_id,
        cell: shown(row, query)!,
        failure_class: row.of.failure_class,
        reopened: row.reopened,
        state: row.state,
      }));
  }

  #hits(query: IndexQuery): Row[] {
    return [...this.#rows.values()].filter((row) => matches(row, query));
  }

  #inTile(query: IndexQuery, { z, x, y }: TileAddress): Row[] {
    return this.#hits(query).filter((row) => {
      const cell = shown(row, query);
      if (cell === null) return false;
      const at = place(cell);
      const size = 2 ** (26 - z);
      return Math.floor(at.x / size) === x && Math.floor(at.y / size) === y;
    });
  }
}

function shown(row: EntryRow, query: IndexQuery): number | null {
  return query.true_positions ? row.cell : row.public_cell;
}

/** Bit by bit. */
export function place(cell: number): { x: number; y: number } {
  let [x, y] = [0, 0];
  for (let bit = 0, rest = cell; rest > 0; bit += 1, rest = Math.floor(rest / 4)) {
    x += (rest % 2) * 2 ** bit;
    y += (Math.floor(rest / 2) % 2) * 2 ** bit;
  }
  return { x, y };
}

function matches(row: Row, query: IndexQuery, without?: IndexFacet): boolean {
  const { conditions, states, since_us, until_us, entry_ids } = query;
  if (without !== 'state' && !states.includes(row.state)) return false;
  for (const field of [...INDEX_FACETS, 'unmappable_reason'] as const) {
    if (field === 'state' || field === without) continue;
    if (!takes(conditions[field] ?? [], textIn(row, field))) return false;
  }
  if (conditions.mappable !== undefined && (row.of.unmappable_reason === null) !== conditions.mappable) return false;
  if (conditions.sensitive !== undefined && row.of.sensitive !== conditions.sensitive) return false;
  if (conditions.reopened !== undefined && row.reopened !== conditions.reopened) return false;
  if (since_us !== undefined && row.failed_at_us < since_us) return false;
  if (until_us !== undefined && row.failed_at_us >= until_us) return false;
  if (entry_ids && !entry_ids.includes(row.entry_id)) return false;
  return !conditions.bbox || isInBbox(shown(row, query), conditions.bbox);
}

function textIn(row: Row, field: IndexFacet | 'unmappable_reason'): string | null {
  if (field === 'state') return row.state;
  const value = row.of[field];
  return value === null ? null : String(value);
}

function takes(conditions: readonly string[], value: string | null): boolean {
  const one = (condition: string) => {
    if (condition.includes('\0')) return false;
    if (condition === '∅') return value === null;
    if (value === null) return false;
    return condition.endsWith('*') ? value.startsWith(condition.slice(0, -1)) : value === condition;
  };
  const included = conditions.filter((condition) => !condition.startsWith('!'));
  const excluded = conditions.filter((condition) => condition.startsWith('!'));
  if (excluded.some((condition) => one(condition.slice(1)))) return false;
  return included.length === 0 || included.some(one);
}

function isInBbox(cell: number | null, [west, south, east, north]: readonly [number, number, number, number]): boolean {
  if (cell === null) return false;
  const { x, y } = place(cell);
  const within = (value: number, [first, last]: [number, number]) => value >= first && value <= last;
  if (!within(y, rowsBetween(south, north))) return false;
  if (west <= east) return within(x, columnsBetween(west, east));
  return within(x, columnsBetween(west, 180)) || within(x, columnsBetween(-180, east));
}

function isOnAxis(at: Instant, now_us: number): boolean {
  return at >= AXIS_START && at < now_us + DAY_US;
}

export function compareRows(
  a: { failed_at_us: Instant; entry_id: number },
  b: { failed_at_us: Instant; entry_id: number },
): number {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number can be the same instant
  if (a.failed_at_us == b.failed_at_us) return a.entry_id - b.entry_id;
  return a.failed_at_us < b.failed_at_us ? -1 : 1;
}

/** By the bytes of UTF-8, as PostgreSQL's "C" collation. */
function compareBytes(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function groups<Item, Key>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item[]> {
  const all = new Map<Key, Item[]>();
  for (const item of items) {
    const of_key = all.get(key(item));
    if (of_key) of_key.push(item);
    else all.set(key(item), [item]);
  }
  return all;
}

function counted(values: readonly (string | null)[]): { value: string | null; count: number }[] {
  return [...groups(values, (value) => value)]
    .map(([value, all]) => ({ value, count: all.length }))
    .sort((a, b) => b.count - a.count || compareBytes(a.value, b.value));
}

function facetOf(rows: readonly Row[], query: IndexQuery, facet: IndexFacet, limit: number) {
  const all = counted(rows.filter((row) => matches(row, query, facet)).map((row) => textIn(row, facet)));
  return { values: all.slice(0, limit), distinct: all.length };
}

function reasonOf({ of }: Row): string {
  return of.unmappable_reason ?? (of.sensitive ? 'sensitive' : 'not_diagnosed');
}

function extentOf(cells: readonly number[]): IndexFold['extent'] {
  if (cells.length === 0) return null;
  const xs = cells.map((cell) => place(cell).x);
  const ys = cells.map((cell) => place(cell).y);
  const lon = (x: number) => ((x + 0.5) / 2 ** 26) * 360 - 180;
  const lat = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 0.5)) / 2 ** 26))) * 180) / Math.PI;
  return [lon(Math.min(...xs)), lat(Math.max(...ys)), lon(Math.max(...xs)), lat(Math.min(...ys))];
}

function daysOf(rows: readonly Row[]): IndexFold['days'] {
  const keyed = groups(rows, (row) =>
    JSON.stringify([Math.floor(Number(row.failed_at_us) / DAY_US), row.of.failure_class]),
  );
  return [...keyed]
    .map(([key, all]) => {
      const [day, failure_class] = JSON.parse(key) as [number, string];
      return { day, failure_class, count: all.length };
    })
    .sort((a, b) => a.day - b.day || compareBytes(a.failure_class, b.failure_class));
}

function versionsOf(rows: readonly Row[], limit: number): IndexFold['versions'] {
  return [...groups(rows, (row) => row.of.code_version)]
    .flatMap(([code_version, all]) =>
      code_version === null
        ? []
        : [{ code_version, first_seen_us: Math.min(...all.map((row) => Number(row.failed_at_us))) }],
    )
    .sort((a, b) => b.first_seen_us - a.first_seen_us || -compareBytes(a.code_version, b.code_version))
    .slice(0, limit)
    .sort((a, b) => a.first_seen_us - b.first_seen_us || compareBytes(a.code_version, b.code_version));
}

/** A number within 1900 … 2079, a bigint beyond. */
function formed(at: Instant): Instant {
  if (typeof at === 'bigint' || !Number.isFinite(at)) return at;
  return at >= Date.UTC(1900, 0, 2) * 1000 && at < Date.UTC(2079, 5, 6) * 1000 ? at : BigInt(at);
}

function signaturesOf(hits: readonly Row[], query: IndexQuery, limit: number): IndexFold['signatures'] {
  return counted(hits.map((row) => row.of.signature))
    .slice(0, limit)
    .map(({ value, count }) => {
      const rows = hits.filter((row) => row.of.signature === value);
      const newest = (of: readonly Row[]) => of.toSorted(compareRows).at(-1)!.failed_at_us;
      const plain = rows.filter((row) => !row.of.sensitive);
      const example_at = newest(!query.true_positions && plain.length > 0 ? plain : rows);
      const example = rows
        .filter((row) => compareRows({ ...row, entry_id: 0 }, { failed_at_us: example_at, entry_id: 0 }) === 0)
        .sort((a, b) => Number(a.of.sensitive) - Number(b.of.sensitive) || b.entry_id - a.entry_id)[0]!;
      return {
        signature: value!,
        count,
        failed_at_us: formed(newest(rows)),
        example_id: example.entry_id,
        example_at_us: formed(example_at),
      };
    });
}

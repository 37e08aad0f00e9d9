import fc from 'fast-check';
import { type LonLat, polygonProblem } from '@/lib/contract/area-polygon';
import { type Filter, NO_VALUE } from '@/lib/contract/filter';
import type { ParamCondition, ParamScalar } from '@/lib/contract/param-condition';
import { paramPathText, readParamPath } from '@/lib/contract/param-path';
import { searchWords } from '@/lib/contract/search-words';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { blankRow, type Row } from './rows';

/** An entry with a shape that JavaScript can judge too: a point, a line or a simple ring. */
export interface SearchRow extends Row {
  shape: { ring: LonLat[]; kind: 'point' | 'line' | 'area' } | null;
}

/** The conditions that search adds, as a plain predicate: what the SQL must agree with. */
export function isFound(row: SearchRow, filter: Filter, role: Role): boolean {
  const { source_uri, q, params, polygon } = filter;
  const searched = source_uri ?? q ?? params ?? polygon;
  if (searched !== undefined && role === 'viewer' && row.sensitive) return false;
  if (source_uri && !hasSource(row.source_uris ?? [], source_uri)) return false;
  if (q !== undefined && !hasWords([row.error_text, row.traceback], q)) return false;
  if (params && !params.every((one) => holds(row.params ?? undefined, one))) return false;
  if (polygon && !(row.shape && [-360, 0, 360].some((by) => touches(row.shape, polygon, by)))) return false;
  return true;
}

function hasSource(own: readonly string[], wanted: readonly string[]): boolean {
  const is = (one: string) =>
    one === NO_VALUE
      ? own.length === 0
      : own.some((uri) => (one.endsWith('*') ? uri.startsWith(one.slice(0, -1)) : uri === one));
  const included = wanted.filter((one) => !one.startsWith('!'));
  const excluded = wanted.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  return (included.length === 0 || included.some(is)) && !excluded.some(is);
}

function hasWords(texts: (string | null | undefined)[], q: string): boolean {
  const lower = texts.map((text) => (text ?? '').toLowerCase());
  return searchWords(q).every((word) => lower.some((text) => text.includes(word.toLowerCase())));
}

function holds(params: unknown, { path, op, value }: ParamCondition): boolean {
  const found = at(params, readParamPath(path) ?? []);
  const equals = (one: ParamScalar) => found !== undefined && found === one;
  if (op === 'exists') return found !== undefined;
  if (op === '=') return equals(value as ParamScalar);
  if (op === '!=') return !equals(value as ParamScalar);
  if (op === 'in') return (value as ParamScalar[]).some(equals);
  if (typeof found !== typeof value || (typeof found !== 'number' && typeof found !== 'string')) return false;
  const [a, b] =
    typeof found === 'string' ? [codePoints(found), codePoints(value as string)] : [found, value as number];
  return op === '<' ? a < b : op === '<=' ? a <= b : op === '>' ? a > b : a >= b;
}

/** Such that the order of texts is that of their code points. */
const codePoints = (text: string): string =>
  [...text].map((one) => one.codePointAt(0)?.toString(16).padStart(6, '0')).join('');

function at(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return /^[+-]?\d+$/.test(step) ? inner.at(Number(step)) : undefined;
    if (typeof inner !== 'object' || inner === null) return undefined;
    return Object.hasOwn(inner, step) ? (inner as Record<string, unknown>)[step] : undefined;
  }, value);
}

/** Whether a shape, moved by some degrees, touches what lies inside the ring by the even-odd rule. */
function touches(shape: SearchRow['shape'], ring: readonly LonLat[], by: number): boolean {
  if (!shape) return false;
  const own = shape.ring.map(([x, y]): LonLat => [x + by, y]);
  if (own.some((point) => isInside(point, ring))) return true;
  if (shape.kind === 'area' && ring.some((point) => isInside(point, own))) return true;
  const edges = sides(own, shape.kind === 'area');
  return shape.kind !== 'point' && edges.some(([a, b]) => sides(ring, true).some(([c, d]) => cross(a, b, c, d)));
}

function sides(points: readonly LonLat[], closed: boolean): [LonLat, LonLat][] {
  const next = (index: number) => points[(index + 1) % points.length] as LonLat;
  return points.map((point, index): [LonLat, LonLat] => [point, next(index)]).slice(0, closed ? points.length : -1);
}

function isInside([x, y]: LonLat, ring: readonly LonLat[]): boolean {
  let inside = false;
  for (const [[ax, ay], [bx, by]] of sides(ring, true))
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  return inside;
}

function cross(a: LonLat, b: LonLat, c: LonLat, d: LonLat): boolean {
  const side = ([px, py]: LonLat, [qx, qy]: LonLat, [x, y]: LonLat) =>
    Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}

const HOSTILE = ["'; drop table dlq.entry; --", '100%', 'a_b', 'a\\', '"$1"', '{x}', 'Ü→é', '🗺', '$.a ? (@ > 1)'];
/** Longer than an index entry takes. */
const LONG = `https://h/${'x'.repeat(4000)}`;
const URIS = [
  's3://bucket/2026/a.tif',
  's3://bucket/2026/b.tif',
  's3://bucket/2025/a.tif',
  'file.tif',
  LONG,
  ...HOSTILE,
];
const SENTENCES = [
  'TopologyException: side location conflict at 5 5',
  'HTTP 503 from tile server',
  'Side Effects',
  'no CRS',
  'ab',
  ...HOSTILE,
];
const NAMES = ['zoom', 'mode', 'a.b', '0', '1', '-1', 'in', ...HOSTILE];
const scalar: fc.Arbitrary<ParamScalar> = fc.oneof(
  fc.constantFrom<ParamScalar>(0, 1, 3, 3.5, -2, 1e-7, '', '3', 'cubic', 'nearest', true, false, null),
  fc.constantFrom(...HOSTILE),
);
const params = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4 }),
}));
/** No vertex lies on an edge between whole degrees: there, what touches is decided by the last bit. */
const point = fc
  .tuple(fc.integer({ min: -1790, max: 1790 }), fc.integer({ min: -850, max: 850 }))
  .map(([x, y]): LonLat => [x / 10 + 0.01234, y / 10 + 0.05678]);
/** A point, a line, or a triangle about a point, within the world. */
const shape = fc
  .record({
    centre: point,
    kind: fc.constantFrom('point' as const, 'line' as const, 'area' as const),
    turns: fc.tuple(
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.double({ min: 2.1, max: 4, noNaN: true }),
      fc.double({ min: 4.1, max: 6.2, noNaN: true }),
    ),
    size: fc.constantFrom(0.5, 3),
  })
  .map(({ centre: [x, y], kind, turns, size }) => ({
    kind,
    ring: turns
      .slice(0, kind === 'point' ? 1 : kind === 'line' ? 2 : 3)
      .map((turn): LonLat => [Math.max(-180, Math.min(180, x + size * Math.cos(turn))), y + size * Math.sin(turn)]),
  }));

function wktOf({ kind, ring }: { kind: string; ring: LonLat[] }): string {
  const text = (points: LonLat[]) => points.map(([x, y]) => `${x} ${y}`).join(',');
  if (kind === 'point') return `POINT(${text(ring)})`;
  return kind === 'line' ? `LINESTRING(${text(ring)})` : `POLYGON((${text([...ring, ring[0] as LonLat])}))`;
}

export const someSearchRows = (count: number): fc.Arbitrary<SearchRow[]> =>
  fc.tuple(...Array.from({ length: count }, (_, index) => searchRow(index + 1)));

function searchRow(number: number): fc.Arbitrary<SearchRow> {
  return fc
    .record({
      sensitive: fc.boolean(),
      error_text: fc.option(fc.constantFrom(...SENTENCES)),
      traceback: fc.option(
        fc.tuple(fc.constantFrom(...SENTENCES), fc.constantFrom(...SENTENCES)).map((lines) => lines.join('\n')),
      ),
      source_uris: fc.option(fc.array(fc.constantFrom(...URIS), { maxLength: 3 })),
      params: fc.option(fc.oneof(params.object, params.object, params.value)),
      shape: fc.option(shape),
      valid: fc.constantFrom(true, false, null),
    })
    .map((row) => ({ ...blankRow(number), ...row, footprint: row.shape && wktOf(row.shape) }));
}

/** Rings that may cross themselves and the 180° meridian; of round numbers, so that no two edges are nearly the same. */
const polygon = fc
  .tuple(
    fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -30, max: 30 })),
    fc.uniqueArray(fc.tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -59, max: 59 })), {
      minLength: 3,
      maxLength: 7,
      selector: String,
    }),
  )
  .map(([[x, y], vertices]) => vertices.map(([dx, dy]): LonLat => [x + dx, y + dy]))
  .filter((ring) => polygonProblem(ring) === null && !ring.some((_, index) => isStraight(ring, index)));

/** Whether the ring goes straight on or back at a vertex: GEOS leaves out what has no area. */
function isStraight(ring: LonLat[], index: number): boolean {
  const [[ax, ay], [bx, by], [cx, cy]] = [0, 1, 2].map((step) => ring[(index + step) % ring.length]) as [
    LonLat,
    LonLat,
    LonLat,
  ];
  return (bx - ax) * (cy - ay) === (by - ay) * (cx - ax);
}

const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map(paramPathText);
const paramCondition: fc.Arbitrary<ParamCondition> = fc
  .tuple(
    path,
    scalar,
    fc.constantFrom<ParamCondition['op']>('=', '!=', '<', '<=', '>', '>=', 'in', 'exists'),
    fc.array(scalar, { minLength: 1, maxLength: 3 }),
  )
  .map(([path, value, op, list]) => {
    if (op === 'exists') return { path, op };
    if (op === 'in') return { path, op, value: list };
    if (op === '=' || op === '!=' || typeof value === 'number' || typeof value === 'string') return { path, op, value };
    return { path, op, value: 'cubic' };
  });

/** A filter of one or two of the conditions that search adds. */
export const someSearch: fc.Arbitrary<Filter> = fc
  .record({
    source_uri: fc.array(
      fc
        .tuple(
          fc.constantFrom('', '!'),
          fc.oneof(
            fc.constantFrom(...URIS.filter((uri) => uri !== LONG), NO_VALUE),
            fc
              .tuple(fc.constantFrom(...URIS), fc.nat(20))
              .map(([uri, length]) => `${[...uri].slice(0, length).join('')}*`),
          ),
        )
        .map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    ),
    q: fc
      .array(
        fc
          .tuple(fc.constantFrom(...SENTENCES), fc.nat(12), fc.integer({ min: 1, max: 9 }))
          .map(([text, from, length]) =>
            [...text]
              .slice(from, from + length)
              .join('')
              .replaceAll('"', ''),
          ),
        { minLength: 1, maxLength: 3 },
      )
      .map((words) => words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' '))
      .filter((q) => searchWords(q).length > 0),
    params: fc.array(paramCondition, { minLength: 1, maxLength: 2 }),
    polygon,
  })
  .chain((all) =>
    fc
      .subarray(Object.keys(all), { minLength: 1, maxLength: 2 })
      .map((keep): Filter => Object.fromEntries(Object.entries(all).filter(([key]) => keep.includes(key)))),
  );

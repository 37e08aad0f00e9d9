import type { GeometryTree, NotGeometry } from './geometry-tree';
import {
  CIRCULAR_STRING,
  COMPOUND_CURVE,
  CURVE_POLYGON,
  GEOMETRY_COLLECTION,
  GEOMETRY_TYPE_NAMES,
  HAS_M,
  HAS_Z,
  isCurveType,
  LINE_STRING,
  MULTI_CURVE,
  MULTI_LINE_STRING,
  MULTI_POINT,
  MULTI_POLYGON,
  MULTI_SURFACE,
  POINT,
  POLYGON,
  POLYHEDRAL_SURFACE,
  strideOf,
  TIN,
  TRIANGLE,
} from './geometry-type';
import { WktScanner, WktSyntaxError } from './wkt-scanner';

export { WktSyntaxError };

const TYPE_OF_WORD = new Map<string, number>(
  GEOMETRY_TYPE_NAMES.flatMap((name, type): [string, number][] =>
    type === 0 || name === 'Curve' || name === 'Surface' ? [] : [[name.toUpperCase(), type]],
  ),
);

/** The type of a member that is written without its name. */
const PLAIN_MEMBER = new Map<number, number>([
  [MULTI_POINT, POINT],
  [MULTI_LINE_STRING, LINE_STRING],
  [MULTI_POLYGON, POLYGON],
  [COMPOUND_CURVE, LINE_STRING],
  [CURVE_POLYGON, LINE_STRING],
  [MULTI_CURVE, LINE_STRING],
  [MULTI_SURFACE, POLYGON],
  [POLYHEDRAL_SURFACE, POLYGON],
  [TIN, TRIANGLE],
]);

/** Reads one WKT geometry into a tree; throws WktSyntaxError. Without a Z or M word the first position settles both. */
export class WktParser {
  private readonly scan: WktScanner;
  private dims: number | null = null;

  constructor(
    text: string,
    from: number,
    private readonly max_depth: number,
  ) {
    this.scan = new WktScanner(text, from);
  }

  parse(): GeometryTree {
    const tree = this.tagged(0);
    this.scan.end();
    return settleDims(tree, this.dims ?? 0);
  }

  private tagged(depth: number): GeometryTree {
    if (depth > this.max_depth) this.fail(`geometries nest deeper than ${this.max_depth}`, 'nesting_too_deep');
    const word = this.scan.word();
    const dimension = /^(.+?)(ZM|Z|M)$/.exec(word);
    const whole = TYPE_OF_WORD.get(word);
    const type = whole ?? TYPE_OF_WORD.get(dimension?.[1] ?? '');
    if (type === undefined) this.fail(word ? `${word} is not a geometry type` : 'a geometry type is missing');
    const tag = whole === undefined ? (dimension?.[2] ?? '') : this.scan.optionalWord(['ZM', 'Z', 'M']);
    if (tag) this.settle((tag.includes('Z') ? HAS_Z : 0) | (tag.includes('M') ? HAS_M : 0));
    return this.body(type, depth);
  }

  private settle(dims: number): void {
    if (this.dims !== null && this.dims !== dims) this.fail('Z and M differ between parts');
    this.dims = dims;
  }

  private body(type: number, depth: number): GeometryTree {
    if (this.scan.optionalWord(['EMPTY'])) return { type, dims: 0, coords: [], rings: [], parts: [] };
    this.scan.open();
    if (type === POINT) {
      const coords = this.position([]);
      this.scan.close();
      return { type, dims: 0, coords };
    }
    if (type === LINE_STRING || type === CIRCULAR_STRING) return { type, dims: 0, coords: this.positions() };
    if (type === POLYGON || type === TRIANGLE) {
      const rings = this.members(() => {
        if (this.scan.optionalWord(['EMPTY'])) return [];
        this.scan.open();
        return this.positions();
      });
      return { type, dims: 0, rings };
    }
    return { type, dims: 0, parts: this.members(() => this.member(type, depth + 1)) };
  }

  private member(parent: number, depth: number): GeometryTree {
    const plain = PLAIN_MEMBER.get(parent);
    if (parent === GEOMETRY_COLLECTION || plain === undefined) return this.tagged(depth);
    if (parent === MULTI_POINT && this.scan.atNumber()) return { type: POINT, dims: 0, coords: this.position([]) };
    const is_named = isCurveType(parent) && this.scan.atWord() && !this.scan.atWord('EMPTY');
    return is_named ? this.tagged(depth) : this.body(plain, depth);
  }

  private members<T>(read: () => T): T[] {
    const members = [read()];
    while (this.scan.comma()) members.push(read());
    this.scan.close();
    return members;
  }

  /** The opening bracket is read already. */
  private positions(): number[] {
    const coords: number[] = [];
    do this.position(coords);
    while (this.scan.comma());
    this.scan.close();
    return coords;
  }

  private position(coords: number[]): number[] {
    const before = coords.length;
    while (this.scan.atNumber() && coords.length - before < 5) coords.push(this.scan.number());
    const count = coords.length - before;
    if (count < 2 || count > 4) this.fail(`a position needs 2 to 4 numbers, this has ${count > 4 ? 'more' : count}`);
    this.dims ??= count === 4 ? HAS_Z | HAS_M : count === 3 ? HAS_Z : 0;
    const expected = strideOf(this.dims);
    if (count !== expected) this.fail(`a position of ${count} numbers among positions of ${expected}`);
    return coords;
  }

  private fail(message: string, code: NotGeometry['code'] = 'not_a_geometry'): never {
    throw new WktSyntaxError(message, this.scan.offset, code);
  }
}

function settleDims(tree: GeometryTree, dims: number): GeometryTree {
  tree.dims = dims;
  for (const part of tree.parts ?? []) settleDims(part, dims);
  return tree;
}

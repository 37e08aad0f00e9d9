import { PbfWriter } from 'pbf';

/** Tile units on a side. */
export const EXTENT = 4096;

/** Field numbers of the vector tile specification 2.1, as far as points need them. */
const TILE_LAYER = 3;
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 };
const FEATURE = { id: 1, tags: 2, type: 3, geometry: 4 };
const VALUE = { string: 1, uint: 5 };
const POINT = 1;
/** The command “move to”, once. */
const MOVE_TO = 9;

/** What a feature says of a key. Numbers are whole and not negative. */
export type PointValue = string | number;

/**
 * Writes a tile of one layer of points: a key and a value that several features have are written once. Features keep
 * the order in which they are added.
 */
export class PointLayer {
  readonly #name: string;
  readonly #features = new PbfWriter(new Uint8Array(16_384));
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<PointValue, number>();
  readonly #tags: number[] = [];
  readonly #geometry = [MOVE_TO, 0, 0];
  #id: number | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  /** Says a value of the feature that `add` ends. */
  tag(key: string, value: PointValue): void {
    this.#tags.push(placeOf(this.#keys, key), placeOf(this.#values, value));
  }

  /** Adds a point at tile units (x, y), with the tags said since the last one. @param id whole, below 2^53. */
  add(id: number | null, x: number, y: number): void {
    this.#id = id;
    this.#geometry[1] = zigzag(x);
    this.#geometry[2] = zigzag(y);
    this.#features.writeMessage(LAYER.feature, this.#writeFeature, null);
    this.#tags.length = 0;
  }

  /** The tile's bytes; none where no feature was added. */
  bytes(): Uint8Array {
    if (this.#features.pos === 0) return new Uint8Array(0);
    const tile = new PbfWriter(new Uint8Array(this.#features.pos + 1_024));
    tile.writeMessage(TILE_LAYER, this.#writeLayer, null);
    return tile.finish();
  }

  readonly #writeFeature = (_: null, to: PbfWriter): void => {
    if (this.#id !== null) to.writeVarintField(FEATURE.id, this.#id);
    to.writePackedVarint(FEATURE.tags, this.#tags);
    to.writeVarintField(FEATURE.type, POINT);
    to.writePackedVarint(FEATURE.geometry, this.#geometry);
  };

  readonly #writeLayer = (_: null, to: PbfWriter): void => {
    to.writeStringField(LAYER.name, this.#name);
    const features = this.#features.buf.subarray(0, this.#features.pos);
    to.realloc(features.length);
    to.buf.set(features, to.pos);
    to.pos += features.length;
    for (const key of this.#keys.keys()) to.writeStringField(LAYER.key, key);
    for (const value of this.#values.keys()) to.writeMessage(LAYER.value, writeValue, value);
    to.writeVarintField(LAYER.extent, EXTENT);
    to.writeVarintField(LAYER.version, 2);
  };
}

function writeValue(value: PointValue, to: PbfWriter): void {
  if (typeof value === 'string') to.writeStringField(VALUE.string, value);
  else to.writeVarintField(VALUE.uint, value);
}

/** Where it stands among those named before; a new one is the last. */
function placeOf<Name>(places: Map<Name, number>, name: Name): number {
  const known = places.get(name);
  if (known !== undefined) return known;
  places.set(name, places.size);
  return places.size - 1;
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

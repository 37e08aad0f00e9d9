/** A vector tile as plain objects: what a map client would draw, and nothing of how. */
export interface MvtFeature {
  id: number | null;
  type: 'point' | 'line' | 'polygon' | 'unknown';
  properties: Record<string, string | number | boolean>;
  /** Every vertex in tile units, in order. */
  vertices: [number, number][];
}

export interface MvtLayer {
  extent: number;
  features: MvtFeature[];
}

type Field = { number: number; value: number; bytes: Buffer };

/** The layers of a tile by name. Throws on bytes that are no tile. */
export function readMvt(tile: Buffer): Record<string, MvtLayer> {
  return Object.fromEntries(fieldsOf(tile).map(({ bytes }) => layerOf(fieldsOf(bytes))));
}

function layerOf(fields: Field[]): [string, MvtLayer] {
  const all = (number: number) => fields.filter((field) => field.number === number);
  const keys = all(3).map(({ bytes }) => bytes.toString('utf8'));
  const values = all(4).map(({ bytes }) => tagValue(fieldsOf(bytes)));
  const features = all(2).map(({ bytes }) => featureOf(fieldsOf(bytes), keys, values));
  return [all(1)[0]?.bytes.toString('utf8') ?? '', { extent: all(5)[0]?.value ?? 4096, features }];
}

function featureOf(fields: Field[], keys: string[], values: (string | number | boolean)[]): MvtFeature {
  const one = (number: number) => fields.find((field) => field.number === number);
  const tags = varintsOf(one(2)?.bytes ?? Buffer.alloc(0));
  const properties: MvtFeature['properties'] = {};
  for (let i = 0; i < tags.length; i += 2) properties[keys[tags[i] ?? -1] ?? '?'] = values[tags[i + 1] ?? -1] ?? '?';
  const types = ['unknown', 'point', 'line', 'polygon'] as const;
  return {
    id: one(1)?.value ?? null,
    type: types[one(3)?.value ?? 0] ?? 'unknown',
    properties,
    vertices: verticesOf(varintsOf(one(4)?.bytes ?? Buffer.alloc(0))),
  };
}

/** Commands: 1 move to, 2 line to, 7 close; coordinates are zigzag differences. */
function verticesOf(numbers: number[]): [number, number][] {
  const vertices: [number, number][] = [];
  let [x, y, at] = [0, 0, 0];
  while (at < numbers.length) {
    const command = numbers[at++] ?? 0;
    if (command % 8 === 7) continue;
    for (let left = Math.floor(command / 8); left > 0; left--) {
      x += zigzag(numbers[at++] ?? 0);
      y += zigzag(numbers[at++] ?? 0);
      vertices.push([x, y]);
    }
  }
  return vertices;
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function tagValue(fields: Field[]): string | number | boolean {
  const field = fields[0];
  if (!field) throw new Error('a value without content');
  if (field.number === 1) return field.bytes.toString('utf8');
  if (field.number === 2) return field.bytes.readFloatLE();
  if (field.number === 3) return field.bytes.readDoubleLE();
  if (field.number === 6) return zigzag(field.value);
  return field.number === 7 ? field.value === 1 : field.value;
}

function varintsOf(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [value, next] = varint(bytes, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
}

function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error('the tile ends inside a number');
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return [value, at + 1];
  }
}

function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, start] = varint(bytes, at);
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) {
      const [value, next] = varint(bytes, start);
      fields.push({ number, value, bytes: Buffer.alloc(0) });
      at = next;
    } else {
      const [length, begin] = wire === 2 ? varint(bytes, start) : [wire === 1 ? 8 : 4, start];
      if (begin + length > bytes.length) throw new Error('the tile ends inside a field');
      fields.push({ number, value: 0, bytes: bytes.subarray(begin, begin + length) });
      at = begin + length;
    }
  }
  return fields;
}

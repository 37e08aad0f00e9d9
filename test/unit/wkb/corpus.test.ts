import { describe, expect, it } from 'vitest';
import { GEOMETRY_TYPE_NAMES } from '@/lib/wkb/geometry-type';
import { readWkb } from '@/lib/wkb/read-wkb';
import { isStructurallySound, type WkbReading } from '@/lib/wkb/reading';
import { expectConsistent } from './consistent';
import { corpus, type Encoding, SRID } from './corpus';

const CORPUS = corpus();

/** Bit for bit, so that one NaN is not as good as another number. */
const bits = (numbers: Float64Array | readonly number[]) => {
  const { buffer, byteOffset, byteLength } = numbers instanceof Float64Array ? numbers : Float64Array.from(numbers);
  return Buffer.from(buffer, byteOffset, byteLength);
};
/** Hundreds of thousands of readings: 3 s on a quiet core, many times that beside other work. */
const MANY_MS = 120_000;
const changed = ({ bytes }: Encoding, change: (view: DataView) => void): Uint8Array => {
  const copy = bytes.slice();
  change(new DataView(copy.buffer));
  return copy;
};
const structure = ({ type_code, has_z, has_m, part_count, parts, error, trailing_bytes }: WkbReading) => ({
  type_code,
  has_z,
  has_m,
  part_count,
  parts: [...parts],
  error,
  trailing_bytes,
});

describe('every encoding', () => {
  it('there are seventeen types in four dimensions, filled and empty, in three flavours and three orders', () => {
    expect(CORPUS).toHaveLength(17 * 4 * 2 * 3 * 3);
    expect(new Set(CORPUS.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).size).toBeGreaterThan(
      17 * 4 * 2 * 3 * 2,
    );
  });

  it('is read whole: type, dimensions, SRID and every number, bit for bit', () => {
    for (const one of CORPUS) {
      const reading = readWkb(one.bytes);
      expect(reading.error, one.name).toBeNull();
      expect(isStructurallySound(reading), one.name).toBe(true);
      expect(reading, one.name).toMatchObject({
        type_code: one.type,
        type_name: GEOMETRY_TYPE_NAMES[one.type],
        has_z: one.has_z,
        has_m: one.has_m,
        srid: one.flavour === 'ewkb_srid' ? SRID : null,
        vertex_count: one.vertex_count,
        is_empty: one.empty && one.type !== 1,
      });
      expect(bits(reading.coords), one.name).toEqual(bits(one.numbers));
      const fails = reading.findings.filter(({ severity }) => severity === 'fails').map(({ code }) => code);
      expect(fails, one.name).toEqual(one.empty && one.type === 1 ? ['non_finite_vertex'] : []);
    }
  });

  it('says the same whatever the order of its bytes', () => {
    for (let i = 0; i < CORPUS.length; i += 3) {
      const [little, big, mixed] = CORPUS.slice(i, i + 3).map(({ bytes }) => readWkb(bytes));
      expect(big, CORPUS[i]?.name).toEqual(little);
      expect(mixed, CORPUS[i]?.name).toEqual(little);
    }
  });
});

describe('bytes that end too soon', () => {
  it(
    'at every offset of every encoding the error names a byte, and the numbers are the first of the whole',
    () => {
      let cuts = 0;
      for (const one of CORPUS) {
        // the three orders have the same bytes in other places
        if (one.order !== 'mixed' && one.flavour !== 'ewkb_srid') continue;
        const all = bits(one.numbers);
        let before = 0;
        for (let length = 0; length < one.bytes.length; length += 1) {
          const { error, coords, trailing_bytes } = readWkb(one.bytes.subarray(0, length));
          if (error?.code !== 'truncated' || !(error.offset >= 0 && error.offset <= length) || trailing_bytes !== 0)
            expect.fail(`${one.name} cut to ${length}: ${JSON.stringify(error)}`);
          if (coords.length < before || !bits(coords).equals(all.subarray(0, coords.byteLength)))
            expect.fail(`${one.name} cut to ${length}: ${coords.length} numbers that are not its first ones`);
          before = coords.length;
          cuts += 1;
        }
        expect(one.numbers.length - before, one.name).toBeLessThan(2 + Number(one.has_z) + Number(one.has_m) + 1);
      }
      expect(cuts).toBeGreaterThan(60_000);
    },
    MANY_MS,
  );
});

describe('counts that lie', () => {
  it(
    'at every count of every encoding a huge one is an error at a byte, without room for what is not there',
    () => {
      let bombs = 0;
      for (const one of CORPUS)
        for (const { kind, offset, little } of one.fields) {
          if (kind !== 'count') continue;
          for (const count of [0xffffffff, 0x7fffffff, 0x10000000, 65_535]) {
            const reading = expectConsistent(changed(one, (view) => view.setUint32(offset, count, little)));
            expect(reading.error, `${one.name}, count at ${offset}`).not.toBeNull();
            // an inner one may leave bytes that are read as another header first
            if (one.fields.filter((field) => field.kind === 'count')[0]?.offset === offset)
              expect(reading.error, one.name).toMatchObject({ code: 'truncated', offset });
            bombs += 1;
          }
        }
      expect(bombs).toBeGreaterThan(5000);
    },
    MANY_MS,
  );

  it('no count makes it reserve memory: 20,000 bombs let the process grow by less than 64 MB', () => {
    const { bytes } = CORPUS.find(
      ({ type, order, flavour, empty }) => type === 3 && order === 'little' && flavour === 'iso' && !empty,
    )!;
    const bomb = bytes.slice();
    new DataView(bomb.buffer).setUint32(9, 0xffffffff, true);
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 20_000; i += 1)
      if (readWkb(bomb).coords.byteLength > bomb.length) expect.fail('more numbers than bytes');
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(64);
  });
});

describe('nesting', () => {
  /** Collections in one another, each of one part, around a Point; each level in the other byte order. */
  const nested = (depth: number): Uint8Array => {
    const bytes = new Uint8Array(depth * 9 + 21);
    const view = new DataView(bytes.buffer);
    for (let level = 0; level <= depth; level += 1) {
      const little = level % 2 === 0;
      view.setUint8(level * 9, Number(little));
      view.setUint32(level * 9 + 1, level === depth ? 1 : 7, little);
      if (level < depth) view.setUint32(level * 9 + 5, 1, little);
    }
    return bytes;
  };

  it('64 deep is read, 65 is refused at the byte where it goes too deep, and 100,000 as well', () => {
    expect(readWkb(nested(64))).toMatchObject({ error: null, vertex_count: 1, part_count: 65 });
    for (const depth of [65, 66, 1000, 100_000])
      expect(expectConsistent(nested(depth)).error, `${depth}`).toMatchObject({
        code: 'nesting_too_deep',
        offset: 65 * 9,
      });
  });
});

describe('16 MB of nothing', () => {
  const SIZE = 16_000_000;
  /** A header with a count, then as many of `part` as fit. */
  const full = (type: number, part: number[]): Uint8Array => {
    const count = Math.floor((SIZE - 9) / part.length);
    const bytes = new Uint8Array(9 + count * part.length);
    bytes.set([1, type, 0, 0, 0]);
    new DataView(bytes.buffer).setUint32(5, count, true);
    for (let at = 9; at < bytes.length; at += part.length) bytes.set(part, at);
    return bytes;
  };

  it.each([
    ['empty polygons', 6, [1, 3, 0, 0, 0, 0, 0, 0, 0]],
    ['empty collections', 7, [0, 0, 0, 0, 7, 0, 0, 0, 0]],
    ['empty rings', 3, [0, 0, 0, 0]],
    ['polygons of one empty ring', 6, [1, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]],
  ])('of %s is capped, within twice the input and three seconds at the worst', (_, type, part) => {
    const bytes = full(type, part);
    const before = process.cpuUsage();
    const { error, parts, coords } = readWkb(bytes);
    const { user, system } = process.cpuUsage(before);
    expect(error).toMatchObject({ code: 'capped' });
    expect(parts.byteLength + coords.byteLength).toBeLessThanOrEqual(2 * bytes.length + 65_536);
    // 250 ms on a quiet core
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});

describe('one flipped bit', () => {
  const flipped = CORPUS.filter(
    ({ order, flavour, empty, has_z, has_m }) =>
      order === 'mixed' && flavour === 'ewkb_srid' && !empty && has_z && has_m,
  );
  const flip = (one: Encoding, offset: number, bit: number) =>
    changed(one, (view) => view.setUint8(offset + (bit >> 3), view.getUint8(offset + (bit >> 3)) ^ (1 << (bit & 7))));

  it(
    'in a number changes that number alone, and in the SRID the SRID alone',
    () => {
      let flips = 0;
      for (const one of flipped) {
        const whole = readWkb(one.bytes);
        const before = bits(one.numbers);
        let number = -1;
        for (const { kind, offset, length } of one.fields) {
          if (kind === 'number') number += 1;
          if (kind !== 'number' && kind !== 'srid') continue;
          for (let bit = 0; bit < length * 8; bit += 1) {
            const reading = readWkb(flip(one, offset, bit));
            const place: string = `${one.name}, bit ${bit} of ${kind} at ${offset}`;
            const read = bits(reading.coords);
            const expected = kind === 'number' ? number * 8 : null;
            if (read.length !== before.length) expect.fail(`${place}: ${read.length / 8} numbers`);
            const first = read.findIndex((byte, n) => byte !== before[n]);
            const same_before = expected === null ? first === -1 : first >= expected && first < expected + 8;
            const same_after = expected === null || read.subarray(expected + 8).equals(before.subarray(expected + 8));
            if (!same_before || !same_after) expect.fail(`${place}: byte ${first} of the numbers differs`);
            if (kind === 'srid' && reading.srid === SRID) expect.fail(`${place}: the SRID is as before`);
            if (bit === 0) expect(structure(reading), place).toEqual(structure(whole));
            flips += 1;
          }
        }
      }
      expect(flips).toBeGreaterThan(30_000);
    },
    MANY_MS,
  );

  it(
    'in an order, a type or a count never throws, and is a consistent reading',
    () => {
      let flips = 0;
      for (const one of flipped)
        for (const { kind, offset, length } of one.fields) {
          if (kind === 'number' || kind === 'srid') continue;
          for (let bit = 0; bit < length * 8; bit += 1) {
            expectConsistent(flip(one, offset, bit));
            flips += 1;
          }
        }
      expect(flips).toBeGreaterThan(3_000);
    },
    MANY_MS,
  );
});

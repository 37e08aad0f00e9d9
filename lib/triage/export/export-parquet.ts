import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { TriageContext } from '../triage-context';
import { type ColumnKind, cellOf, TYPED_COLUMNS } from './column-kinds';
import type { Exported } from './export-rows';
import { type Feature, featuresOf } from './features';

/** GeoParquet 1.1: no `crs` means OGC:CRS84, which is lon,lat; no geometry types listed means any. */
const GEO = {
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: [], edges: 'planar' } },
};

/** Rows of a group, unless their footprints are more than so many bytes: the file's end lists every group, and is held until then. */
const GROUP_ROWS = 4_000;
const GROUP_BYTES = 8_000_000;

const TYPES: Record<ColumnKind, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  moment: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: TYPED_COLUMNS.length + 1 },
  { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  ...TYPED_COLUMNS.map(({ name, kind }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...TYPES[kind] })),
];

/** GeoParquet of the footprints as WKB in lon,lat, a row group at a time. */
export async function* exportParquet(
  ctx: Pick<TriageContext, 'db'>,
  pages: AsyncIterable<Exported[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: SCHEMA,
    kvMetadata: [{ key: 'geo', value: JSON.stringify(GEO) }],
    createdBy: 'Dead Letter Office',
  });
  const written = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let group: Feature[] = [];
  let bytes = 0;
  for await (const features of featuresOf(ctx, pages, { with_source: false })) {
    for (const feature of features) {
      group.push({ ...feature, geometry: null });
      bytes += feature.wkb?.length ?? 0;
    }
    if (group.length < GROUP_ROWS && bytes < GROUP_BYTES) continue;
    await parquet.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    yield written();
    group = [];
    bytes = 0;
  }
  if (group.length > 0) await parquet.write({ columnData: columnsOf(group), rowGroupSize: group.length });
  await parquet.finish();
  yield written();
}

function columnsOf(features: readonly Feature[]) {
  return [
    { name: 'geometry', data: features.map(({ wkb }) => wkb), statistics: false, offsetIndex: false },
    ...TYPED_COLUMNS.map(({ name, kind }) => ({
      name,
      data: features.map((feature) => {
        const value = cellOf(feature, name, kind);
        return kind === 'moment' && value !== null ? microseconds(String(value)) : value;
      }),
      offsetIndex: false,
    })),
  ];
}

/** Of an ISO text with six digits of a second, which a Date would cut to three. */
function microseconds(iso: string): bigint {
  const micros = /\.\d{3}(\d{3})/.exec(iso)?.[1] ?? '0';
  return BigInt(Date.parse(iso)) * 1000n + BigInt(micros);
}

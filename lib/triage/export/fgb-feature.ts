import { Builder } from 'flatbuffers';
import { magicbytes } from 'flatgeobuf/lib/mjs/constants.js';
import { Column } from 'flatgeobuf/lib/mjs/flat-geobuf/column.js';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { Crs } from 'flatgeobuf/lib/mjs/flat-geobuf/crs.js';
import { Feature as FgbFeature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import { Geometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import { type ColumnKind, cellOf, TYPED_COLUMNS } from './column-kinds';
import type { Feature } from './features';
import type { GeoJsonGeometry } from './rings';

const TYPES: Record<ColumnKind, ColumnType> = {
  text: ColumnType.String,
  integer: ColumnType.Int,
  number: ColumnType.Double,
  moment: ColumnType.DateTime,
};

/** The beginning of a file: any geometries, how many is not known yet, no index. */
export function fgbHeader(): Uint8Array {
  const builder = new Builder();
  const columns = TYPED_COLUMNS.map(({ name, kind }) => {
    const text = builder.createString(name);
    Column.startColumn(builder);
    Column.addName(builder, text);
    Column.addType(builder, TYPES[kind]);
    return Column.endColumn(builder);
  });
  const column_list = Header.createColumnsVector(builder, columns);
  const name = builder.createString('dead_letters');
  const org = builder.createString('EPSG');
  Crs.startCrs(builder);
  Crs.addOrg(builder, org);
  Crs.addCode(builder, 4326);
  const crs = Crs.endCrs(builder);
  Header.startHeader(builder);
  Header.addName(builder, name);
  Header.addGeometryType(builder, GeometryType.Unknown);
  Header.addColumns(builder, column_list);
  Header.addFeaturesCount(builder, 0n);
  Header.addIndexNodeSize(builder, 0);
  Header.addCrs(builder, crs);
  builder.finishSizePrefixed(Header.endHeader(builder));
  return Buffer.concat([magicbytes, builder.asUint8Array()]);
}

/** Used again for each feature: a new one for each is a new array of bytes for each. */
const shared = new Builder(65_536);

/** A feature with its size before it; one without a footprint has no geometry. */
export function fgbFeature(feature: Feature): Uint8Array {
  const builder = shared;
  builder.clear();
  const properties = FgbFeature.createPropertiesVector(builder, propertiesOf(feature));
  const geometry = feature.geometry ? geometryOf(builder, feature.geometry) : 0;
  FgbFeature.startFeature(builder);
  if (geometry) FgbFeature.addGeometry(builder, geometry);
  FgbFeature.addProperties(builder, properties);
  builder.finishSizePrefixed(FgbFeature.endFeature(builder));
  return builder.asUint8Array().slice();
}

let scratch = Buffer.allocUnsafe(65_536);

/** Of each property that is there: the number of its column, then its value; a text with its length before it. */
function propertiesOf(feature: Feature): Uint8Array {
  let end = 0;
  TYPED_COLUMNS.forEach(({ name, kind }, i) => {
    const value = cellOf(feature, name, kind);
    if (value === null) return;
    // a UTF-16 unit is three bytes at most
    const most = end + 10 + (typeof value === 'string' ? 3 * value.length : 0);
    if (most > scratch.length) scratch = Buffer.concat([scratch], 2 * most);
    end = scratch.writeUInt16LE(i, end);
    if (typeof value === 'string') {
      const length = scratch.write(value, end + 4, 'utf8');
      end = scratch.writeUInt32LE(length, end) + length;
    } else if (kind === 'integer') end = scratch.writeInt32LE(value, end);
    else end = scratch.writeDoubleLE(value, end);
  });
  return scratch.subarray(0, end);
}

type Position = number[];

/** @returns the offset of the geometry's table in the builder. */
function geometryOf(builder: Builder, geometry: GeoJsonGeometry): number {
  const type = GeometryType[geometry.type];
  switch (geometry.type) {
    case 'GeometryCollection':
      return parted(builder, type, geometry.geometries);
    case 'MultiPolygon':
      return parted(
        builder,
        type,
        geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates })),
      );
    case 'Polygon':
      return run(builder, type, geometry.coordinates);
    case 'MultiLineString':
      return run(builder, type, geometry.coordinates as Position[][]);
    case 'Point':
      return run(builder, type, [[geometry.coordinates as Position]]);
    default:
      return run(builder, type, [geometry.coordinates as Position[]]);
  }
}

function parted(builder: Builder, type: GeometryType, parts: readonly GeoJsonGeometry[]): number {
  const list = Geometry.createPartsVector(
    builder,
    parts.map((part) => geometryOf(builder, part)),
  );
  Geometry.startGeometry(builder);
  Geometry.addType(builder, type);
  Geometry.addParts(builder, list);
  return Geometry.endGeometry(builder);
}

/** Lines or rings one after the other, with the vertex after each one's last where there are several. */
function run(builder: Builder, type: GeometryType, lines: readonly Position[][]): number {
  const vertices = lines.flat().filter((position) => position.length >= 2);
  const xy = new Float64Array(vertices.length * 2);
  vertices.forEach(([x = 0, y = 0], i) => {
    xy[2 * i] = x;
    xy[2 * i + 1] = y;
  });
  let end = 0;
  const ends = Uint32Array.from(lines, (line) => {
    end += line.length;
    return end;
  });
  const end_list = lines.length > 1 ? Geometry.createEndsVector(builder, ends) : 0;
  const xy_list = Geometry.createXyVector(builder, xy);
  Geometry.startGeometry(builder);
  if (end_list) Geometry.addEnds(builder, end_list);
  Geometry.addXy(builder, xy_list);
  Geometry.addType(builder, type);
  return Geometry.endGeometry(builder);
}

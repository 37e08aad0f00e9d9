import proj4 from 'proj4';
import { CrsMismatchError, ReprojectionError } from '../pipeline-errors';
import { type KnownCrs, knownCrs, twinInFeet } from '../sources/crs-registry';
import { distanceKm, tileBounds } from '../tiles';
import { atLeast } from '../versions';
import { type Bbox, bboxOf, bboxText, mapVertices, readWkb } from '../vertices';
import type { Work } from '../work';

/** Half a tile of grace around the tile of a feature, in degrees of a z14 tile. */
const TILE_GRACE_DEG = 0.02;

/** Reprojects a feature to its target and checks that it lies where its CRS and its tile say. Returns GeoJSON. */
export function reprojectParcels(work: Work, version: string) {
  const source = sourceCrs(work, version);
  const target = knownCrs(work.target_crs, version);
  const toDegrees = proj4(source?.proj ?? (work.src_crs as string), 'EPSG:4326');
  const toTarget = target && proj4('EPSG:4326', target.proj);

  let geometry = readWkb(work.geom_wkb ?? '');
  if (atLeast(version, '2.14.1') && work.params.axis_order === 'yx') {
    geometry = mapVertices(geometry, ([x, y, ...rest]) => [y ?? Number.NaN, x ?? Number.NaN, ...rest]);
  }
  const lonlat = mapVertices(geometry, (vertex) => toDegrees.forward(vertex));
  const projected = toTarget ? mapVertices(lonlat, (vertex) => toTarget.forward(vertex)) : lonlat;

  assertFinite(bboxOf(projected), target?.code ?? 'EPSG:4326');
  if (source) assertInAreaOfUse(bboxOf(lonlat), source);
  assertInTile(bboxOf(lonlat), work);
  return projected;
}

/** 2.14.1 believes the unit that the layer itself declares over the unit of the claimed code. */
function sourceCrs(work: Work, version: string): KnownCrs | undefined {
  const claimed = knownCrs(work.src_crs, version);
  if (!claimed || !atLeast(version, '2.14.1') || work.params.layer_unit !== 'us-ft') return claimed;
  return twinInFeet(claimed) ?? claimed;
}

function assertFinite(box: Bbox, code: string): void {
  if (box.every(Number.isFinite)) return;
  throw new ReprojectionError(`reprojection to ${code} gave bounds ${bboxText(box)}`);
}

function assertInAreaOfUse([west, south, east, north]: Bbox, crs: KnownCrs): void {
  const [w, s, e, n] = crs.area_of_use;
  if (west >= w - 1 && south >= s - 1 && east <= e + 1 && north <= n + 1) return;
  throw new CrsMismatchError(
    `bounds ${bboxText([west, south, east, north])} lie outside area of use of ${crs.code} (${crs.name})`,
  );
}

function assertInTile(box: Bbox, work: Work): void {
  const { tile_z, tile_x, tile_y } = work;
  if (tile_z === null || tile_x === null || tile_y === null) return;
  const [w, s, e, n] = tileBounds({ tile_z, tile_x, tile_y });
  const grace = TILE_GRACE_DEG;
  if (box[0] <= e + grace && box[2] >= w - grace && box[1] <= n + grace && box[3] >= s - grace) return;
  const away = distanceKm((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (w + e) / 2, (s + n) / 2);
  throw new CrsMismatchError(
    `bounds ${bboxText(box)} miss tile ${tile_z}/${tile_x}/${tile_y} by ${away.toFixed(0)} km`,
  );
}

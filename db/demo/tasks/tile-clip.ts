import proj4 from 'proj4';
import { fromJts, intersection, toJts } from '../jts';
import { ReprojectionError } from '../pipeline-errors';
import { trueDefinition } from '../sources/crs-registry';
import { tileBounds } from '../tiles';
import { bboxOf, bboxText, mapVertices, readWkb, rectangle } from '../vertices';
import type { Work } from '../work';

/** The Mercator square ends here, with a metre of grace. */
const MERCATOR_EDGE_M = 20_037_509.4;

/** Clips an outline in degrees to its tile and projects the cut to the tile's Mercator metres. */
export function tileClip(work: Work) {
  const outline = toJts(readWkb(work.geom_wkb ?? ''));
  const bounds = tileBounds({
    tile_z: work.tile_z ?? 0,
    tile_x: work.tile_x ?? 0,
    tile_y: work.tile_y ?? 0,
  });
  // The polar rows hold everything to the pole, so that nothing of a country is in no tile.
  if (bounds[1] < -85) bounds[1] = -90;
  const cut = fromJts(intersection(outline, toJts(rectangle(bounds))));
  const projection = proj4('EPSG:4326', trueDefinition('EPSG:3857'));
  const projected = mapVertices(cut, (vertex) => projection.forward(vertex));
  const box = bboxOf(projected);
  if (!box.every((value) => Math.abs(value) <= MERCATOR_EDGE_M)) {
    throw new ReprojectionError(`bounds ${bboxText(box, 0)} leave the square of EPSG:3857`);
  }
  return projected;
}

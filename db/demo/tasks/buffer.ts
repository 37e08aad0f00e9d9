import proj4 from 'proj4';
import { buffer as bufferOf, fromJts, toJts } from '../jts';
import { knownCrs } from '../sources/crs-registry';
import { mapVertices, readWkb } from '../vertices';
import type { Work } from '../work';

/** Grows a feature by a distance in metres, in the UTM zone that its params name. Returns GeoJSON in that zone. */
export function buffer(work: Work, version: string) {
  const source = knownCrs(work.src_crs, version);
  const zone = `+proj=utm +zone=${work.params.utm_zone} +datum=WGS84 +units=m ${work.params.south ? '+south ' : ''}+no_defs`;
  const toZone = proj4(source?.proj ?? (work.src_crs as string), zone);
  const inMetres = mapVertices(readWkb(work.geom_wkb ?? ''), (vertex) => toZone.forward(vertex));
  return fromJts(bufferOf(toJts(inMetres), Number(work.params.distance_m)));
}

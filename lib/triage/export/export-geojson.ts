import type { TriageContext } from '../triage-context';
import type { Exported } from './export-rows';
import { type Feature, featuresOf } from './features';
import { rightHanded } from './rings';

/**
 * RFC 7946: the footprint, in lon,lat, with the columns as properties, and the source's own bytes beside it as hex in
 * `geom_wkb`. An entry without a footprint is a feature without a geometry, as is one whose footprint is no GeoJSON: then
 * `geometry_omitted` says why.
 */
export async function* exportGeoJson(
  ctx: Pick<TriageContext, 'db'>,
  pages: AsyncIterable<Exported[]>,
): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let between = '\n';
  for await (const features of featuresOf(ctx, pages, { with_source: true })) {
    yield between + features.map(featureText).join(',\n');
    between = ',\n';
  }
  yield '\n]}\n';
}

function featureText({ row, geometry, geometry_omitted, source_wkb }: Feature): string {
  const properties = { ...row, geom_wkb: source_wkb?.toString('hex') ?? null };
  const text = JSON.stringify(geometry && rightHanded(geometry));
  return `{"type":"Feature","id":${JSON.stringify(row.id)},"geometry":${text},"properties":${JSON.stringify(geometry_omitted === null ? properties : { ...properties, geometry_omitted })}}`;
}

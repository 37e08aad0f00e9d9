import type { TriageContext } from '../triage-context';
import type { Exported } from './export-rows';
import { featuresOf } from './features';
import { fgbFeature, fgbHeader } from './fgb-feature';

/**
 * FlatGeobuf of the footprints, in lon,lat. Without its spatial index, which is written before the features and hence needs
 * them all in memory; a reader that wants one makes it (`ogr2ogr indexed.fgb dead-letters.fgb`).
 */
export async function* exportFgb(
  ctx: Pick<TriageContext, 'db'>,
  pages: AsyncIterable<Exported[]>,
): AsyncGenerator<Uint8Array> {
  yield fgbHeader();
  for await (const features of featuresOf(ctx, pages, { with_source: false }))
    yield Buffer.concat(features.map(fgbFeature));
}

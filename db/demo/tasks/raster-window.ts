import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromArrayBuffer } from 'geotiff';
import { WindowError } from '../pipeline-errors';
import type { Sources } from '../sources/open-sources';
import type { Work } from '../work';

/** Mean elevation of a window of a GeoTIFF, nodata left out. */
export async function rasterWindow(work: Work, _version: string, sources: Sources): Promise<number | null> {
  const bytes = await readFile(join(sources.raster_dir, work.source_uris?.[0] ?? ''));
  const tiff = await fromArrayBuffer(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
  const image = await tiff.getImage(Number(work.params.overview));
  const { col_off = 0, row_off = 0, width = 0, height = 0 } = work.source_window ?? {};
  if (col_off >= image.getWidth() || row_off >= image.getHeight()) {
    throw new WindowError(
      `window at ${col_off},${row_off} lies outside a raster of ${image.getWidth()}×${image.getHeight()}`,
    );
  }
  const [band] = await image.readRasters({
    window: [col_off, row_off, col_off + width, row_off + height],
    samples: [Number(work.params.band) - 1],
  });
  if (!band || typeof band === 'number') return null;
  const nodata = Number(work.nodata);
  let sum = 0;
  let count = 0;
  for (const value of band) {
    if (value === nodata || Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : sum / count;
}

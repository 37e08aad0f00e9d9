import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArrayBuffer } from 'geotiff';

/** A raster of the pipeline's store: its upper left corner and pixel size in degrees. */
export interface RasterFile {
  uri: string;
  west: number;
  north: number;
  pixel_deg: number;
  size: number;
}

export const RASTERS: readonly RasterFile[] = [
  { uri: 'dem/us-northeast.tif', west: -82, north: 45, pixel_deg: 0.08, size: 128 },
  { uri: 'dem/us-southwest.tif', west: -120, north: 41, pixel_deg: 0.08, size: 128 },
  { uri: 'dem/alps.tif', west: 5, north: 48.5, pixel_deg: 0.08, size: 96 },
  { uri: 'dem/andes.tif', west: -75, north: -10, pixel_deg: 0.16, size: 96 },
];

/** Files that a mirror left behind: one whose download was cut, one that is the mirror's sign-in page. */
export const BROKEN_RASTERS = ['dem/himalaya.tif', 'dem/new-zealand.tif'] as const;
/** In the catalogue, not in the store. */
export const MISSING_RASTERS = ['dem/iceland.tif', 'dem/caucasus.tif'] as const;

/** Writes the demo's GeoTIFFs (32-bit elevations in metres, nodata −9999) below a directory. */
export async function writeRasters(directory: string): Promise<void> {
  await mkdir(join(directory, 'dem'), { recursive: true });
  for (const raster of RASTERS) await writeFile(join(directory, raster.uri), await geotiffOf(raster));
  const whole = await geotiffOf({ uri: BROKEN_RASTERS[0], west: 80, north: 30, pixel_deg: 0.08, size: 128 });
  await writeFile(join(directory, BROKEN_RASTERS[0]), whole.subarray(0, 9000));
  await writeFile(join(directory, BROKEN_RASTERS[1]), '<!doctype html><title>Sign in to the mirror</title>');
}

async function geotiffOf({ west, north, pixel_deg, size }: RasterFile): Promise<Buffer> {
  const values = new Float32Array(size * size);
  for (let i = 0; i < values.length; i += 1) values[i] = elevation(i % size, Math.floor(i / size), west);
  const bytes = await writeArrayBuffer(values, {
    width: size,
    height: size,
    ModelPixelScale: [pixel_deg, pixel_deg, 0],
    ModelTiepoint: [0, 0, 0, west, north, 0],
    GeographicTypeGeoKey: 4326,
    GTModelTypeGeoKey: 2,
    GDAL_NODATA: '-9999',
  });
  return Buffer.from(bytes);
}

/** Two crossing ridges over a plain, with a lake of nodata in one corner. */
function elevation(col: number, row: number, west: number): number {
  if (col < 6 && row < 6) return -9999;
  return Math.round(400 + 300 * Math.sin((col + west) / 9) + 250 * Math.cos(row / 7) + ((col * 31 + row * 17) % 23));
}

import type { Random } from '../random';
import { cities } from '../sources/atlas';
import { extractWkb } from '../sources/extract';
import { BROKEN_RASTERS, MISSING_RASTERS, RASTERS } from '../sources/rasters';
import { tileAt, tileBounds } from '../tiles';
import { atLeast } from '../versions';
import { rectangle } from '../vertices';
import { NO_SOURCE, type Work } from '../work';
import { digits, many, type Stream, type Unit } from './stream';

const NO_TILE = { tile_z: null, tile_x: null, tile_y: null } as const;

/** The elevation range of a tile from the upstream. Half of the jobs carry the tile's outline, half only its number. */
function elevationTile(random: Random): Unit {
  const city = random.pick(cities());
  const tile = tileAt(city.lon, city.lat, random.whole(9, 12));
  const path = `${tile.tile_z}/${tile.tile_x}/${tile.tile_y}`;
  const key = `elevation/${path}`;
  const outlined = random.chance(0.55);
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'fetch_upstream',
      geom_wkb: outlined ? extractWkb(rectangle(tileBounds(tile)), version) : null,
      srid: outlined ? 4326 : null,
      src_crs: outlined ? 'EPSG:4326' : null,
      source_uris: [`https://elevation.example.org/v2/${path}.json`],
      ...tile,
      params: {
        service: 'elevation',
        api_version: 'v2',
        product: 'range',
        datum: 'EGM96',
        timeout_ms: 30_000,
        retries_spent: 4,
        near: city.name,
      },
    }),
  };
}

/** A window of a raster, by reference. Job sheets are written by hand: bands, overviews and offsets that are not there. */
function rasterJob(random: Random): Unit {
  const raster = random.pick(RASTERS);
  const fault = random.next();
  const uri = fault < 0.22 ? random.pick(BROKEN_RASTERS) : fault < 0.34 ? random.pick(MISSING_RASTERS) : raster.uri;
  const off = fault > 0.34 && fault < 0.55 ? raster.size + random.whole(0, 400) : random.whole(0, raster.size - 40);
  const col_off = off;
  const row_off = random.whole(0, raster.size - 40);
  const nodata = random.chance(0.15) ? 'NaN' : '-9999';
  const job_sheet = `sheet-${digits(random, 3)}`;
  const huge = fault > 0.55 && fault < 0.6;
  const size = huge ? 400_000 : random.whole(16, 40);
  const key = `dem/${uri.slice(4, -4)}/${col_off}/${row_off}/${size}`;
  const lon = raster.west + col_off * raster.pixel_deg;
  const lat = raster.north - row_off * raster.pixel_deg;
  return {
    work_key: key,
    extract: (): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'raster_window',
      src_crs: 'EPSG:4326',
      source_uris: [uri],
      source_window: { col_off, row_off, width: size, height: size },
      nodata,
      ...(uri === raster.uri ? tileAt(lon, lat, 9) : NO_TILE),
      params: {
        band: fault > 0.6 && fault < 0.72 ? 4 : 1,
        overview: fault > 0.72 && fault < 0.82 ? 3 : 0,
        statistic: 'mean',
        resampling: 'nearest',
        scale: 1,
        dtype: 'float32',
        job_sheet,
      },
    }),
  };
}

/** Mosaics of whole regions in a child process with a small heap; since 2.13.4 the sheet names a strip height. */
function mosaicJob(random: Random): Unit {
  const wide = random.chance(0.25);
  const cols = wide ? 60_000 : 6000 + random.whole(0, 20) * 100;
  const rows = 4000;
  const region = random.pick(['northeast', 'southwest', 'alps', 'andes']);
  const key = `mosaic/${region}/${digits(random, 4)}`;
  const uris = RASTERS.map(({ uri }) => uri);
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'mosaic',
      src_crs: 'EPSG:4326',
      source_uris: uris,
      nodata: '-9999',
      ...NO_TILE,
      params: {
        cols,
        rows,
        memory_limit_mb: 24,
        ...(atLeast(version, '2.13.4') ? { strip_rows: 64 } : {}),
        resampling: 'nearest',
        compress: 'deflate',
        blend: 'none',
        region,
      },
    }),
  };
}

/** Nights on which the upstream had an outage see more of its jobs fail; the number of jobs is the same. */
export const SERVICE_STREAMS: readonly Stream[] = [
  { name: 'elevation tiles', again: 0.4, units: (_, random) => many(28, random, () => elevationTile(random)) },
  { name: 'raster windows', again: 0.4, units: (_, random) => many(1.6, random, () => rasterJob(random)) },
  { name: 'mosaics', again: 0.2, units: (_, random) => many(0.45, random, () => mosaicJob(random)) },
];

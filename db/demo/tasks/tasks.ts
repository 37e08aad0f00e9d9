import type { Task, TaskName } from '../work';
import { buffer } from './buffer';
import { fetchUpstream } from './fetch-upstream';
import { mosaic } from './mosaic';
import { overlayZoning } from './overlay-zoning';
import { rasterWindow } from './raster-window';
import { reprojectParcels } from './reproject-parcels';
import { tileClip } from './tile-clip';

export const TASKS: Readonly<Record<TaskName, Task>> = {
  reproject_parcels: reprojectParcels,
  tile_clip: tileClip,
  overlay_zoning: overlayZoning,
  buffer,
  raster_window: rasterWindow,
  fetch_upstream: fetchUpstream,
  mosaic,
};

import { type Filter, filterToSearch } from '@/lib/contract/filter';
import { CELLS_MAX_ZOOM, TILE_LAYERS } from '@/lib/contract/triage';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import { OUTLINES_MIN_ZOOM } from './tile';

/** At zoom 16 a tile unit is 15 cm; clients enlarge tiles of this zoom beyond it. */
const MAX_ZOOM = 16;

const ENTRY_FIELDS = {
  id: 'String: the entry',
  failure_class: 'String: what broke',
  reopened: 'Number: 1 when it came back after a resolution',
  state: 'String: where it stands',
};

/** TileJSON 3.0 of a filter's tiles, for QGIS and others. @param origin of this server, e.g. `http://127.0.0.1:3000`. */
export function tileJson(filter: Filter, origin: string) {
  const search = filterToSearch(filter).toString();
  return {
    tilejson: '3.0.0',
    name: 'Dead letters',
    description: search === '' ? 'Every unresolved dead letter' : `Dead letters: ${search}`,
    scheme: 'xyz',
    tiles: [`${origin}/api/tiles/{z}/{x}/{y}${search === '' ? '' : `?${search}`}`],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    bounds: [-180, -85.0511, 180, 85.0511],
    vector_layers: [
      {
        id: TILE_LAYERS.cells,
        description: 'Entries counted in a grid of 32 × 32 a tile',
        minzoom: 0,
        maxzoom: CELLS_MAX_ZOOM,
        fields: {
          total: 'Number: entries',
          ...Object.fromEntries(FAILURE_CLASSES.map((word) => [word, 'Number: entries of this class'])),
          other: 'Number: entries of a class outside the vocabulary',
          reopened: 'Number: entries that came back after a resolution',
          cell: 'String: z/x/y of the grid cell',
        },
      },
      {
        id: TILE_LAYERS.points,
        description: 'The newest 5,000 entries of a tile',
        minzoom: CELLS_MAX_ZOOM + 1,
        maxzoom: MAX_ZOOM,
        fields: ENTRY_FIELDS,
      },
      {
        id: TILE_LAYERS.outlines,
        description: 'Footprints, where at most 500 match; rings as lines where a polygon has no area',
        minzoom: OUTLINES_MIN_ZOOM,
        maxzoom: MAX_ZOOM,
        fields: ENTRY_FIELDS,
      },
    ],
  };
}

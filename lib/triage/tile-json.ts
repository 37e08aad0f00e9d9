import { MAX_OUTLINES } from '@/db/queries/outlines-tile';
import { MAX_POINTS } from '@/db/queries/points-tile';
import { type Filter, filterToSearch } from '@/lib/contract/filter';
import { CELLS_MAX_ZOOM, TILE_LAYERS } from '@/lib/contract/triage';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import { OUTLINES_MIN_ZOOM } from './tile';

/** At zoom 16 a tile unit is 15 cm; clients enlarge tiles of this zoom beyond it. */
const MAX_ZOOM = 16;

/** Types alone, as clients read them (GDAL takes any other text for a string). What they mean stands in the descriptions. */
const ENTRY_FIELDS = { failure_class: 'String', reopened: 'Number', state: 'String' };
const ENTRY_MEANING = 'the feature’s id is the entry’s; reopened: 1 when it came back after a resolution';

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
        description:
          'Entries counted in a grid of 32 × 32 a tile: in all, of each class, of a class outside the vocabulary (other), those that came back after a resolution (reopened); cell: z/x/y of the grid cell',
        minzoom: 0,
        maxzoom: CELLS_MAX_ZOOM,
        fields: {
          total: 'Number',
          ...Object.fromEntries(FAILURE_CLASSES.map((word) => [word, 'Number'])),
          other: 'Number',
          reopened: 'Number',
          cell: 'String',
        },
      },
      {
        id: TILE_LAYERS.points,
        description: `The newest ${MAX_POINTS.toLocaleString('en-GB')} entries of a tile; ${ENTRY_MEANING}`,
        minzoom: CELLS_MAX_ZOOM + 1,
        maxzoom: MAX_ZOOM,
        fields: ENTRY_FIELDS,
      },
      {
        id: TILE_LAYERS.outlines,
        description: `Footprints, where at most ${MAX_OUTLINES} match, rings as lines where a polygon has no area; ${ENTRY_MEANING}`,
        minzoom: OUTLINES_MIN_ZOOM,
        maxzoom: MAX_ZOOM,
        fields: ENTRY_FIELDS,
      },
    ],
  };
}

import { CELL_ZOOM_OFFSET } from '@/lib/contract/triage';
import type { TriageIndex } from '@/lib/index/triage-index';
import { cellsLayer } from '@/lib/triage/mvt/cells-layer';
import { pointsLayer } from '@/lib/triage/mvt/points-layer';
import type { Query, TileAsk, Verb, Verbs } from './messages';

/** More points than these cover each other; the newest are kept. */
const MAX_POINTS = 5_000;

/** The answer of the index to a question, as of the moment `now_us`. */
export function answer(
  index: TriageIndex,
  verb: Verb,
  ask: Verbs[Verb]['ask'],
  now_us: number,
  revision: string,
): Verbs[Verb]['answer'] {
  const at = (query: Query) => ({ ...query, now_us });
  switch (verb) {
    case 'triage': {
      const { query, limits } = ask as Verbs['triage']['ask'];
      return { fold: index.fold(at(query), limits) };
    }
    case 'page': {
      const { query, page } = ask as Verbs['page']['ask'];
      return { ids: index.page(at(query), page) };
    }
    case 'ids': {
      const { query, most } = ask as Verbs['ids']['ask'];
      return { ids: index.ids(at(query), most) };
    }
    case 'tile': {
      const { query, address, layer, unless } = ask as TileAsk;
      if (unless.includes(revision)) return { mvt: null };
      if (layer === 'points') return { mvt: pointsLayer(index.points(at(query), address, MAX_POINTS), address) };
      return { mvt: cellsLayer(index.cells(at(query), address, CELL_ZOOM_OFFSET), address) };
    }
    case 'depth':
      return { by: index.states() };
    case 'revision':
      return {};
  }
}

import { marginOf } from './claim-fit';
import { typosOf } from './code-typos';
import { degreesFrom } from './geo-box';
import { type CrsRecord, crsOf } from './registry/registry';
import type { LonLat } from './sphere';
import { neighboursOf } from './zone-family';

/** Why the task's target cannot hold a place, with the CRS that was likely meant; null where it can. */
export function outsideTarget(target: CrsRecord, place: LonLat): string | null {
  if (!target.area || degreesFrom(target.area, place) <= marginOf(target)) return null;
  const where = target.area_name ? ` (${shortened(target.area_name)})` : '';
  const meant = likelyMeant(target, place);
  const advice = meant ? `; ${meant.id} (${meant.name}) may be meant` : '';
  return `The place is sound, but the target ${target.id}${where} cannot hold it${advice}.`;
}

/** A neighbouring zone that holds the place, else Web Mercator or a local CRS one digit away. */
function likelyMeant(target: CrsRecord, place: LonLat): CrsRecord | null {
  const holds = (record: CrsRecord) => record.area !== null && degreesFrom(record.area, place) === 0;
  const zone = neighboursOf(target).find(holds);
  if (zone) return zone;
  const [authority = '', code = ''] = target.id.split(':');
  const typos = typosOf(authority, code).filter(({ record, is_likely }) => is_likely && holds(record));
  const mercator = crsOf('EPSG:3857');
  const named = typos.map(({ record }) => record);
  if (mercator && named.includes(mercator)) return mercator;
  return named.length === 1 ? (named[0] ?? null) : null;
}

function shortened(name: string): string {
  const first = name.split(/[;.]/)[0]?.trim() ?? name;
  return first.length > 60 ? `${first.slice(0, 57)}…` : first;
}

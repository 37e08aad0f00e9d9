import { compassOf } from '@/lib/crs/distance-words';
import type { FaultPlace } from './fault-place.model';
import { coordinateText } from './number-text.model';
import type { Scene } from './scene.model';

export const counted = (n: number, one: string, many: string) => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** The type's name as it is said: `Polygon Z`. */
export function typeWords({ type_name, has_z, has_m }: Pick<Scene, 'type_name' | 'has_z' | 'has_m'>): string {
  return `${type_name ?? 'Geometry'}${has_z || has_m ? ' ' : ''}${has_z ? 'Z' : ''}${has_m ? 'M' : ''}`;
}

/** Where a place lies in the shape: `at the north-west`, `in the middle`. */
function sideOf(at: readonly [number, number], box: NonNullable<Scene['bbox']>): string {
  const side = (value: number, from: number, to: number) => {
    const half = to / 2 - from / 2;
    return half > 0 ? (value - (from / 2 + to / 2)) / half : 0;
  };
  const [dx, dy] = [side(at[0], box[0], box[2]), side(at[1], box[1], box[3])];
  return Math.hypot(dx, dy) < 0.35 ? 'in the middle' : `at the ${compassOf(dx, dy)}`;
}

/** The source pane in one sentence: type, vertices, rings, extent, place, faults by compass. */
export function sourceSentence(scene: Scene, places: readonly FaultPlace[]): string {
  const { vertex_count, ring_count, bbox, non_finite_count } = scene;
  const rings = ring_count > 0 ? ` in ${counted(ring_count, 'ring', 'rings')}` : '';
  const parts = [`${typeWords(scene)} of ${counted(vertex_count, 'vertex', 'vertices')}${rings}`];
  if (bbox) {
    const wide = coordinateText(bbox[2] - bbox[0], 9);
    const high = coordinateText(bbox[3] - bbox[1], 9);
    parts.push(
      ` about ${wide} by ${high} units, near x ${coordinateText(bbox[0] / 2 + bbox[2] / 2)} y ${coordinateText(bbox[1] / 2 + bbox[3] / 2)}`,
    );
  }
  if (non_finite_count > 0)
    parts.push(` ${counted(non_finite_count, 'vertex is', 'vertices are')} not finite and not drawn`);
  const listed = places.slice(0, 8).map(({ fault, at }) => {
    const word = fault.code.replaceAll('_', ' ');
    return at && bbox ? `${word} ${sideOf(at, bbox)}` : word;
  });
  const more = places.length > listed.length ? ` and ${places.length - listed.length} more` : '';
  const faults =
    listed.length > 0 ? ` ${counted(places.length, 'fault', 'faults')}: ${listed.join(', ')}${more}.` : ' No faults.';
  return `${parts.join(',')}.${faults}`;
}

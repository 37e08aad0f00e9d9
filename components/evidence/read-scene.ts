import { readWkb } from '@/lib/wkb/read-wkb';
import { buildScene, type Scene } from './scene.model';

/** The scene of a geometry's bytes, whatever they are. */
export function readScene(bytes: Uint8Array): Scene {
  // the faults come with the evidence: the reader need not list them again
  return buildScene(readWkb(bytes, { max_findings: 0 }));
}

import { bytesFromHex } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import { buildScene, type Scene } from './scene.model';

/** The scene of a geometry's hex; null where the text is no hex. */
export function readScene(hex: string): Scene | null {
  const bytes = bytesFromHex(hex);
  // the faults come with the evidence: the reader need not list them again
  return bytes && buildScene(readWkb(bytes, { max_findings: 0 }));
}

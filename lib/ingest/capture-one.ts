import { again } from '@/db/again';
import type { Db } from '@/db/client';
import { capture } from '@/db/queries/capture';
import type { Captured } from '@/lib/contract/capture';
import type { Producer } from '@/lib/contract/token';
import { moveLargeGeometry } from './move-large-geometry';
import { readCapture } from './read-capture';
import { refusedByDatabase } from './refused-by-database';

export interface CaptureOneInput {
  /** The JSON text of one capture, as it came. */
  text: string;
  /** The door: 'http', 'spool', … */
  via: string;
  /** From outside the text (the header Capture-Id); a replay under the same id counts once. */
  capture_id?: string | null;
  /** Whose token it came with. */
  producer?: Producer | null;
}

/**
 * Stores one dead letter.
 * @throws DlqError bad_request or unprocessable, naming the member and what to do; database errors as they are.
 */
export async function captureOne({ db }: { db: Db }, { text, ...from }: CaptureOneInput): Promise<Captured> {
  const proposal = await moveLargeGeometry(db, readCapture(text, from));
  try {
    return await again(() => capture(db, proposal));
  } catch (error) {
    throw refusedByDatabase(error) ?? error;
  }
}

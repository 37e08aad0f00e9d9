import { ApiError } from '@/lib/api/api-error';
import type { Captured } from '@/lib/contract/capture';
import type { RejectedLineState, SpoolSourceState } from '@/lib/contract/spool';

export interface ReasonWords {
  /** In the list. */
  word: string;
  means: string;
  /** Whether the same text can fare better, and what helps. */
  helps: string;
}

const REASONS: Record<string, ReasonWords> = {
  torn: {
    word: 'its end is missing',
    means: 'The line stops in the middle: whoever wrote it was stopped, or the file was cut.',
    helps: 'The same text is refused again. Where the unit of work is known from it, run that unit once more.',
  },
  checksum: {
    word: 'changed since it was written',
    means: 'The checksum that was written with the line is that of another text: bytes of it were changed afterwards.',
    helps: 'Look at the disk that it lay on. The same text is refused again.',
  },
  not_utf8: {
    word: 'no text',
    means: 'The line holds bytes that are no UTF-8.',
    helps: 'Its bytes lie in the side file as base64.',
  },
  too_long: {
    word: 'too long',
    means: 'The line is longer than one capture may be.',
    helps: 'A geometry over 1 MB belongs into the blob store, with payload_ref in its place.',
  },
  not_json: {
    word: 'no JSON',
    means: 'The line is no JSON value.',
    helps: 'Mend it in a copy of the side file’s text and load that with dlo ingest.',
  },
  refused: {
    word: 'not as a capture must be',
    means: 'The line is JSON, but a member is missing, unknown or of the wrong kind.',
    helps: 'A newer version of this product may take it: then try again. Else mend the producer.',
  },
  unprocessable: {
    word: 'refused by the database',
    means: 'The line is a capture, but the database could not store it.',
    helps: 'Where the cause has gone since, try again.',
  },
};

/** A reason of a newer server is shown as it came. */
export const reasonWords = (reason: string): ReasonWords =>
  REASONS[reason] ?? { word: reason.replaceAll('_', ' '), means: 'This line could not be taken.', helps: '' };

/** Where the whole line was put aside: as its loader noted it, else where such a file's lines are put unless it is told otherwise. */
export function sideFileOf(
  { source, name, side_file }: Pick<RejectedLineState, 'source' | 'name' | 'side_file'>,
  sources: readonly Pick<SpoolSourceState, 'url'>[],
): { path: string; is_certain: boolean } {
  if (side_file !== null) return { path: side_file, is_certain: true };
  if (source.startsWith('s3://')) return { path: `${source}/rejected/${name}/`, is_certain: true };
  if (sources.some(({ url }) => url === source)) return { path: `${source}/rejected/${name}`, is_certain: true };
  return { path: `${source}/${name}.rejected`, is_certain: false };
}

/** The list shows this much of why a line was not taken; the dialog all of it. */
const MESSAGE_CHARS = 120;

export function messageHead(message: string): string {
  const units = [...message];
  return units.length > MESSAGE_CHARS ? `${units.slice(0, MESSAGE_CHARS).join('')}…` : message;
}

/** What a new try came to. */
export function retriedText({ outcome, attempts }: Captured): string {
  if (outcome === 'created') return 'Stored as a new entry';
  if (outcome === 'duplicate') return 'It had been counted before; nothing was added to its entry';
  if (outcome === 'reopened') return 'Stored; it reopened its entry';
  return `Stored as failure ${attempts} of its entry`;
}

/** Why a line was not dealt with. */
export function lineProblem(error: Error): string {
  const code = error instanceof ApiError ? error.code : 'internal';
  if (code === 'network') return 'The server does not answer. The line stays open.';
  if (code === 'database_unavailable') return 'The database does not answer. The line stays open.';
  if (['conflict', 'not_found', 'storage_unavailable', 'forbidden'].includes(code))
    return `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`;
  return `Refused again: ${error.message}.`;
}

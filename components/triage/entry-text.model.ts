import { countedText } from '@/components/ui/number-text';

/** Keeps both ends of a long key or path: `parcels/39/035/…/88213.gpkg`. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - tail)}…${text.slice(-tail)}`;
}

/** Runs of numbers, with the punctuation between them, as one `…`; a code such as EPSG:32122 or 3D stays. */
export function foldNumbers(text: string): string {
  return text
    .replace(/(?<![\w:])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])/gi, '…')
    .replace(/…(?:[\s,;()[\]/×]*…)+/g, '…')
    .replace(/[([]\s*…\s*[)\]]/g, '…');
}

/** What a signature put in the place of numbers and paths, as one `…` like everywhere else. */
export function foldedText(text: string | null): string {
  return (text ?? '')
    .replace(/[([]?#[)\]]?|<path>/g, '…')
    .replace(/…(?:[\s,;/×]*…)+/g, '…')
    .replace(/\[\s*…\s*\]/g, '…')
    .replace(/…(?:\s*…)+/g, '…');
}

/** A list shows an error's first line with its numbers folded; the title has it whole. */
export function errorLine(type: string | null, text: string | null): { short: string; full: string } {
  const full = [type, text].filter(Boolean).join(': ');
  const first = (text ?? '').split('\n')[0] ?? '';
  const short = foldNumbers(first) || type || '';
  return { short, full };
}

/** `3 faults: self_intersection, spike`. */
export function faultTitle({ fault_codes, fault_count }: { fault_codes: string[]; fault_count: number }): string {
  if (fault_count === 0) return 'no fault found';
  return `${countedText(fault_count, 'fault', 'faults')}: ${fault_codes.join(', ')}`;
}

type Key = { work_key: string; given_key: string | null };

/** The key as the failing task gave it: what people search by. */
export const shownKey = ({ work_key, given_key }: Key): string => given_key ?? work_key;

/** The whole key, and the one that it is filed under where that is another one. */
export const keyTitle = ({ work_key, given_key }: Key): string =>
  given_key === null
    ? work_key
    : `${given_key}\nfiled under the work key ${work_key}, since another task has this one or it is too long`;

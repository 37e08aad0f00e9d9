import { urlFault } from './check-options';
import type { Spool } from './spool';

/** What a lost capture is known by, after redaction. */
export interface LostCapture {
  task_name: string;
  work_key?: string;
  error_type: string;
  error_text: string;
}

const TEXT_CHARACTERS = 200;
const REASON_CHARACTERS = 600;

/**
 * The one line on stderr for a capture that nothing took: which one, why, and what to do. Of the payload it holds no
 * more than the key: numbers that may be coordinates and long hex are left out of the error's words, and of a server's
 * answer, which may quote what was sent, only its status and code are told.
 */
export function lostLine(lost: LostCapture, reason: string, url: unknown, spool: Spool | undefined): string {
  const key = lost.work_key === undefined ? '' : `, work_key ${JSON.stringify(oneLine(lost.work_key))}`;
  const text = withoutCoordinates(oneLine(lost.error_text)).slice(0, TEXT_CHARACTERS);
  const error = `${oneLine(lost.error_type)}${text && ': '}${text}`;
  const server = urlFault(url) === null ? withoutUser(String(url)) : 'no server';
  const places = spool ? `neither ${server} nor the spool ${spool.where} took it` : `${server} did not take it`;
  const why = withoutUser(oneLine(withoutAnswers(reason))).slice(0, REASON_CHARACTERS);
  const next = spool
    ? `free or mend ${spool.where}, or give on_capture_error a function that keeps the line`
    : 'set DLO_SPOOL_DIR to a folder that keeps captures meanwhile, or give on_capture_error a function that keeps the line';
  const named = `task ${JSON.stringify(oneLine(lost.task_name || 'anonymous'))}${key}, ${error}`;
  return `a capture is lost (${named}): ${places}: ${why}${spool ? '' : '; there is no spool'}. Next: ${next}`;
}

function oneLine(text: unknown): string {
  return String(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const NUMBER = '[-+]?\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?';
const COORDINATES = new RegExp(
  `(?<![\\w.])${NUMBER}(?:(?:\\s*,\\s*|\\s+)${NUMBER})+(?![\\w-])|[-+]?\\d+\\.\\d{3,}(?:[eE][-+]?\\d+)?`,
  'g',
);

/** Numbers in a row, numbers with three and more decimals, and hex as long as the smallest WKB. */
function withoutCoordinates(text: string): string {
  return text.replace(/[0-9a-fA-F]{32,}/g, '…').replace(COORDINATES, '…');
}

/** Quoted answers hold no semicolon. */
function withoutAnswers(reason: string): string {
  return reason.replace(/\bHTTP (\d{3}): [^;]*/g, (answer, status) => {
    const code = /"code":\s*"([a-z_]{1,40})"/.exec(answer)?.[1];
    return `HTTP ${status}${code ? ` ${code}` : ''}`;
  });
}

function withoutUser(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//…@');
}

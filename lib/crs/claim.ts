import { readCodeForm } from './code-forms';
import { readJsonClaim } from './json-claim';
import { whyNotHorizontal } from './not-horizontal';
import { refuseText } from './refuse-text';

/** What a source's claim says: whether such a code exists is the database's to know, which may know newer ones. */
export type CrsClaim =
  | { kind: 'none' }
  | { kind: 'srid'; authority: 'EPSG'; code: number }
  /** `srid` is the EPSG code with the same meaning in x,y order, where there is one (OGC:CRS84 → 4326). */
  | { kind: 'authority'; authority: string; code: string; srid: number | null }
  /** For PROJ as it is: WKT, PROJ string, PROJJSON, compound of codes, or a name. */
  | { kind: 'text'; text: string }
  | { kind: 'refused'; reason: string };

/** Longer than any CRS definition; PROJJSON with an ensemble takes 4 kB. */
const MAX_LENGTH = 65_536;
const NO_ANSWER = /^(none|null|nil|nan|undefined|unknown|n\/?a|no crs|<na>|-+|\?+)$/i;

/**
 * Reads the claimed CRS of a source. Blanks and NULs around it are ignored; the claim itself stays as it is with the
 * caller. Never throws.
 */
export function readClaim(claimed: string | null): CrsClaim {
  const text = trimmed(claimed ?? '');
  if (text === '') return { kind: 'none' };
  if (text.length > MAX_LENGTH) return refused(`${text.length} characters are no CRS`);
  if (NO_ANSWER.test(text)) return refused(`the text "${text}" names no CRS`);
  const code = readCodeForm(text);
  if (code) return judged(code);
  if (text.startsWith('{')) {
    const inner = readJsonClaim(text);
    return 'claim' in inner
      ? readClaim(inner.claim)
      : 'reason' in inner
        ? refused(inner.reason)
        : { kind: 'text', text };
  }
  const reason = refuseText(text);
  return reason ? refused(reason) : { kind: 'text', text };
}

/** The claim as PROJ takes it (ST_Transform's text arguments), or null where there is nothing to give. */
export function projText(claim: CrsClaim): string | null {
  if (claim.kind === 'srid') return `EPSG:${claim.code}`;
  if (claim.kind === 'authority') return `${claim.authority}:${claim.code}`;
  return claim.kind === 'text' ? claim.text : null;
}

function refused(reason: string): CrsClaim {
  return { kind: 'refused', reason };
}

/** Writers of fixed-width fields pad with NULs or blanks; a byte order mark comes from text files. */
function trimmed(text: string): string {
  const isPadding = (char: string | undefined) => char === '\0' || char === '\ufeff' || char?.trim() === '';
  let from = 0;
  let to = text.length;
  while (from < to && isPadding(text[from])) from++;
  while (to > from && isPadding(text[to - 1])) to--;
  return text.slice(from, to);
}

const OGC_SRIDS: Readonly<Record<string, number>> = { CRS84: 4326, CRS83: 4269, CRS27: 4267, CRS84H: 4979 };

function judged({ authority, code }: { authority: string; code: string }): CrsClaim {
  const reason = whyNotHorizontal(authority, code);
  if (reason) return refused(reason);
  if (authority === 'EPSG') {
    const number = Number(code);
    if (!/^\d{1,9}$/.test(code)) return refused(`"${code.slice(0, 40)}" is not an EPSG code`);
    if (number === 0) return refused('0 stands for an unknown CRS');
    return { kind: 'srid', authority: 'EPSG', code: number };
  }
  if (authority === 'AUTO' || authority === 'AUTO2')
    return refused(`${authority}:${code} depends on the map request it was made for`);
  if (authority === 'OGC') {
    const srid = OGC_SRIDS[code.toUpperCase()] ?? null;
    return { kind: 'authority', authority, code: srid === null ? code : canonicalOgcCode(code), srid };
  }
  return { kind: 'authority', authority, code, srid: null };
}

/** PROJ knows these by one spelling only. */
function canonicalOgcCode(code: string): string {
  return code.toUpperCase().replace(/H$/, 'h');
}

import { whyNotEarthInProj, whyNotEarthInWkt } from './earth-size';
import { whyNamesFile } from './names-file';
import { whyNameNotHorizontal } from './not-horizontal';

const LOCAL = 'a local or engineering CRS has no place on the Earth';
const VERTICAL = 'a vertical CRS has heights, no x and y';
const OPERATION = 'this is a coordinate operation, not a CRS';
const NO_SPACE = 'this CRS measures neither place nor height';
const GEOCENTRIC = 'a geocentric CRS counts X, Y and Z from the centre of the Earth';

/** Outermost keyword of WKT (both versions, long and short) that cannot place x and y. */
const REFUSED_KEYWORDS: Readonly<Record<string, string>> = {
  LOCAL_CS: LOCAL,
  LOCAL_DATUM: LOCAL,
  ENGCRS: LOCAL,
  ENGINEERINGCRS: LOCAL,
  VERT_CS: VERTICAL,
  VERTCRS: VERTICAL,
  VERTICALCRS: VERTICAL,
  GEOCCS: GEOCENTRIC,
  TIMECRS: NO_SPACE,
  PARAMETRICCRS: NO_SPACE,
  COORDINATEOPERATION: OPERATION,
  CONVERSION: OPERATION,
  CONCATENATEDOPERATION: OPERATION,
  ABRIDGEDTRANSFORMATION: OPERATION,
  POINTMOTIONOPERATION: OPERATION,
};

const WKT = /^([a-z_0-9]+)\s*[[(]/i;
const PROJ = /^\+?(?:proj|init|step|a|ellps|datum|title)=|^\+/i;
/** C0 controls but tab, line feed and carriage return, which WKT may hold. */
const isControl = (char: string) => char < ' ' && char !== '\t' && char !== '\n' && char !== '\r';

/** Why a text that is no code and no JSON is not worth giving to PROJ, or null. Of a name the registry knows the kind; the rest is PROJ's. */
export function refuseText(text: string): string | null {
  if ([...text].some(isControl)) return 'there are control characters inside';
  if (text.startsWith('<')) return 'this is XML; GML and catalogue records are not read';
  if (/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text)) return `the number ${text.slice(0, 40)} is no code of a CRS`;
  const keyword = WKT.exec(text)?.[1]?.toUpperCase();
  if (keyword) return refuseWkt(text, keyword);
  if (PROJ.test(text) || text.includes('=')) return refuseProj(text);
  return /\p{L}/u.test(text) ? whyNameNotHorizontal(text) : 'there is no letter in it';
}

function refuseWkt(text: string, keyword: string): string | null {
  const reason = REFUSED_KEYWORDS[keyword];
  if (reason !== undefined && Object.hasOwn(REFUSED_KEYWORDS, keyword)) return reason;
  const outside_quotes = text.replace(/"[^"]*"/g, '""');
  // GEODCRS covers both: only its coordinate system says which, and a geographic one is ellipsoidal.
  if (/^GEOD(ETIC)?CRS$/.test(keyword) && /\bCS\s*[[(]\s*Cartesian\s*,\s*3/i.test(outside_quotes)) return GEOCENTRIC;
  const open = outside_quotes.match(/[[(]/g)?.length ?? 0;
  const closed = outside_quotes.match(/[\])]/g)?.length ?? 0;
  if (open > closed) return `the WKT is cut off: ${open - closed} of ${open} brackets are not closed`;
  return whyNotEarthInWkt(text) ?? whyNamesFile(text, true);
}

function refuseProj(text: string): string | null {
  if (/(^|\s)\+?(proj=pipeline|step)(\s|$)/i.test(text)) return OPERATION;
  if (/(^|\s)\+?proj=(geocent|cart)(\s|$)/i.test(text)) return GEOCENTRIC;
  return whyNotEarthInProj(text) ?? whyNamesFile(text, false);
}

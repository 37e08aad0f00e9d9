export interface CrsCode {
  /** In upper case, as registries write it. */
  authority: string;
  code: string;
}

const BARE_NUMBER = /^(\d+)(?:\.0*)?$/;
const SRID_WORD = /^srid\s*[=:]\s*(\d+)\s*;?$/i;
/** Authorities with numeric or worded codes; a name with a colon in it must not be taken for one. */
const AUTHORITY_CODE = /^(epsg|esri|ignf|ogc|iau(?:_\d{4}|2000)?|nkg|auto2?|crs)\s*::?\s*([\w.-]+)$/i;
const URN = /^urn:(?:(?:x-)?ogc|opengis)(?::def)?:crs:([\w-]+):(?:([\w.]*):)?([\w.-]+)$/i;
const OGC_URI = /^https?:\/\/(?:www\.)?opengis\.net\/def\/crs\/([\w-]+)\/([\w.]*)\/([\w.-]+)\/?$/i;
const GML_URI = /^https?:\/\/(?:www\.)?opengis\.net\/gml\/srs\/([\w-]+)(?:\.xml)?#(\w+)$/i;
const REFERENCE_PAGE =
  /^https?:\/\/(?:www\.)?(?:spatialreference\.org\/ref\/(epsg|esri)|epsg\.io(?=\/))\/(\d+)(?:\/.*)?$/i;
/** Only words that change nothing may follow; `+towgs84` and the like make it another CRS. */
const PROJ_INIT = /^\+?init=(epsg|esri|ignf):(\w+)(?:\s+\+?(?:no_defs|type=crs|wktext|no_defs=true))*$/i;
/** How Python prints the mapping of older fiona and geopandas. */
const PYTHON_INIT =
  /^\{\s*u?['"]init['"]\s*:\s*u?['"](epsg|esri):(\d+)['"](?:\s*,\s*u?['"]no_defs['"]\s*:\s*True)?\s*\}$/i;

/** The authority and code of every form that is nothing but a code; null for any other text. */
export function readCodeForm(text: string): CrsCode | null {
  const bare = BARE_NUMBER.exec(text) ?? SRID_WORD.exec(text);
  if (bare) return { authority: 'EPSG', code: plain(bare[1] as string) };
  const pair = AUTHORITY_CODE.exec(text) ?? GML_URI.exec(text) ?? PROJ_INIT.exec(text) ?? PYTHON_INIT.exec(text);
  if (pair) return named(pair[1] as string, pair[2] as string);
  const page = REFERENCE_PAGE.exec(text);
  if (page) return named(page[1] ?? 'EPSG', page[2] as string);
  const versioned = URN.exec(text) ?? OGC_URI.exec(text);
  return versioned ? named(versioned[1] as string, versioned[3] as string) : null;
}

function named(authority: string, code: string): CrsCode {
  const name = authority.toUpperCase();
  // CRS:84 of WMS is OGC:CRS84.
  if (name === 'CRS') return { authority: 'OGC', code: `CRS${code.toUpperCase()}` };
  if (name === 'EPSG') return { authority: name, code: plain(BARE_NUMBER.exec(code)?.[1] ?? code) };
  return { authority: name, code };
}

/** Without leading zeros, so that 0004326 is 4326. */
function plain(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

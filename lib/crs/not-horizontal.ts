import { recordByCode } from './registry/by-code';
import { recordByName } from './registry/by-name';
import type { CrsRecord } from './registry/registry';

/**
 * Why an authority's code cannot place x and y on the Earth, or null where it can as far as the registry knows. PROJ
 * would transform with these without an error: a vertical CRS swaps x and y, a geocentric one takes degrees for metres.
 */
export function whyNotHorizontal(authority: string, code: string): string | null {
  // The pattern covers the bodies that the registry leaves out.
  const is_other_body = authority.startsWith('IAU') && !IAU_EARTH.test(code);
  const record = recordByCode(authority, code);
  if (is_other_body || record?.kind === 'other') return `${authority}:${code} describes another body than the Earth`;
  return record && whyNot(record, code);
}

/** The same of a name; null too where the registry does not know it. */
export function whyNameNotHorizontal(name: string): string | null {
  const record = recordByName(name);
  if (record?.kind === 'other') return `"${name}" describes another body than the Earth`;
  return record && whyNot(record, `"${name}"`);
}

/** IAU codes are the number of the body followed by two digits; the Earth is 399. */
const IAU_EARTH = /^399\d\d$/;

function whyNot({ kind }: CrsRecord, called: string): string | null {
  if (kind === 'vertical') return `${called} is a vertical CRS: it has heights, no x and y`;
  if (kind === 'geocentric') return `${called} is a geocentric CRS: X, Y and Z from the centre of the Earth`;
  return null;
}

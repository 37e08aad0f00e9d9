import { type CrsRecord, crsOf } from './registry/registry';

const DIGITS = '0123456789';

/** CRSs whose code comes from the given one by one digit: another, one too many, one too few, or two changed about. */
export function typosOf(authority: string, code: string): { record: CrsRecord; is_likely: boolean }[] {
  if (!/^\d{3,6}$/.test(code)) return [];
  const likely = new Set<string>();
  const others = new Set<string>();
  for (let i = 0; i <= code.length; i++) {
    const [before, after] = [code.slice(0, i), code.slice(i + 1)];
    for (const digit of DIGITS) {
      if (i < code.length) likely.add(before + digit + after);
      others.add(before + digit + code.slice(i));
    }
    if (i < code.length) others.add(before + after);
    if (i + 1 < code.length) likely.add(before + code[i + 1] + code[i] + code.slice(i + 2));
  }
  const records: { record: CrsRecord; is_likely: boolean }[] = [];
  for (const typo of new Set([...likely, ...others])) {
    if (typo === code || typo.startsWith('0')) continue;
    const record = crsOf(`${authority}:${typo}`);
    if (record && !record.deprecated) records.push({ record, is_likely: likely.has(typo) });
  }
  return records;
}

import type { Candidate, Evidence } from '@/lib/contract/entry';

/** How the stored numbers are read otherwise: first swapped, then each axis times its sign. */
export type Reread = { swapped: boolean; x_sign: 1 | -1; y_sign: 1 | -1 };

export const rereadOf = ({ swapped, x_sign, y_sign }: Pick<Candidate, 'swapped' | 'x_sign' | 'y_sign'>): Reread => ({
  swapped,
  x_sign: x_sign ?? 1,
  y_sign: y_sign ?? 1,
});

/** `y,x swapped`, `x turned round`; '' where the numbers are taken as they are. */
export function rereadWords({ swapped, x_sign, y_sign }: Reread): string {
  const signs = [x_sign === -1 ? 'x' : '', y_sign === -1 ? 'y' : ''].filter(Boolean);
  const turned = signs.length > 0 ? `sign of ${signs.join(' and ')} put back` : '';
  return [swapped ? 'y,x swapped' : '', turned].filter(Boolean).join(', ');
}

/** The reading that the verdict itself or its leading candidate tells of, or null. */
export function toldReread({ crs_verdict, also, candidates, suggestion }: Evidence): Reread | null {
  const leading = suggestion === null ? undefined : candidates.find(({ crs }) => crs === suggestion);
  if (leading && rereadWords(rereadOf(leading)) !== '') return rereadOf(leading);
  if (crs_verdict === 'axis_swapped' || also.includes('axis_swapped')) return { swapped: true, x_sign: 1, y_sign: 1 };
  return null;
}

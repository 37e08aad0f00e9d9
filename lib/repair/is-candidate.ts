import { z } from 'zod';

const sign = z.union([z.literal(1), z.literal(-1)]).nullish();
const candidatesSchema = z.array(
  z.looseObject({
    crs: z.string(),
    swapped: z.boolean().nullish(),
    x_sign: sign,
    y_sign: sign,
    equivalents: z.array(z.string()).nullish(),
  }),
);

/** Whether a diagnosis has this CRS with these axes among its candidates, by itself or as one that gives the same place. */
export function isCandidate(
  candidates: unknown,
  src_crs: string,
  axes: { swapped: boolean; x_sign: 1 | -1; y_sign: 1 | -1 },
): boolean {
  const read = candidatesSchema.safeParse(candidates);
  return (
    read.success &&
    read.data.some(
      ({ crs, swapped, x_sign, y_sign, equivalents }) =>
        (crs === src_crs || (equivalents ?? []).includes(src_crs)) &&
        (swapped ?? false) === axes.swapped &&
        (x_sign ?? 1) === axes.x_sign &&
        (y_sign ?? 1) === axes.y_sign,
    )
  );
}

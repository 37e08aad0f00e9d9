import { z } from 'zod';
import { STATES } from '../dead-letter/vocabulary';
import { REPAIR_METHODS } from './repair';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be the payload_hash of a version, 64 hex digits');
const sign = z.union([z.literal(1), z.literal(-1)]);

/**
 * `POST /api/dead-letters/{id}/payload`: a person's edit, one of `repair`, `src_crs` and `revert_to`. What was captured stays;
 * an edit is one more version of the payload.
 */
export const payloadEditSchema = z
  .strictObject({
    /** The payload that the person saw: the one that the edit starts from. */
    payload_hash: hash,
    /** The version of the entry that the person saw. */
    version: z.string().regex(/^\d{1,18}$/),
    reason: z.string().trim().min(1, 'say why').max(2000),
    /** The server computes the repair itself, anew. */
    repair: z.strictObject({ method: z.enum(REPAIR_METHODS) }).optional(),
    /** The CRS to claim from now on, e.g. EPSG:3734. */
    src_crs: z.string().trim().min(1).max(65_536).optional(),
    /** With src_crs: refused unless the diagnosis of this payload has this CRS with these axes among its candidates. */
    from_candidate: z.boolean().optional(),
    /** With src_crs: the stored x is y, and the stored y is x. */
    swapped: z.boolean().optional(),
    /** With src_crs: −1 where the sign was lost; applied after the axes have changed places. */
    x_sign: sign.optional(),
    y_sign: sign.optional(),
    /** A stored version, captured or edited, to be the current one again. */
    revert_to: hash.optional(),
  })
  .superRefine((body, context) => {
    const { repair, src_crs, revert_to, from_candidate, swapped, x_sign, y_sign } = body;
    if ([repair, src_crs, revert_to].filter((one) => one !== undefined).length !== 1)
      context.addIssue({ code: 'custom', message: 'must have one of repair, src_crs and revert_to' });
    if (src_crs === undefined && [from_candidate, swapped, x_sign, y_sign].some((one) => one !== undefined))
      context.addIssue({ code: 'custom', message: 'from_candidate, swapped, x_sign and y_sign go with src_crs alone' });
  });
export type PayloadEditBody = z.infer<typeof payloadEditSchema>;

export const editedPayloadSchema = z.object({
  id: z.string(),
  /** The payload that is current now. */
  payload_hash: z.string(),
  /** Who made it by which change; null where it is as captured. */
  edited_by: z.string().nullable(),
  /** False where this very payload was stored before. */
  added: z.boolean(),
  /** What was done, in words. */
  change: z.string(),
  state: z.enum(STATES),
  version: z.string(),
});
export type EditedPayload = z.infer<typeof editedPayloadSchema>;

import { z } from 'zod';

/** Views that are kept; a deleted one is not counted. */
export const MAX_VIEWS = 500;
export const MAX_VIEW_NAME = 80;
/** Characters of the address's search part. */
const MAX_SEARCH = 20_000;

const characters = (text: string) => [...text].length;

/** Any text that can be seen and stored: 1 to 80 characters after trimming. */
export const viewNameSchema = z
  .string()
  .trim()
  .min(1)
  .refine((name) => characters(name) <= MAX_VIEW_NAME, `must have at most ${MAX_VIEW_NAME} characters`)
  .refine((name) => !/\0|\p{Cs}/u.test(name), 'holds a character that no text can have')
  .refine((name) => name === '' || /[^\p{C}\p{Z}]/u.test(name), 'shows nothing: every character of it is invisible');

/** The search part of the page's address as the address has it: percent-encoded, with its `?`, or '' for no condition. */
export const viewSearchSchema = z
  .string()
  .max(MAX_SEARCH)
  .regex(/^(\?[!-"$-~]*)?$/, 'must be the search part of an address: percent-encoded, with its ?, or empty');

/** `POST /api/views` */
export const newViewSchema = z.strictObject({ name: viewNameSchema, search: viewSearchSchema });
export type NewView = z.infer<typeof newViewSchema>;

/** `PUT /api/views/{id}`: what it becomes, and the version that was seen. A deleted one comes back by it. */
export const viewChangeSchema = newViewSchema.extend({ version: z.string().regex(/^\d{1,18}$/) });
export type ViewChange = z.infer<typeof viewChangeSchema>;

export const viewSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The one queue that its filter means, or null. */
  queue: z.string().nullable(),
  search: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  changed_by: z.string(),
  changed_at: z.string(),
  version: z.string(),
});
export type View = z.infer<typeof viewSchema>;

/** `GET /api/views`: all of them, by name. */
export const viewListSchema = z.object({ items: z.array(viewSchema), most: z.number().int() });
export type ViewList = z.infer<typeof viewListSchema>;

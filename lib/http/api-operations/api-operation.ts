import type { ZodType, z } from 'zod';
import type { Role } from '@/lib/dead-letter/vocabulary';

export type Method = 'get' | 'head' | 'post' | 'put' | 'delete';

/** What a media type carries: a schema, or bytes of a format that is described elsewhere. */
export type Content = Record<string, ZodType>;

/** One operation of the API, as its document shows it. `path` is the folder with `{name}` for `[name]`. */
export interface ApiOperation {
  method: Method;
  path: string;
  summary: string;
  /** What the summary has no room for. */
  description?: string;
  role: Role;
  /** A producer's token may ask too, and a write can be told to come back later. */
  intake?: boolean;
  params?: Record<string, ZodType>;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: Content;
  answer: Content;
  /** Other statuses than 200 and those that every operation can answer. */
  also?: Record<number, { description: string; content?: Content }>;
}

export const json = (schema: ZodType): Content => ({ 'application/json': schema });

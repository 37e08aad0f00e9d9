import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { createdTokenSchema, type NewToken, tokenSchema } from '../contract/token';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

const tokenListSchema = z.object({ items: z.array(tokenSchema) });

/** Every producer's token, newest first, also those that ended; never their text. */
export function tokensQuery() {
  return queryOptions({
    queryKey: queryKeys.tokens.list(),
    queryFn: ({ signal }) => fetchJson(tokenListSchema, '/api/tokens', { signal }),
  });
}

/** Makes a token; its text is in this answer and nowhere else. */
export const createToken = (body: NewToken) => fetchJson(createdTokenSchema, '/api/tokens', { method: 'POST', body });

export const revokeToken = (id: string) =>
  fetchJson(tokenSchema, `/api/tokens/${encodeURIComponent(id)}/revoke`, { method: 'POST' });

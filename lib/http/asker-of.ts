import { getIntakeDb } from '@/db/client';
import { DlqError } from '@/lib/contract/error';
import { recogniseToken } from '@/lib/tokens/recognise-token';
import { type Actor, actorOf, showsToken } from './actor';

/**
 * The person or the producer who sent this request. Who shows a token is who the token says, or nobody.
 * @throws DlqError unauthorized
 */
export async function askerOf(request: Request): Promise<Actor> {
  if (!showsToken(request)) {
    const actor = await actorOf(request);
    if (actor === null) throw new DlqError('unauthorized', 'sign in first');
    return actor;
  }
  const [, token] = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (token === undefined)
    throw new DlqError('unauthorized', 'the Authorization header is not of the form “Bearer dlo_p_<id>_<secret>”');
  const producer = await recogniseToken(getIntakeDb(), token);
  return { name: `token:${producer.name}`, role: 'viewer', by: 'token', producer };
}

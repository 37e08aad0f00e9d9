import { setImmediate as nextTurn } from 'node:timers/promises';
import { loggableError } from '@/lib/loggable-error';
import type { Follower } from './follower';
import type { Copy } from './index-copy';
import type { FromThread, ToThread, Verb, Verbs } from './messages';

/** So long an answer waits for the feed at most; then it shows what is there, and says which moment that is. */
const CATCH_UP_MS = 250;

type Asked = Extract<ToThread, { kind: 'ask' }>;
export type Answer<C> = (
  copy: C,
  verb: Verb,
  ask: Verbs[Verb]['ask'],
  as_of_us: number,
  revision: string,
) => Verbs[Verb]['answer'];

/** Takes questions, and answers one after the other what nobody has cancelled meanwhile. */
export class Desk<C extends Copy> {
  #follower: Follower<C>;
  #answer: Answer<C>;
  #post: (message: FromThread) => void;
  #waiting = new Set<number>();
  #line: Promise<void> = Promise.resolve();

  constructor(follower: Follower<C>, answer: Answer<C>, post: (message: FromThread) => void) {
    this.#follower = follower;
    this.#answer = answer;
    this.#post = post;
  }

  async take(asked: Asked): Promise<void> {
    this.#waiting.add(asked.id);
    await this.#follower.caughtUp(CATCH_UP_MS);
    // between two answers the port is read, and so are cancellations and what the database sends
    this.#line = this.#line.then(() => nextTurn()).then(() => this.#reply(asked));
  }

  cancel(id: number): void {
    this.#waiting.delete(id);
  }

  #reply({ id, verb, ask }: Asked): void {
    if (!this.#waiting.delete(id)) return;
    const { copy, moment, revision } = this.#follower;
    if (!copy || !moment) {
      this.#post({ kind: 'failed', id, error: null });
      return;
    }
    try {
      const found = this.#answer(copy, verb, ask, moment.as_of_us, revision);
      this.#post({ kind: 'answer', id, answer: { ...found, revision, as_of: moment.as_of } });
    } catch (error) {
      this.#post({ kind: 'failed', id, error: loggableError(error) });
    }
  }
}

/** What a task gave is watched for a failure; each is told at most once, and is raised again as it was. */
export interface OnFailure {
  /** A failure that is raised at once; the capture goes on meanwhile. */
  now(error: unknown): void;
  /** A failure that can wait until its capture is kept. */
  later(error: unknown): Promise<unknown>;
}

/** The result itself, or one in its place of the same kind: a promise, a generator or an async generator. */
export function watchResult<Result>(result: Result, failure: OnFailure): Result {
  const object = isObject(result) ? result : undefined;
  if (object === undefined) return result;
  const then = memberOf(object, 'then');
  if (typeof then === 'function') return watchPromise(object as object as PromiseLike<unknown>, failure) as Result;
  if (!['next', 'return', 'throw'].every((name) => typeof memberOf(object, name) === 'function')) return result;
  const generator = object as unknown as Generator;
  if (typeof memberOf(object, Symbol.asyncIterator) === 'function')
    return watchGenerator(generator, failure.later, true);
  if (typeof memberOf(object, Symbol.iterator) === 'function') return watchGenerator(generator, failure.now, false);
  return result;

  function watchGenerator(inner: object, tell: (error: unknown) => unknown, async: boolean): Result {
    let failed = false;
    const once = (error: unknown) => {
      if (failed) return undefined;
      failed = true;
      return tell(error);
    };
    // with the generator's own prototype, so that it is still an instance of its function and iterates itself
    const outer = Object.create(Object.getPrototypeOf(inner));
    for (const name of ['next', 'return', 'throw'] as const) {
      const step = (args: unknown[]) => Reflect.apply(memberOf(inner, name) as () => unknown, inner, args);
      const watched = async
        ? (...args: unknown[]) =>
            new Promise((done) => done(step(args))).then(undefined, async (error: unknown) => {
              await once(error);
              throw error;
            })
        : (...args: unknown[]) => {
            try {
              return step(args);
            } catch (error) {
              once(error);
              throw error;
            }
          };
      Object.defineProperty(outer, name, { value: watched, writable: true, configurable: true });
    }
    return outer;
  }
}

/** A promise of another make is followed by one of this realm: not every `then` answers with a promise. */
function watchPromise(given: PromiseLike<unknown>, failure: OnFailure): Promise<unknown> {
  return Promise.resolve(given).then(undefined, async (error: unknown) => {
    await failure.later(error);
    throw error;
  });
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function memberOf(of: object, name: string | symbol): unknown {
  try {
    return Reflect.get(of, name);
  } catch {
    return undefined;
  }
}

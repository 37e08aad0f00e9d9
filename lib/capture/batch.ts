import { type Answer, type SendOptions, send } from './send';

export interface BatchOptions extends SendOptions {
  /** A request goes out when this many captures wait. Default 200. */
  max_lines?: number;
  /** Or when the oldest of them has waited this long. Default 200. */
  max_wait_ms?: number;
}

/** Captures of many tasks, sent together as NDJSON, in the order in which they came. */
export interface CaptureBatch {
  /** Resolves with the server's answer to this line; rejects when the request failed. */
  add(line: string): Promise<Answer>;
  /** Sends what waits and resolves when everything added so far has been answered. Never rejects. */
  flush(): Promise<void>;
}

interface Waiting {
  line: string;
  resolve: (answer: Answer) => void;
  reject: (reason: Error) => void;
}

export function captureBatch(options: BatchOptions): CaptureBatch {
  const maxLines = options.max_lines ?? 200;
  const maxWaitMs = options.max_wait_ms ?? 200;
  const inFlight = new Set<Promise<void>>();
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  function sendWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    if (taken.length === 0) return;
    const request = sendAll(taken, options).finally(() => inFlight.delete(request));
    inFlight.add(request);
  }

  return {
    add(line) {
      return new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        if (waiting.length >= maxLines) sendWaiting();
        else timer ??= setTimeout(sendWaiting, maxWaitMs);
      });
    },
    async flush() {
      sendWaiting();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

async function sendAll(taken: readonly Waiting[], options: SendOptions): Promise<void> {
  try {
    const answers = await send(
      taken.map((one) => one.line),
      options,
      false,
    );
    taken.forEach((one, i) => {
      const answer = answers[i];
      if (answer) one.resolve(answer);
      else one.reject(new Error('the server answered fewer lines than were sent'));
    });
  } catch (error) {
    for (const one of taken) one.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

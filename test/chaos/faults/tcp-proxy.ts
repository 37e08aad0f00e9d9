import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * How the network is. `delay`: each piece arrives so much later, both ways. `refuse`: new connections are reset.
 * `silent`: connections stay open and nothing arrives. `drop_answer`: requests arrive; the first answer that contains
 * `holding` (any, where it is null) is lost and the connection reset: what was committed is not known to be.
 * `cut`: each connection is reset after so many bytes of request.
 */
export type Weather =
  | { kind: 'clear' }
  | { kind: 'delay'; ms: number }
  | { kind: 'refuse' }
  | { kind: 'silent' }
  | { kind: 'drop_answer'; holding: string | null }
  | { kind: 'cut'; after_bytes: number };

export interface TcpProxy {
  port: number;
  /** Also for connections that are open; pieces that were held back are lost with a `reset`, else they follow. */
  set: (weather: Weather) => void;
  /** Resets every open connection. */
  reset: () => void;
  /** How many answers were lost by `drop_answer`. */
  dropped: () => number;
  /** How many bytes of requests have come. */
  seen: () => number;
  close: () => Promise<void>;
}

/** A proxy on loopback between a client and `target_port`, whose weather a test changes. */
export async function startTcpProxy(target_port: number): Promise<TcpProxy> {
  let weather: Weather = { kind: 'clear' };
  let dropped = 0;
  let seen = 0;
  const pairs = new Set<readonly [Socket, Socket]>();
  const held: (() => void)[] = [];
  /** Pieces that are late, by where they go: what comes after them does not overtake. */
  const late = new WeakMap<Socket, Buffer[]>();

  const break_off = (pair: readonly [Socket, Socket]) => {
    pairs.delete(pair);
    for (const socket of pair) if (!socket.destroyed) socket.resetAndDestroy();
  };

  function pass(pair: readonly [Socket, Socket], to: Socket, piece: Buffer): void {
    if (weather.kind === 'silent') held.push(() => send(to, piece, 0));
    else if (weather.kind === 'delay') send(to, piece, weather.ms);
    else if (pairs.has(pair)) send(to, piece, 0);
  }

  function send(to: Socket, piece: Buffer, ms: number): void {
    const queue = late.get(to) ?? [];
    late.set(to, queue);
    if (ms === 0 && queue.length === 0) return void write(to, piece);
    queue.push(piece);
    setTimeout(() => write(to, queue.shift()), ms);
  }

  function write(to: Socket, piece: Buffer | undefined): void {
    if (piece && !to.destroyed) to.write(piece);
  }

  const server = createServer((client) => {
    if (weather.kind === 'refuse') return void client.resetAndDestroy();
    const upstream = connect(target_port, '127.0.0.1');
    const pair = [client, upstream] as const;
    let asked_bytes = 0;
    pairs.add(pair);
    client.on('data', (piece) => {
      asked_bytes += piece.length;
      seen += piece.length;
      if (weather.kind === 'cut' && asked_bytes > weather.after_bytes) return break_off(pair);
      pass(pair, upstream, piece);
    });
    upstream.on('data', (piece) => {
      if (weather.kind === 'drop_answer' && (weather.holding === null || piece.includes(weather.holding))) {
        dropped += 1;
        return break_off(pair);
      }
      pass(pair, client, piece);
    });
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('end', () => other.end());
      one.on('error', () => break_off(pair));
      one.on('close', () => break_off(pair));
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const reset = () => {
    held.length = 0;
    for (const pair of pairs) break_off(pair);
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      weather = next;
      if (next.kind !== 'silent') for (const write of held.splice(0)) write();
    },
    reset,
    dropped: () => dropped,
    seen: () => seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        reset();
      }),
  };
}

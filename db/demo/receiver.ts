import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { capture } from '@/lib/capture';
import { type RedriveAnswer, type RedriveRequest, redriveRequestSchema } from '@/lib/contract/task';
import { openSources, type Sources } from './sources/open-sources';
import { TASKS } from './tasks/tasks';
import { NEWEST_VERSION, NIGHTS } from './versions';
import { payloadOf, workOf } from './work';

/** A redrive's body is one payload; the server keeps larger ones as references. */
const BODY_LIMIT_BYTES = 16_000_000;

export interface ReceiverOptions {
  /** 0 takes a free port. */
  port: number;
  /** The dead letter office, for what fails again. */
  base_url: string;
  /** Shared with the server's target of this receiver. */
  secret: string;
  token?: string;
  /** One line for each redrive that was run. */
  on_redrive?: (line: string) => void;
}

export interface Receiver {
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * The pipeline's end of a redrive: checks `Dlo-Signature` (hex HMAC-SHA256 of the body as it came) and
 * `Idempotency-Key`, runs the task of the newest code version on the body alone, and answers what came of it. What fails
 * again is captured with its attempt_id before the answer. The same attempt of the same key is run once, however often
 * it arrives.
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const sources = await openSources();
  sources.atNight(NIGHTS);
  const attempts = new Map<string, Promise<RedriveAnswer>>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return refuse(response, 405, 'a redrive is a POST');
    const body = await bodyOf(request);
    if (body === null) return refuse(response, 413, `over ${BODY_LIMIT_BYTES} bytes`);
    if (!isSigned(body, request.headers['dlo-signature'], options.secret)) {
      return refuse(response, 401, 'Dlo-Signature is not the HMAC-SHA256 of the body');
    }
    const redrive = parse(body);
    if (typeof redrive === 'string') return refuse(response, 400, redrive);
    if (request.headers['idempotency-key'] !== headerText(redrive.idempotency_key)) {
      return refuse(response, 400, 'Idempotency-Key is not the body’s idempotency_key');
    }
    const attempt = `${redrive.attempt_id} ${redrive.idempotency_key}`;
    let running = attempts.get(attempt);
    if (!running) {
      running = runAgain(redrive, sources, options);
      attempts.set(attempt, running);
    }
    reply(response, 200, await running);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, 500, String(error)));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(options.port, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver got no port');
  return {
    url: `http://127.0.0.1:${address.port}/redrive`,
    port: address.port,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await sources.close();
    },
  };
}

async function runAgain(request: RedriveRequest, sources: Sources, options: ReceiverOptions): Promise<RedriveAnswer> {
  const told = (outcome: RedriveAnswer['outcome'], message?: string): RedriveAnswer => {
    options.on_redrive?.(`${request.task_name} ${request.idempotency_key}: ${outcome}${message ? `, ${message}` : ''}`);
    return { outcome, message };
  };
  try {
    const work = workOf(request);
    await TASKS[work.task_name](work, NEWEST_VERSION, sources);
    return told('succeeded');
  } catch (error) {
    await captureAgain(error, request, options);
    return told('failed', messageOf(error));
  }
}

/** The payload goes back as it came; the code version is the one that failed now. */
async function captureAgain(error: unknown, request: RedriveRequest, options: ReceiverOptions): Promise<void> {
  await capture(
    error,
    () => ({
      ...payloadOf(workOf(request)),
      tile_matrix_set: request.tile_matrix_set,
      task_id: request.task_id,
      // a large geometry goes back as bytes: it is either the one or the other
      payload_ref: request.geom_wkb === null ? request.payload_ref : null,
      params: request.params,
      attempt_id: request.attempt_id,
    }),
    {
      url: options.base_url,
      token: options.token,
      task_name: request.task_name,
      queue: request.queue,
      run_id: `redrive-${request.attempt_id}`,
      code_version: NEWEST_VERSION,
      timeout_ms: 10_000,
    },
  );
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 2000);
}

function isSigned(body: Buffer, signature: string | string[] | undefined, secret: string): boolean {
  if (typeof signature !== 'string') return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parse(body: Buffer): RedriveRequest | string {
  try {
    const parsed = redriveRequestSchema.safeParse(JSON.parse(body.toString('utf8')));
    return parsed.success ? parsed.data : parsed.error.message;
  } catch {
    return 'the body is not JSON';
  }
}

/** Node reads header bytes as Latin-1; a key in UTF-8 arrives so. */
function headerText(key: string): string {
  return Buffer.from(key, 'utf8').toString('latin1');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  reply(response, status, { outcome: 'rejected', message });
}

function reply(response: ServerResponse, status: number, answer: RedriveAnswer): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

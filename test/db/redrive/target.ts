import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from '@/lib/config';
import { type RedriveRequest, redriveRequestSchema } from '@/lib/contract/task';

export interface Received {
  redrive: RedriveRequest;
  text: string;
  headers: IncomingMessage['headers'];
  signed: boolean;
}

/** How the target answers one redrive. */
export type Behaviour = (response: ServerResponse, received: Received) => unknown;

export const answer =
  (status: number, body: unknown): Behaviour =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** A real target on loopback: remembers what arrived, checks the signature, answers by work key. */
export class TestTarget {
  readonly received: Received[] = [];
  readonly behaviours = new Map<string, Behaviour>();
  readonly secret = 'a shared secret';
  private readonly server = createServer((request, response) => void this.take(request, response));

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }
  get target(): Target {
    const { port } = this.server.address() as AddressInfo;
    return { type: 'webhook', url: `http://127.0.0.1:${port}/redrive`, secret: this.secret };
  }
  of(work_key: string): Received[] {
    return this.received.filter(({ redrive }) => redrive.work_key === work_key);
  }
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const text = body.toString('utf8');
    const signature = createHmac('sha256', this.secret).update(body).digest('hex');
    const received = {
      redrive: redriveRequestSchema.parse(JSON.parse(text)),
      text,
      headers: request.headers,
      signed: request.headers['dlo-signature'] === signature,
    };
    this.received.push(received);
    const behaviour = this.behaviours.get(received.redrive.work_key) ?? answer(200, { outcome: 'succeeded' });
    await behaviour(response, received);
  }
}

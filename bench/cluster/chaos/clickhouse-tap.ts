/** A proxy between one gateway and ClickHouse that sees each insert and can hold it up, so that a run can fail between two steps of a commit. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Moment = 'before' | 'after';

/** Called for each insert, before it goes on, and again before its answer does. */
export type OnInsert = (table: string, moment: Moment) => Promise<void>;

const insertInto = /^\s*INSERT INTO `?(\w+)/i;

export class ClickHouseTap {
  onInsert: OnInsert | null = null;
  readonly #server = createServer((request, response) => void this.#forward(request, response).catch(() => response.destroy()));
  #target = new URL('http://127.0.0.1');

  async listen(): Promise<void> {
    this.#server.requestTimeout = 0;
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  /** @param clickhouse address of the database @returns the address for the gateway */
  before(clickhouse: string): string {
    this.#target = new URL(clickhouse);
    const url = new URL(clickhouse);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { hostname: host, port } = this.#target;
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams.get('query') ?? '';
    const table = insertInto.exec(query)?.[1];
    const forwarded = () => send({ host, port, agent: false, method: request.method, path: request.url, headers: request.headers });
    if (table === undefined || !this.onInsert) return passOn(request, response, forwarded());
    const body = await bytesOf(request);
    await this.onInsert(table, 'before');
    // It goes on even when the gateway has gone: it was on its way.
    const insert = forwarded();
    insert.end(body);
    const [answer] = (await once(insert, 'response')) as [IncomingMessage];
    const answered = await bytesOf(answer);
    await this.onInsert(table, 'after');
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    response.end(answered);
  }
}

function passOn(request: IncomingMessage, response: ServerResponse, forwarded: ReturnType<typeof send>): void {
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

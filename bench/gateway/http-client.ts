/** A small HTTP client with keep-alive connections. It measures response times, so it does as little as possible around a request. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface HttpAnswer {
  status: number;
  body: Buffer;
  /** Milliseconds from the call to the last byte. */
  ms: number;
}

export class HttpClient {
  readonly #base: URL;
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  readonly #headers: OutgoingHttpHeaders;

  /** @param headers of every request */
  constructor(url: string, connections = 8, timeoutMs = 120_000, headers: OutgoingHttpHeaders = {}) {
    this.#base = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#timeoutMs = timeoutMs;
    this.#headers = headers;
  }

  /** Rejects only without a complete response. */
  send(method: string, path: string, own: OutgoingHttpHeaders = {}, body?: Uint8Array): Promise<HttpAnswer> {
    const began = performance.now();
    const headers = { ...this.#headers, ...own };
    const { hostname: host, port } = this.#base;
    return new Promise((resolve, reject) => {
      const sent = request({ host, port, method, path, headers, agent: this.#agent, timeout: this.#timeoutMs }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), ms: performance.now() - began }));
        response.on('error', reject);
        // When the connection breaks during a response, there is no 'end' event.
        response.on('close', () => (response.complete ? undefined : reject(new Error('The response was incomplete'))));
      });
      sent.on('timeout', () => sent.destroy(new Error(`No response within ${this.#timeoutMs} ms`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  get(path: string): Promise<HttpAnswer> {
    return this.send('GET', path);
  }

  /** @throws when the answer is not 200 */
  async json<T>(path: string): Promise<T> {
    const { status, body } = await this.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body.subarray(0, 300).toString()}`);
    return JSON.parse(body.toString()) as T;
  }

  close(): void {
    this.#agent.destroy();
  }
}

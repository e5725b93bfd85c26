/** Connection to one cloud: sends batches there only, and reads a bounded answer. */
import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { answerBytesMax, type CloudAnswer } from './verdict.ts';

const connectMs = 10_000;
const wholeMs = 30_000;
/** Codes of Node for a peer that cannot show who it is. */
const untrusted = /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|^ERR_TLS_CERT/;

export interface CloudLineOptions {
  /** Origin of the cloud. `https`, or `http` on this machine. */
  url: string;
  /** Sent with every request, only there. */
  key: string;
  appId: string;
  /** How long a whole exchange may take. */
  timeoutMs?: number;
}

/** Why nothing is ever sent to an address; null when it may be. */
export function problemOfAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return 'It is no address';
  if (url.username || url.password || url.search || url.hash) return 'An address has no name, question or mark in it';
  if (url.protocol === 'https:') return null;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'http:' && isHere ? null : 'It must begin with https://, because the key goes with every request';
}

export class CloudLine {
  readonly #options: CloudLineOptions;
  readonly #agent;
  readonly #isPlain: boolean;

  constructor(options: CloudLineOptions) {
    this.#options = options;
    this.#isPlain = new URL(options.url).protocol === 'http:';
    const kept = { keepAlive: true, maxSockets: 1, timeout: connectMs };
    this.#agent = this.#isPlain ? new HttpAgent(kept) : new HttpsAgent(kept);
  }

  /** Never rejects. @param body gzip of OTLP/JSON @param name name of the batch, for the cloud's log */
  post(path: string, body: Uint8Array, name: string): Promise<CloudAnswer> {
    const { key, appId } = this.#options;
    return this.#exchange('POST', path, body, {
      ...{ Authorization: key, 'X-Service-App-Id': appId, 'X-Service-Batch': name },
      ...{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': body.byteLength },
    });
  }

  /** Public request without the key. Never rejects. */
  look(path: string): Promise<CloudAnswer> {
    return this.#exchange('GET', path, new Uint8Array(), {});
  }

  async #exchange(method: string, path: string, body: Uint8Array, said: OutgoingHttpHeaders): Promise<CloudAnswer> {
    const { url, timeoutMs = wholeMs } = this.#options;
    const headers = { ...said, 'User-Agent': 'Glasshouse', 'Accept-Encoding': 'identity' };
    const signal = AbortSignal.timeout(timeoutMs);
    const open = this.#isPlain ? requestHttp : requestHttps;
    const sent = open(new URL(path, url), { method, headers, agent: this.#agent, signal, maxHeaderSize: 16 * 1024 });
    try {
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        sent.on('response', resolve);
        sent.on('error', reject);
      });
      sent.end(body);
      return await readAnswer(await answered);
    } catch (error) {
      const code = signal.aborted ? 'timeout' : ((error as NodeJS.ErrnoException).code ?? 'failed');
      return { kind: untrusted.test(code) ? 'untrusted' : 'unreachable', why: code };
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readAnswer(response: IncomingMessage): Promise<CloudAnswer> {
  const parts: Buffer[] = [];
  let left = answerBytesMax;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, left));
    left -= part.length;
    // Leaving the loop cuts the connection.
    if (left < 0) break;
  }
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    retryAfter: response.headers['retry-after'] ?? null,
    body: Buffer.concat(parts).toString(),
    isWhole: left >= 0,
    requestId: [response.headers['x-request-id']].flat()[0]?.slice(0, 128),
  };
}

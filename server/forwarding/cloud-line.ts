/** Connection to one cloud: sends batches there only, and reads a bounded answer. */
import { Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { answerBytesMax, type CloudAnswer } from './verdict.ts';

const connectMs = 10_000;
const exchangeMs = 30_000;
/** Error codes of Node for an invalid certificate. */
const untrusted = /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|^ERR_TLS_CERT/;

export interface CloudLineOptions {
  /** Origin of the cloud. `https`, or `http` on this machine. */
  url: string;
  /** Sent with every POST, to this origin only. */
  key: string;
  appId: string;
  /** Longest duration of a request with its answer. */
  timeoutMs?: number;
}

/** Why an address cannot be used, as a message for the user; null when it can. */
export function problemOfAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return 'It is not a valid address';
  if (url.username || url.password || url.search || url.hash) return 'An address must not contain a user name, a query or a fragment';
  if (url.protocol === 'https:') return null;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'http:' && isLocal ? null : 'It must begin with https://, because the key is sent with every request';
}

export class CloudLine {
  readonly #options: CloudLineOptions;
  readonly #agent;
  readonly #isPlain: boolean;

  constructor(options: CloudLineOptions) {
    this.#options = options;
    this.#isPlain = new URL(options.url).protocol === 'http:';
    const agentOptions = { keepAlive: true, maxSockets: 1, timeout: connectMs };
    this.#agent = this.#isPlain ? new HttpAgent(agentOptions) : new HttpsAgent(agentOptions);
  }

  /** Never rejects. @param body OTLP/JSON compressed with gzip @param name of the batch, for the log of the cloud */
  post(path: string, body: Uint8Array, name: string): Promise<CloudAnswer> {
    const { key, appId } = this.#options;
    return this.#exchange('POST', path, body, {
      ...{ Authorization: key, 'X-Service-App-Id': appId, 'X-Service-Batch': name },
      ...{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': body.byteLength },
    });
  }

  /** Public request without the key. Never rejects. */
  get(path: string): Promise<CloudAnswer> {
    return this.#exchange('GET', path, new Uint8Array(), {});
  }

  async #exchange(method: string, path: string, body: Uint8Array, ownHeaders: OutgoingHttpHeaders): Promise<CloudAnswer> {
    const { url, timeoutMs = exchangeMs } = this.#options;
    const headers = { ...ownHeaders, 'User-Agent': 'Glasshouse', 'Accept-Encoding': 'identity' };
    const signal = AbortSignal.timeout(timeoutMs);
    const open = this.#isPlain ? requestHttp : requestHttps;
    const request = open(new URL(path, url), { method, headers, agent: this.#agent, signal, maxHeaderSize: 16 * 1024 });
    try {
      const response = new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve);
        request.on('error', reject);
      });
      request.end(body);
      return await readAnswer(await response);
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
    // Leaving the loop closes the connection.
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

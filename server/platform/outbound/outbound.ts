/**
 * Sends all requests to addresses from users. The name is resolved once, every resolved address must be public, and the socket connects to
 * the checked one, so DNS rebinding has no effect. Redirects are not followed. Size and time are limited. Nothing else in server/ opens
 * connections for users.
 */
import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Destination, readDestination } from './destination.ts';
import { blockListFor, isPublicAddress } from './public-address.ts';

const answerBytesMax = 64 * 1024;
/** For the whole exchange. */
const defaultTimeoutMs = 10_000;

interface OutboundRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** How much of the answer is read; 64 KiB when absent. The rest is cut off. */
  bytesMax?: number;
}

/** `blocked`: the address is forbidden, now or always. `unreachable`: the request failed, but a later one may succeed. */
export type Outcome =
  | { kind: 'answered'; status: number; body: Buffer; isWhole: boolean; retryAfterSeconds: number | null }
  | { kind: 'blocked'; why: string }
  | { kind: 'unreachable'; why: string };

/** All addresses of a name. Rejects when it has none. */
export type Resolve = (host: string) => Promise<string[]>;

const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export class Outbound {
  readonly #trusted: ReadonlySet<string>;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;

  /** @param trusted origins from the deployment's own settings: exempt from all rules but those on size, time and redirects */
  constructor(trusted: Iterable<string> = [], resolve = systemResolve, timeoutMs = defaultTimeoutMs) {
    this.#trusted = new Set(trusted);
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  /** Why the syntax of this address forbids every request to it; null when it does not. */
  problemOf(url: string): string | null {
    const destination = readDestination(url, this.#trusted);
    return 'problem' in destination ? destination.problem : null;
  }

  /** Never rejects. @param stop ends it early, as if it could not be reached */
  async send(url: string, request: OutboundRequest, stop?: AbortSignal): Promise<Outcome> {
    const destination = readDestination(url, this.#trusted);
    if ('problem' in destination) return { kind: 'blocked', why: destination.problem };
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
    try {
      const address = await within(signal, this.#addressOf(destination));
      if (address === null) return { kind: 'blocked', why: 'The host resolves to an address that is not on the public internet' };
      return await exchange(destination, address, request, signal);
    } catch (error) {
      return { kind: 'unreachable', why: timeout.aborted ? 'timeout' : ((error as NodeJS.ErrnoException).code ?? 'failed') };
    }
  }

  /** Address to connect to. Null when any resolved address is forbidden, because a mix of public and internal addresses is an attack. */
  async #addressOf({ host, isTrusted }: Destination): Promise<string | null> {
    const addresses = isIP(host) === 0 ? await this.#resolve(host) : [host];
    const [first = null] = addresses;
    return isTrusted || addresses.every(isPublicAddress) ? first : null;
  }
}

async function exchange(destination: Destination, address: string, request: OutboundRequest, signal: AbortSignal): Promise<Outcome> {
  const { body, bytesMax = answerBytesMax } = request;
  const outgoing = open(destination, address, request, signal);
  try {
    const incoming = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
    });
    outgoing.end(body);
    const response = await incoming;
    const retryAfterSeconds = secondsOf(response.headers['retry-after']);
    return { kind: 'answered', status: response.statusCode ?? 0, retryAfterSeconds, ...(await readSome(response, bytesMax)) };
  } finally {
    outgoing.destroy();
  }
}

function open(destination: Destination, address: string, { method, headers }: OutboundRequest, signal: AbortSignal): ClientRequest {
  const { url, host } = destination;
  return (url.protocol === 'http:' ? requestHttp : requestHttps)({
    ...{ host, port: portOf(url), method, path: url.pathname + url.search, signal, maxHeaderSize: 16 * 1024 },
    // Uncompressed, so that a small answer cannot become a large one.
    headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'Glasshouse', Connection: 'close', ...headers },
    createConnection: () => dial(destination, address),
  });
}

/** Connects to the checked address only. The peer must present a certificate for the name. */
function dial({ url, host, isTrusted }: Destination, address: string): Socket {
  const socket = connect({ host: address, port: portOf(url), ...(isTrusted ? {} : { blockList: blockListFor(address) }) });
  // Checks the address of the connected socket before anything is sent; the TLS handshake comes first.
  socket.once('connect', () => {
    if (!isTrusted && !isPublicAddress(socket.remoteAddress ?? '')) socket.destroy(new Error('Connected to an address that is not public'));
  });
  if (url.protocol === 'http:') return socket;
  return connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'http:' ? 80 : 443));

async function readSome(response: IncomingMessage, bytesMax: number): Promise<{ body: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = [];
  let left = bytesMax;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, left));
    left -= part.length;
    if (left < 0) break;
  }
  return { body: Buffer.concat(parts), isWhole: left >= 0 };
}

/** Retry-After in seconds. */
const secondsOf = (header: string | undefined): number | null => (header && /^\d{1,6}$/.test(header) ? Number(header) : null);

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/**
 * Ingest of another tenant while one login opens hundreds of live streams, hundreds of connections are opened that send nothing, and thousands
 * are kept open idle: each alone, then all at once, all from the same address as the ingest.
 * `--streams 511 --silent 600 --idle 2000 --sends 100` are the sizes.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bootstrapped, bootstrap } from '../../server/entry/bootstrap.ts';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { spawnCloud } from '../forward/cloud-process.ts';
import type { Verdict } from './scenario.ts';

const owner = { email: 'mira@acme.test', password: 'a long password of mira' };
const defaultSizes = { streams: '511', silent: '600', idle: '2000', sends: '100' };

/** How many connections are opened at the same time. */
const concurrency = 50;

interface Reply {
  status: number;
  retryAfter: string | undefined;
}

interface Setup {
  url: URL;
  attacker: Bootstrapped;
  token: string;
  other: Bootstrapped;
}

/** The connections that a part keeps open, and the replies to them. Null: disconnected without a reply. */
interface Part {
  replies: (Reply | null)[];
  end(): void;
}

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make));

/** Sends one request on a connection of its own. */
async function send(url: URL, path: string, headers: Record<string, string>, body?: string): Promise<IncomingMessage> {
  const outgoing = request(new URL(path, url), { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return response;
}

const replyOf = ({ statusCode = 0, headers }: IncomingMessage): Reply => ({ status: statusCode, retryAfter: headers['retry-after'] });

async function streams({ url, token, attacker }: Setup, count: number): Promise<Part> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-App-Id': attacker.app_id };
  const responses = await times(count, () => send(url, '/v1/viewer/live', headers).catch(() => null));
  return {
    replies: responses.map((response) => response && replyOf(response)),
    end: () => {
      for (const response of responses) response?.destroy();
    },
  };
}

async function openSocket({ port, hostname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''));
  socket.on('error', () => {}).resume();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

async function silent({ url }: Setup, count: number): Promise<Part> {
  const sockets = await times(count, () => openSocket(url));
  return { replies: [], end: () => sockets.forEach((socket) => void socket.destroy()) };
}

async function idle({ url }: Setup, count: number): Promise<Part> {
  const sockets: Socket[] = [];
  const keepIdle = async (): Promise<Reply | null> => {
    const socket = await openSocket(url);
    sockets.push(socket);
    if (socket.destroyed) return null;
    const response = new Promise<Reply | null>((resolve) => {
      socket.once('data', (chunk) => {
        const head = chunk.toString('latin1');
        resolve({ status: Number(head.slice(9, 12)), retryAfter: /^retry-after: (\d+)/im.exec(head)?.[1] });
      });
      socket.once('close', () => resolve(null));
    });
    socket.write(`GET /health HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    return response;
  };
  const replies: (Reply | null)[] = [];
  while (replies.length < count) replies.push(...(await times(Math.min(concurrency, count - replies.length), keepIdle)));
  return { replies, end: () => sockets.forEach((socket) => void socket.destroy()) };
}

/** Sends batches, each on a connection of its own. @returns how many were accepted */
async function sends({ url, other }: Setup, count: number): Promise<number> {
  const headers = { Authorization: other.api_key, 'X-Service-App-Id': other.app_id, 'Content-Type': 'application/json' };
  let accepted = 0;
  for (let number = 0; number < count; number++) {
    const response = await send(url, '/v1/traces', headers, JSON.stringify(aRequest([aSpan()]))).catch(() => null);
    response?.resume();
    if (response?.statusCode === 200) accepted++;
  }
  return accepted;
}

/**
 * Whether a reply is correct: a success, a 429 or 503 with Retry-After, or a 408 on a connection that was closed before its request headers
 * arrived. A disconnect without a reply is not.
 */
const isProper = (reply: Reply | null): boolean =>
  reply !== null &&
  (reply.status === 200 || reply.status === 408 || ((reply.status === 429 || reply.status === 503) && reply.retryAfter !== undefined));

function summaryOf(replies: (Reply | null)[]): string {
  const counts = new Map<string, number>();
  for (const reply of replies) {
    const name = reply === null ? 'disconnected' : String(reply.status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ') || 'no requests';
}

async function measureDuring(what: string, setup: Setup, count: number, hold: () => Promise<Part[]>): Promise<Verdict> {
  const parts = await hold();
  const accepted = await sends(setup, count);
  for (const part of parts) part.end();
  const replies = parts.flatMap((part) => part.replies);
  const retries = new Set(replies.flatMap((reply) => reply?.retryAfter ?? []));
  const ok = accepted === count && replies.every(isProper);
  return {
    ok,
    what: `${what}: ${accepted} of ${count} batches of another tenant accepted; ${summaryOf(replies)}; Retry-After ${[...retries].sort()}`,
  };
}

export async function run(options: string[]): Promise<Verdict[]> {
  const sizeOptions = Object.fromEntries(
    Object.entries(defaultSizes).map(([name, standard]) => [name, { type: 'string', default: standard } as const]),
  );
  const { values } = parseArgs({ args: options, options: sizeOptions });
  const size = (name: keyof typeof defaultSizes) => Number(values[name]);
  const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-connections-'));
  const attacker = await bootstrap({ dataDir, ...owner, tenant: 'acme', plan: 'enterprise' });
  const blue = { email: 'otto@blue.test', password: 'a long password of otto', tenant: 'blue' };
  const other = await bootstrap({ dataDir, ...blue, plan: 'enterprise' });
  const cloud = spawnCloud(dataDir);
  try {
    const url = new URL((await cloud.ready).replace('localhost', '127.0.0.1'));
    const login = await fetch(new URL('/v1/auth/login', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(owner),
    });
    const { data } = (await login.json()) as { data: { token: string } };
    const setup: Setup = { url, attacker, other, token: data.token };
    const [s, q, i] = [() => streams(setup, size('streams')), () => silent(setup, size('silent')), () => idle(setup, size('idle'))];
    const verdicts: Verdict[] = [];
    const measure = async (what: string, ...parts: (() => Promise<Part>)[]) => {
      verdicts.push(await measureDuring(what, setup, size('sends'), () => Promise.all(parts.map((part) => part()))));
    };
    await measure(`${size('streams')} live streams of one login`, s);
    await measure(`${size('silent')} silent connections`, q);
    await measure(`${size('idle')} idle connections`, i);
    await measure('all of them at once', s, q, i);
    return verdicts;
  } finally {
    await cloud.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

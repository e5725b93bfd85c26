/**
 * Everybody else's ingest while one login opens live streams by the hundred, somebody opens connections and says nothing, and somebody keeps
 * thousands open: each alone, then all at once, all of it from the address that ingest comes from too.
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
const many = { streams: '511', silent: '600', idle: '2000', sends: '100' };

/** As many connect in one moment. */
const atOnce = 50;

interface Heard {
  status: number;
  retryAfter: string | undefined;
}

interface Stand {
  url: URL;
  attacker: Bootstrapped;
  token: string;
  other: Bootstrapped;
}

/** What a part holds open, and what it was told. Null: cut without an answer. */
interface Part {
  heard: (Heard | null)[];
  end(): void;
}

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make));

/** One request on a connection of its own. */
async function ask(url: URL, path: string, headers: Record<string, string>, body?: string): Promise<IncomingMessage> {
  const asked = request(new URL(path, url), { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

const told = ({ statusCode = 0, headers }: IncomingMessage): Heard => ({ status: statusCode, retryAfter: headers['retry-after'] });

async function streams({ url, token, attacker }: Stand, count: number): Promise<Part> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-App-Id': attacker.app_id };
  const answers = await times(count, () => ask(url, '/v1/viewer/live', headers).catch(() => null));
  return {
    heard: answers.map((answer) => answer && told(answer)),
    end: () => {
      for (const answer of answers) answer?.destroy();
    },
  };
}

async function opened({ port, hostname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''));
  socket.on('error', () => {}).resume();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

async function silent({ url }: Stand, count: number): Promise<Part> {
  const sockets = await times(count, () => opened(url));
  return { heard: [], end: () => sockets.forEach((socket) => void socket.destroy()) };
}

async function idle({ url }: Stand, count: number): Promise<Part> {
  const sockets: Socket[] = [];
  const one = async (): Promise<Heard | null> => {
    const socket = await opened(url);
    sockets.push(socket);
    if (socket.destroyed) return null;
    const answer = new Promise<Heard | null>((resolve) => {
      socket.once('data', (chunk) => {
        const head = chunk.toString('latin1');
        resolve({ status: Number(head.slice(9, 12)), retryAfter: /^retry-after: (\d+)/im.exec(head)?.[1] });
      });
      socket.once('close', () => resolve(null));
    });
    socket.write(`GET /health HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    return answer;
  };
  const heard: (Heard | null)[] = [];
  while (heard.length < count) heard.push(...(await times(Math.min(atOnce, count - heard.length), one)));
  return { heard, end: () => sockets.forEach((socket) => void socket.destroy()) };
}

/** @returns how many of so many batches were taken, each on a connection of its own */
async function sends({ url, other }: Stand, count: number): Promise<number> {
  const headers = { Authorization: other.api_key, 'X-Service-App-Id': other.app_id, 'Content-Type': 'application/json' };
  let taken = 0;
  for (let number = 0; number < count; number++) {
    const answer = await ask(url, '/v1/traces', headers, JSON.stringify(aRequest([aSpan()]))).catch(() => null);
    answer?.resume();
    if (answer?.statusCode === 200) taken++;
  }
  return taken;
}

/**
 * An answer that is no success is a 429 or 503 with a time to come back, or a 408 to a connection that was closed before the head of its
 * request had come; silence is none.
 */
const isProper = (heard: Heard | null): boolean =>
  heard !== null &&
  (heard.status === 200 || heard.status === 408 || ((heard.status === 429 || heard.status === 503) && heard.retryAfter !== undefined));

function summaryOf(heard: (Heard | null)[]): string {
  const counts = new Map<string, number>();
  for (const each of heard) {
    const name = each === null ? 'cut' : String(each.status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ') || 'no answers asked for';
}

async function during(what: string, stand: Stand, count: number, hold: () => Promise<Part[]>): Promise<Verdict> {
  const parts = await hold();
  const taken = await sends(stand, count);
  for (const part of parts) part.end();
  const heard = parts.flatMap((part) => part.heard);
  const retries = new Set(heard.flatMap((each) => each?.retryAfter ?? []));
  const ok = taken === count && heard.every(isProper);
  return {
    ok,
    what: `${what}: ${taken} of ${count} batches of another tenant taken; ${summaryOf(heard)}; Retry-After ${[...retries].sort()}`,
  };
}

export async function run(options: string[]): Promise<Verdict[]> {
  const said = Object.fromEntries(Object.entries(many).map(([name, standard]) => [name, { type: 'string', default: standard } as const]));
  const { values } = parseArgs({ args: options, options: said });
  const size = (name: keyof typeof many) => Number(values[name]);
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
    const stand: Stand = { url, attacker, other, token: data.token };
    const [s, q, i] = [() => streams(stand, size('streams')), () => silent(stand, size('silent')), () => idle(stand, size('idle'))];
    const verdicts: Verdict[] = [];
    const measure = async (what: string, ...parts: (() => Promise<Part>)[]) => {
      verdicts.push(await during(what, stand, size('sends'), () => Promise.all(parts.map((part) => part()))));
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

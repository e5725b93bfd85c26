/**
 * Asks for `/health` every 20 ms from a process of its own, over one connection that is kept open, and tells how long each answer took. It is
 * a process of its own because whoever sends the load is too busy to notice when an answer came.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HttpClient } from '../gateway/http-client.ts';
import { startHelper } from '../measure/helper-process.ts';
import { quantile } from '../measure/quantiles.ts';
import type { Verdict } from './scenario.ts';

const everyMs = 20;

export interface Waits {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

type Request = { url: string } | 'end';

/** Probes while `work` goes on. Waits are milliseconds. */
export async function probeWhile<T>(url: string, work: () => Promise<T>): Promise<{ waits: Waits; result: T }> {
  const child = startHelper(new URL(import.meta.url));
  child.send({ url } satisfies Request);
  await once(child, 'message');
  try {
    const result = await work();
    child.send('end' satisfies Request);
    const [waits] = (await once(child, 'message')) as [Waits];
    return { waits, result };
  } finally {
    child.disconnect();
  }
}

/** The probe of a gateway that has nothing else to do. */
export const probeIdle = async (url: string, ms = 5000): Promise<Waits> =>
  (await probeWhile(url, () => new Promise((resolve) => setTimeout(resolve, ms)))).waits;

/** The bar of a loop that nobody holds: p99 at most 100 ms over that of the idle gateway, the worst at most 300 ms over its worst. */
export function judgeWaits(what: string, idle: Waits, loaded: Waits): Verdict {
  const ok = loaded.count > 0 && loaded.p99 <= idle.p99 + 100 && loaded.max <= idle.max + 300;
  return { ok, what: `${what}: /health ${tell(loaded)}; idle ${tell(idle)}` };
}

const tell = ({ count, p50, p99, max }: Waits) => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms (${count})`;

async function serve(): Promise<void> {
  const [{ url }] = (await once(process, 'message')) as [{ url: string }];
  const client = new HttpClient(url, 1);
  const waits: number[] = [];
  let isEnding = false;
  process.once('message', () => (isEnding = true));
  await client.get('/health');
  process.send?.('begun');
  while (!isEnding) {
    const began = performance.now();
    await client.get('/health');
    const ms = performance.now() - began;
    waits.push(ms);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMs - ms)));
  }
  client.close();
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(waits, part)) as [number, number];
  process.send?.({ count: waits.length, p50, p99, max: Math.max(0, ...waits) } satisfies Waits);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve();

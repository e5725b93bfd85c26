/**
 * Requests `/health` every 20 ms over one keep-alive connection, and measures the response times. It is a process of its own, because the
 * process that sends the load is too busy to measure.
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

/** Probes while `work` runs. Response times are in milliseconds. */
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

/** Probes an idle gateway. */
export const probeIdle = async (url: string, ms = 5000): Promise<Waits> =>
  (await probeWhile(url, () => new Promise((resolve) => setTimeout(resolve, ms)))).waits;

/** Limits for an event loop that is not blocked: p99 at most 100 ms above that of the idle gateway, the maximum at most 300 ms above its maximum. */
export function judgeWaits(what: string, idle: Waits, loaded: Waits): Verdict {
  const ok = loaded.count > 0 && loaded.p99 <= idle.p99 + 100 && loaded.max <= idle.max + 300;
  return { ok, what: `${what}: /health ${format(loaded)}; idle ${format(idle)}` };
}

const format = ({ count, p50, p99, max }: Waits) => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms (${count})`;

async function serve(): Promise<void> {
  const [{ url }] = (await once(process, 'message')) as [{ url: string }];
  const client = new HttpClient(url, 1);
  const waits: number[] = [];
  let isEnding = false;
  process.once('message', () => (isEnding = true));
  await client.get('/health');
  process.send?.('started');
  while (!isEnding) {
    const startedAt = performance.now();
    await client.get('/health');
    const ms = performance.now() - startedAt;
    waits.push(ms);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMs - ms)));
  }
  client.close();
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(waits, part)) as [number, number];
  process.send?.({ count: waits.length, p50, p99, max: Math.max(0, ...waits) } satisfies Waits);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve();

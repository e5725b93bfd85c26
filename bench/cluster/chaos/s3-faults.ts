/** The storage of large payloads refuses, hangs or cuts connections, under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Fault } from '../../../server/cluster/s3-server.ts';
import { quantile } from '../../measure/quantiles.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import type { Ledger, SentSpan } from './ledger.ts';
import { chaosRun, compared, sendTo, statusText, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

const faults: readonly S3Fault[] = ['slow-down', 'hang', 'reset'];
const warmUpMs = 5_000;
/** Longest time for any answer. */
const answerMs = 30_000;
const appliedMs = 300_000;
const pauseMs = 500;
/** Large values that are read again and again. */
const readMax = 200;

export const s3Faults = chaosRun({
  about: 'S3 answers 503, hangs and cuts connections: everything is accepted, nobody waits for it for long, and nothing is lost',
  sizes: { seconds: 60, rate: 500, teams: 6, raw: 5000, slack: 1 },
  quick: { seconds: 8, rate: 100, teams: 3, raw: 300, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      const { s3 } = fleet.cluster;
      const limitMs = answerMs * sizes.slack;
      const first = sendTo(fleet, { seed: `${seed} before`, rate: sizes.rate, largeTexts: 0.02 });
      await sleep(warmUpMs);
      await first.sender.stop();
      await fleet.untilApplied(appliedMs);
      const stored = largeSpans(first.ledger);
      const { sender, ledger } = sendTo(fleet, { seed, rate: sizes.rate, largeTexts: 0.02, ledger: first.ledger, timeoutMs: 2 * limitMs });
      const reads: Read[] = [];
      const met: string[] = [];
      try {
        for (const fault of faults) {
          const before = s3.requests.length;
          s3.fault = fault;
          log(`S3: ${fault}`);
          reads.push(...(await readFor(sizes.seconds * 1000, fleet, stored, 2 * limitMs)));
          s3.fault = null;
          const requests = s3.requests.slice(before);
          for (const method of ['PUT', 'GET'])
            met.push(`${requests.filter((request) => request.startsWith(method)).length} ${method} met ${fault}`);
          await sleep(warmUpMs);
        }
      } finally {
        s3.fault = null;
        await sender.stop();
      }
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      return {
        figures: [...figures, `${met.join(', ')}; ${statusText(sender)}, p99 ${p99(sender.answers)}`, ...readFigures(reads)],
        problems: [
          ...problems,
          ...met.filter((text) => text.startsWith('0 ')),
          ...some(sender.answers, ({ status }) => status !== 200, 'a request'),
          ...some(reads, ({ isLarge, status }) => status !== 200 && !(isLarge && status === 503), 'a read'),
          ...some([...sender.answers, ...reads], ({ ms }) => ms > limitMs, 'a request that took too long'),
        ],
      };
    }),
});

interface Timed {
  status: number;
  ms: number;
}
interface Read extends Timed {
  /** Of a large value; otherwise of a list. */
  isLarge: boolean;
}

const largeSpans = ({ spans }: Ledger): SentSpan[] => {
  const large = [...spans.values()].filter(({ final, isFinalAcknowledged }) => isFinalAcknowledged && final?.isLarge);
  if (large.length === 0) throw new Error('No large value was sent');
  return large.slice(0, readMax);
};

/** Reads large values that are stored, and the lists of their apps. */
async function readFor(ms: number, fleet: ChaosFleet, large: readonly SentSpan[], timeoutMs: number): Promise<Read[]> {
  const reads: Read[] = [];
  const until = performance.now() + ms;
  for (let number = 0; performance.now() < until; number++) {
    const span = large[number % large.length] as SentSpan;
    const headers = headersOf(fleet.apps[span.app] as (typeof fleet.apps)[number]);
    for (const isLarge of [true, false]) {
      const path = isLarge ? `/v1/traces/${span.trace}/spans/${span.id}` : '/v1/traces?limit=20';
      const began = performance.now();
      const response = await fetch(fleet.url + path, { headers, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
      const body = await response?.arrayBuffer().catch(() => null);
      reads.push({ isLarge, status: body ? (response?.status ?? 0) : 0, ms: performance.now() - began });
    }
    await sleep(pauseMs);
  }
  return reads;
}

function readFigures(reads: readonly Read[]): string[] {
  const [large, lists] = [reads.filter(({ isLarge }) => isLarge), reads.filter(({ isLarge }) => !isLarge)];
  const refused = large.filter(({ status }) => status === 503).length;
  return [`${large.length} reads of large values, ${refused} × 503, p99 ${p99(large)}`, `${lists.length} lists, p99 ${p99(lists)}`];
}

const p99 = (all: readonly Timed[]): string =>
  `${quantile(
    all.map(({ ms }) => ms),
    0.99,
  ).toFixed(0)} ms`;

function some<T extends Timed>(all: readonly T[], isWrong: (each: T) => boolean, what: string): string[] {
  return all
    .filter(isWrong)
    .slice(0, 5)
    .map(({ status, ms }) => `${what} was answered ${status} after ${ms.toFixed(0)} ms`);
}

/** The storage of large payloads refuses, hangs or cuts connections, under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Fault } from '../../../server/cluster/s3-server.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import type { Ledger } from './ledger.ts';
import { chaosRun, compared, msUntil, quantile, sendTo, statusText, withFleet } from './run.ts';
import { headersOf } from './sender.ts';

const faults: readonly S3Fault[] = ['slow-down', 'hang', 'reset'];
const warmUpMs = 3_000;
const answerLimitMs = 30_000;
/** Between reads. */
const pauseMs = 500;

export const s3Faults = chaosRun({
  about: 'S3 answers 503, hangs and cuts connections: no request waits for it for long, and nothing is lost',
  sizes: { seconds: 60, rate: 500, teams: 6, raw: 5000, slack: 1 },
  quick: { seconds: 8, rate: 100, teams: 3, raw: 300, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      const { s3 } = fleet.cluster;
      const { sender, ledger } = sendTo(fleet, { seed, rate: sizes.rate, largeTexts: 0.02 });
      await sleep(warmUpMs);
      if (!(await msUntil(answerLimitMs, async () => s3.requests.some((request) => request.startsWith('PUT')))))
        throw new Error('Nothing was stored in S3');
      const reads: Read[] = [];
      const met: string[] = [];
      for (const fault of faults) {
        const before = s3.requests.length;
        s3.fault = fault;
        log(`S3: ${fault}`);
        reads.push(...(await readFor(sizes.seconds * 1000, fleet, ledger)));
        s3.fault = null;
        met.push(`${s3.requests.length - before} requests met ${fault}`);
        await sleep(warmUpMs);
      }
      await sender.stop();
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      const limitMs = answerLimitMs * sizes.slack;
      const slow = [...sender.answers, ...reads].filter(({ ms, status }) => ms > limitMs || status === 0);
      const wrong = sender.answers.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter !== null));
      const wrongReads = reads.filter(({ status }) => status !== 200 && status !== 503);
      const ms = (all: readonly { ms: number }[]) =>
        quantile(
          all.map((each) => each.ms),
          0.99,
        ).toFixed(0);
      return {
        figures: [
          ...figures,
          `${met.join(', ')}; ${statusText(sender)}, p99 ${ms(sender.answers)} ms`,
          `${reads.length} reads of large values, ${reads.filter(({ status }) => status === 503).length} × 503, p99 ${ms(reads)} ms`,
        ],
        problems: [
          ...problems,
          ...met.filter((text) => text.startsWith('0 ')),
          ...slow.slice(0, 5).map((answer) => `an answer (${answer.status}) took ${answer.ms.toFixed(0)} ms`),
          ...wrong.slice(0, 5).map(({ status }) => `a request was answered ${status}`),
          ...wrongReads.slice(0, 5).map(({ status, path }) => `${path} was answered ${status}`),
        ],
      };
    }),
});

interface Read {
  path: string;
  status: number;
  ms: number;
}

/** Reads spans with a large value, and the lists of their apps. */
async function readFor(ms: number, fleet: ChaosFleet, ledger: Ledger): Promise<Read[]> {
  const reads: Read[] = [];
  const large = [...ledger.spans.values()].filter(({ final, isFinalAcknowledged }) => isFinalAcknowledged && final?.isLarge);
  for (const until = performance.now() + ms; performance.now() < until; await sleep(pauseMs)) {
    const span = large[reads.length % large.length];
    if (!span) throw new Error('No large value was sent');
    for (const path of [`/v1/traces/${span.trace}/spans/${span.id}`, '/v1/traces?limit=20']) {
      const began = performance.now();
      const init = {
        headers: headersOf(fleet.apps[span.app] as (typeof fleet.apps)[number]),
        signal: AbortSignal.timeout(2 * answerLimitMs),
      };
      const response = await fetch(fleet.url + path, init).catch(() => null);
      await response?.arrayBuffer();
      reads.push({ path, status: response?.status ?? 0, ms: performance.now() - began });
    }
  }
  return reads;
}

/** A service that the gateways need goes away and comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../measure/quantiles.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import { chaosRun, compared, sendTo, statusText, withFleet } from './run.ts';
import { type Answer, headersOf, type Sender } from './sender.ts';

const warmUpMs = 3_000;
/** The journal is measured every second, and a request may have begun before. */
const boundSettlesMs = 4_000;
const refusalsMs = 5_000;
const ageLimitMs = 10 * 60_000;

export const clickhouseAway = chaosRun({
  about: 'ClickHouse is away: everything is accepted until the bound, then refused with 503 and Retry-After; reads answer 503 soon',
  sizes: { seconds: 600, rate: 2000, teams: 6, raw: 5000, slack: 1 },
  quick: { seconds: 20, rate: 200, teams: 3, raw: 200, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      // Each lane waits up to two seconds for an answer.
      const spansPerRequest = Math.max(10, Math.ceil((sizes.rate * 2) / (2 * sizes.teams)));
      const { sender, ledger } = sendTo(fleet, { seed, rate: sizes.rate, spansPerRequest });
      await sleep(warmUpMs);
      const awayAt = performance.now();
      await fleet.cluster.clickhouse.kill();
      log('ClickHouse is away');
      const reads = readEverySecond(fleet);
      await sleep(sizes.seconds * 1000);
      const readMs = await reads.stop();
      const boundAt = performance.now();
      // A short run makes what waits as old as it would be.
      const age = `UPDATE journal SET accepted_at = accepted_at - interval '${ageLimitMs} milliseconds'`;
      if (sizes.seconds * 1000 < ageLimitMs) await fleet.control(age);
      await sleep(boundSettlesMs + refusalsMs);
      const backAt = performance.now();
      await fleet.cluster.clickhouse.start();
      log('ClickHouse is back');
      await sender.stop();
      const before = sender.answers.filter(({ at }) => at > awayAt && at < boundAt);
      const after = sender.answers.filter(({ at }) => at > boundAt + boundSettlesMs && at < backAt);
      const { figures, problems } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      const drainedS = (performance.now() - backAt) / 1000;
      const away = `away for ${sizes.seconds} s: ${before.length} answers, ${before.filter(({ status }) => status !== 200).length} not 200`;
      const refused = `then ${after.length} answers, ${after.filter((answer) => !isRefusal(answer)).length} not 503 with Retry-After`;
      return {
        figures: [...figures, away, refused, `drained and compared after ${drainedS.toFixed(0)} s`, reads.text(readMs), statusText(sender)],
        problems: [
          ...problems,
          ...wrongAnswers(before, ({ status }) => status === 200, 'before the bound'),
          ...wrongAnswers(after, isRefusal, 'after the bound'),
          ...(after.length === 0 ? ['nothing was answered after the bound'] : []),
          ...reads.problems(readMs, 2000 * sizes.slack),
        ],
      };
    }),
});

const isRefusal = ({ status, retryAfter }: Answer): boolean => status === 503 && retryAfter !== null;

function wrongAnswers(answers: readonly Answer[], isRight: (answer: Answer) => boolean, when: string): string[] {
  return answers
    .filter((answer) => !isRight(answer))
    .slice(0, 5)
    .map(({ status, retryAfter }) => `answered ${status}, Retry-After ${retryAfter}, ${when}`);
}

interface Read {
  status: number;
  ms: number;
}

/** Reads a list at each gateway in turn. */
function readEverySecond(fleet: ChaosFleet) {
  const stopping = new AbortController();
  const reading = (async () => {
    const reads: Read[] = [];
    const urls = [...fleet.cluster.instances.values()];
    for (let number = 0; !stopping.signal.aborted; number++) {
      const began = performance.now();
      const headers = headersOf(fleet.apps[number % fleet.apps.length] as (typeof fleet.apps)[number]);
      const response = await fetch(`${urls[number % urls.length]}/v1/traces?limit=5`, { headers });
      await response.arrayBuffer();
      reads.push({ status: response.status, ms: performance.now() - began });
      await sleep(1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return reads;
  })();
  return {
    stop: () => {
      stopping.abort();
      return reading;
    },
    text: (reads: Read[]) =>
      `${reads.length} reads meanwhile, p95 ${quantile(
        reads.map(({ ms }) => ms),
        0.95,
      ).toFixed(0)} ms`,
    problems: (reads: Read[], limitMs: number) => [
      ...reads.filter(({ status }) => status !== 503).map(({ status }) => `a read without ClickHouse was answered ${status}`),
      ...reads.filter(({ ms }) => ms > limitMs).map(({ ms }) => `a read without ClickHouse was answered after ${ms.toFixed(0)} ms`),
    ],
  };
}

export const postgresRestart = chaosRun({
  about: 'PostgreSQL ends at once and starts again, under load',
  sizes: { times: 10, every: 15, rate: 2000, teams: 6, raw: 5000, slack: 1 },
  quick: { times: 2, every: 5, rate: 200, teams: 3, raw: 200, slack: 5 },
  run: ({ sizes, seed, instances, log }) =>
    withFleet({ instances, teams: sizes.teams }, async (fleet) => {
      const { sender, ledger } = sendTo(fleet, { seed, rate: sizes.rate });
      const problems: string[] = [];
      const limitMs = 5000 * sizes.slack;
      const refusedMs: number[] = [];
      await sleep(sizes.every * 1000);
      let leases = await leasesOf(fleet);
      for (let time = 0; time < sizes.times; time++) {
        await fleet.cluster.postgres.endAtOnce();
        await fleet.cluster.postgres.start();
        const backAt = performance.now();
        await sleep(limitMs + sizes.every * 1000);
        refusedMs.push(refusedUntil(sender, backAt));
        log(`restart ${time + 1} of ${sizes.times}: refused for ${refusedMs.at(-1)?.toFixed(0)} ms after it was back`);
        const now = await leasesOf(fleet);
        problems.push(...wrongLeases(leases, now));
        leases = now;
      }
      const lastMs = Math.max(...refusedMs);
      if (lastMs > limitMs) problems.push(`requests were refused for ${lastMs.toFixed(0)} ms after PostgreSQL was back`);
      await sender.stop();
      const { figures, problems: different } = await compared(fleet, ledger, { seed, raw: sizes.raw });
      const refused = `${sizes.times} restarts, refused for ${lastMs.toFixed(0)} ms after it was back at most; ${statusText(sender)}`;
      return { figures: [...figures, refused], problems: [...problems, ...different] };
    }),
});

/** Milliseconds after a moment until the first 200 that no refusal follows; infinite without one. */
function refusedUntil({ answers }: Sender, since: number): number {
  const after = answers.filter(({ at }) => at > since).sort((a, b) => a.at - b.at);
  const first = after[after.findLastIndex(({ status }) => status !== 200) + 1];
  return first ? first.at - since : Number.POSITIVE_INFINITY;
}

interface LeaseRow {
  name: string;
  holder: string;
  epoch: string;
}

const leasesOf = (fleet: ChaosFleet): Promise<LeaseRow[]> => fleet.control<LeaseRow>('SELECT name, holder, epoch FROM lease');

/** An epoch never falls, and grows with another holder. */
function wrongLeases(before: readonly LeaseRow[], after: readonly LeaseRow[]): string[] {
  const known = new Map(before.map((lease) => [lease.name, lease]));
  return after.flatMap(({ name, holder, epoch }) => {
    const old = known.get(name);
    if (!old) return [];
    const least = BigInt(old.epoch) + (old.holder === holder ? 0n : 1n);
    return BigInt(epoch) < least
      ? [`lease ${name} has epoch ${epoch} after ${old.epoch} of ${old.holder === holder ? 'the same' : 'another'} gateway`]
      : [];
  });
}

/** Goals of large stores, long runs and maintenance. Most are measured with `--full`, `--huge` or `--sustained` only. */
import { median } from '../measure/quantiles.ts';
import type { ReadMeasure } from '../measure/reads.ts';
import { formats } from '../traffic/formats.ts';
import type { Outcome, Verdict } from './goals.ts';
import type { Results } from './results.ts';

const million = 1_000_000;
const parseGoal = 5;

export function limitVerdicts(results: Results): Verdict[] {
  return [
    ...parseVerdicts(results),
    ...coldVerdicts(results),
    ...sizeVerdicts(results),
    ...sustainedVerdicts(results),
    ...restVerdicts(results),
    ...(results.maintenance ?? []).map(({ ok, what }) => ({
      goal: 'during maintenance: ack p99 ≤ +100 ms, copies complete',
      measured: what,
      outcome: word(ok),
    })),
  ];
}

const word = (isMet: boolean): Outcome => (isMet ? 'met' : 'not met');

/** CPU time is hardly affected by other processes, so these are never too noisy. */
function parseVerdicts({ rounds }: Results): Verdict[] {
  return formats.map((format) => {
    const ratio = median(rounds.map(({ gateway, parse }) => gateway[format].cpuUsPerSpan / parse.cpuUsPerSpan));
    return {
      goal: `processor of ingest, ${format}: ≤ ${parseGoal} × JSON.parse of the same spans`,
      measured: `${ratio.toFixed(1)} ×`,
      outcome: word(ratio <= parseGoal),
    };
  });
}

function coldVerdicts({ coldRounds }: Results): Verdict[] {
  return formats.flatMap((format) => {
    const pairs = coldRounds.flatMap((round) => {
      const [ours, before] = [round[`ours ${format}`], round[`before ${format}`]];
      return ours && before ? [{ ours, before }] : [];
    });
    if (pairs.length === 0) return [];
    const rate = median(pairs.map(({ ours, before }) => ours.spansPerS / before.spansPerS));
    const cpu = median(pairs.map(({ ours, before }) => ours.cpuUsPerSpan / before.cpuUsPerSpan));
    return {
      goal: `from an empty start, ${format}: ≥ 2 × the rate of the other checkout, processor ≤ half`,
      measured: `${rate.toFixed(2)} × the rate, ${cpu.toFixed(2)} × the processor`,
      outcome: word(rate >= 2 && cpu <= 0.5),
    };
  });
}

interface Sized {
  spans: number;
  reads: ReadMeasure[];
  limitReads: ReadMeasure[];
}

/** The slowest p95 of some reads against a limit; a 503 never meets it. */
function slowest(goal: string, reads: ReadMeasure[], limitMs: number, isLarge: boolean): Verdict[] {
  if (reads.length === 0) return [];
  const worst = reads.reduce((most, read) => (read.p95 > most.p95 ? read : most));
  const refused = reads.reduce((sum, read) => sum + read.refused, 0);
  const isMet = worst.p95 <= limitMs && refused === 0;
  return [
    {
      goal: `${goal}: p95 ≤ ${limitMs} ms`,
      measured: `${worst.p95.toFixed(1)} ms (${worst.name})${refused > 0 ? `, ${refused} × 503` : ''}`,
      outcome: isMet && !isLarge ? 'so far' : word(isMet),
    },
  ];
}

function sizeVerdicts({ growth, huge, unindexed }: Results): Verdict[] {
  const last = growth.stages.at(-1);
  const named = (sized: Sized, ...starts: string[]) =>
    [...sized.reads, ...sized.limitReads].filter(({ name }) => starts.some((start) => name.startsWith(start)));
  const content = (reads: ReadMeasure[]) => reads.filter(({ name }) => name.includes('contains'));
  const isMillion = (last?.spans ?? 0) >= million;
  const isHuge = (huge?.spans ?? 0) >= 10 * million;
  return [
    ...(last ? slowest('traces and spans by content, 1 M', content(last.limitReads), 200, isMillion) : []),
    ...(unindexed ? slowest('the same right after a start, nothing indexed', content(unindexed.filters), 200, true) : []),
    ...(last ? slowest('spans by each field, with total, 1 M', named(last, 'spans by'), 50, isMillion) : []),
    ...(huge
      ? [
          ...slowest('traces and spans by content, 10 M', content(huge.limitReads), 400, isHuge),
          ...slowest('spans by each field, with total, 10 M', named(huge, 'spans by'), 150, isHuge),
          ...slowest('list, first page, 10 M', named(huge, 'list, first page'), 8, isHuge),
          ...slowest('deep pages of traces and spans, 10 M', named(huge, 'traces, deep', 'spans, deep'), 30, isHuge),
          ...slowest('sessions, 10 M', named(huge, 'sessions'), 10, isHuge),
          ...slowest('facets and histogram, 10 M', named(huge, 'facets', 'histogram'), 40, isHuge),
        ]
      : []),
  ];
}

function sustainedVerdicts({ sustained, growth }: Results): Verdict[] {
  const logged = sustained?.logBytesPerSpan ?? growth.stages.at(-1)?.logBytesPerSpan ?? Number.NaN;
  const log = { goal: 'log written under load: ≤ 1,200 B/span', measured: `${logged.toFixed(0)} B/span`, outcome: word(logged <= 1200) };
  if (!sustained) return [log];
  const { minutes, indexLagS, indexShare, acks } = sustained;
  const during = `${minutes} minutes at half the peak rate`;
  return [
    log,
    { goal: `${during}: index lag ≤ 30 s`, measured: `${indexLagS.toFixed(0)} s`, outcome: word(indexLagS <= 30) },
    { goal: `${during}: ack p99 ≤ 100 ms`, measured: `${acks.p99.toFixed(0)} ms`, outcome: word(acks.p99 <= 100) },
    {
      goal: `${during}: index ≤ 15 % of ingest's processor`,
      measured: `${(indexShare * 100).toFixed(0)} %`,
      outcome: word(indexShare <= 0.15),
    },
  ];
}

function restVerdicts({ atRest, huge }: Results): Verdict[] {
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const largest = huge && Math.max(huge.rssAfterIngest, huge.rssAfterReads);
  return [
    ...(atRest ? [{ goal: 'RSS, empty: ≤ 130 MB', measured: mb(atRest.local.rss), outcome: word(atRest.local.rss <= 130e6) }] : []),
    ...(largest !== undefined ? [{ goal: 'RSS, 10 M: ≤ 400 MB', measured: mb(largest), outcome: word(largest <= 400e6) }] : []),
    ...(atRest
      ? (['local', 'cloud'] as const).map((which) => ({
          goal: `at rest, ${which}: ≤ 0.5 % of a processor`,
          measured: `${(atRest[which].cpu * 100).toFixed(2)} %`,
          outcome: word(atRest[which].cpu <= 0.005),
        }))
      : []),
  ];
}

/** The goals that this benchmark measures, and whether a run met them. */
import { median } from '../measure/quantiles.ts';
import { type Format, formats } from '../traffic/formats.ts';
import { limitVerdicts } from './limit-goals.ts';
import type { Results } from './results.ts';

export type Outcome = 'met' | 'not met' | 'so far' | 'too noisy to say';

export interface Verdict {
  goal: string;
  measured: string;
  outcome: Outcome;
}

const million = 1_000_000;
/** When unrelated processes use more processors than this, a ratio says as much about them as about the gateway. */
const otherCpuMax = 0.25;
const durableGoal = 0.45;

/** The rate of the gateway divided by that of the raw insert, for each round. */
export function ratios({ rounds }: Results, format: Format): number[] {
  return rounds.map(({ raw, gateway }) => gateway[format].spansPerS / raw.spansPerS);
}

export function verdicts(results: Results): Verdict[] {
  return [...ingestVerdicts(results), ...storeVerdicts(results), ...processVerdicts(results), ...limitVerdicts(results)];
}

/** Noise distorts a ratio in both directions. */
function ingestVerdicts(results: Results): Verdict[] {
  const noise = median(results.rounds.flatMap(({ raw, gateway }) => [raw.otherCpu, ...formats.map((format) => gateway[format].otherCpu)]));
  return formats.map((format) => {
    const ratio = median(ratios(results, format));
    const outcome = noise > otherCpuMax ? 'too noisy to say' : ratio >= durableGoal ? 'met' : 'not met';
    return { goal: `durable ingest, ${format}: ≥ 45 %, later 60 %, of the raw insert rate`, measured: percent(ratio), outcome };
  });
}

/** Goals that depend on the size of the store. A goal for a million spans cannot be met with fewer, but can be missed. */
function storeVerdicts({ growth, coldStarts }: Results): Verdict[] {
  const last = growth.stages.at(-1);
  const isMillion = (last?.spans ?? 0) >= million;
  const size = last ? `${Math.round(last.spans / 1000)} k spans` : '';
  const isNoisy = (last?.otherCpuDuringReads ?? 0) > otherCpuMax;
  const p95 = (name: string): number => last?.reads.find((read) => read.name === name)?.p95 ?? Number.NaN;
  const timed = (isMet: boolean): Outcome => (isMet ? (isMillion ? 'met' : 'so far') : isNoisy ? 'too noisy to say' : 'not met');
  const sized = (isMet: boolean): Outcome => (isMet ? (isMillion ? 'met' : 'so far') : 'not met');
  const [list, deep, detail] = [p95('list, first page'), p95('list, deep page'), p95('trace of 1,000')];
  const filter = (name: string): number => last?.filters.find((read) => read.name === `traces: ${name}`)?.p95 ?? Number.NaN;
  const keyed = Math.max(...['model =', 'status =', 'user_id =', 'metadata.k =', 'cost >', 'score__x >'].map(filter));
  const [rare, common] = [filter('input contains, rare'), filter('input contains, common')];
  const rss = Math.max(last?.rssAfterIngest ?? 0, last?.rssAfterReads ?? 0) / 1e6;
  const cold = median(coldStarts.map(({ portMs }) => portMs));
  return [
    { goal: 'list, first page: p95 ≤ 5 ms at 1 M', measured: `${ms(list)} at ${size}`, outcome: timed(list <= 5) },
    { goal: 'list, deep page: p95 ≤ 5 ms at 1 M', measured: `${ms(deep)} at ${size}`, outcome: timed(deep <= 5) },
    { goal: 'trace of 1,000 spans with payloads: p95 ≤ 40 ms', measured: `${ms(detail)} at ${size}`, outcome: timed(detail <= 40) },
    {
      goal: 'keyed filters of traces, with total: p95 ≤ 40 ms at 1 M',
      measured: `${ms(keyed)} at ${size}, the slowest`,
      outcome: timed(keyed <= 40),
    },
    { goal: 'traces, input contains a rare word: p95 ≤ 200 ms at 1 M', measured: `${ms(rare)} at ${size}`, outcome: timed(rare <= 200) },
    {
      goal: 'traces, input contains a common word: p95 ≤ 200 ms at 1 M',
      measured: `${ms(common)} at ${size}`,
      outcome: timed(common <= 200),
    },
    { goal: 'RSS after 1 M spans: ≤ 350 MB', measured: `${rss.toFixed(0)} MB at ${size}`, outcome: sized(rss <= 350) },
    { goal: 'cold start, port open on a 1 M store: ≤ 400 ms', measured: `${ms(cold)} at ${size}`, outcome: timed(cold <= 400) },
  ];
}

function processVerdicts({ growth, loop }: Results): Verdict[] {
  const wall = Math.max(...loop.bodies.map(({ maxMs }) => maxMs));
  const own = Math.max(...loop.bodies.map(({ ownMaxMs }) => ownMaxMs));
  const list = growth.mixed.list.p95;
  // A long delay with little CPU time of the thread: other processes had the processor.
  const loopWord = wall <= 50 ? 'met' : own <= 50 ? 'too noisy to say' : 'not met';
  return [
    {
      goal: 'disk: ≤ 950 B/span',
      measured: `${growth.bytesPerSpan.toFixed(0)} B/span`,
      outcome: growth.bytesPerSpan <= 950 ? 'met' : 'not met',
    },
    { goal: 'event loop during 20 MiB bodies: ≤ 50 ms', measured: `${ms(wall)} at most, ${ms(own)} of it own CPU time`, outcome: loopWord },
    { goal: 'list p95 while 300 spans/s come in: ≤ 10 ms', measured: ms(list), outcome: list <= 10 ? 'met' : 'not met' },
  ];
}

export const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`;
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

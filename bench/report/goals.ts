/** The goals of docs/performance.md that this benchmark can see, and whether a run met them. */
import { median } from '../measure/quantiles.ts';
import type { ReadMeasure } from '../measure/reads.ts';
import { type Format, formats } from '../traffic/formats.ts';
import type { Results } from './results.ts';

export interface Verdict {
  goal: string;
  measured: string;
  /** Null when the run was too small to say. */
  isMet: boolean | null;
}

const million = 1_000_000;

/** Gateway against raw insert, round by round on the same spans. */
export function ratios({ rounds }: Results, format: Format): number[] {
  return rounds.map(({ raw, gateway }) => gateway[format].spansPerS / raw.spansPerS);
}

export function verdicts(results: Results): Verdict[] {
  const { growth, coldStarts, loop } = results;
  const last = growth.stages.at(-1);
  const isMillion = (last?.spans ?? 0) >= million;
  const size = last ? `${Math.round(last.spans / 1000)} k spans` : '';
  const read = (name: string): ReadMeasure | undefined => last?.reads.find((each) => each.name === name);
  /** A goal for a million spans is not met by fewer; missed by fewer, it is missed. */
  const atMillion = (isMet: boolean): boolean | null => (isMillion || !isMet ? isMet : null);
  const best = Math.max(...formats.map((format) => median(ratios(results, format))), Number.NEGATIVE_INFINITY);
  const verdictsOfFormats = formats.map((format): Verdict => {
    const ratio = median(ratios(results, format));
    return { goal: `durable ingest, ${format}: ≥ 45 % of the raw insert rate`, measured: percent(ratio), isMet: ratio >= 0.45 };
  });
  const list = read('list, first page')?.p95 ?? Number.NaN;
  const deep = read('list, deep page')?.p95 ?? Number.NaN;
  const detail = read('trace of 1,000')?.p95 ?? Number.NaN;
  const cold = median(coldStarts.map(({ portMs }) => portMs));
  const worstLoop = Math.max(...loop.bodies.map(({ maxMs }) => maxMs));
  const rss = Math.max(last?.rssAfterIngest ?? 0, last?.rssAfterReads ?? 0) / 1e6;
  return [
    ...verdictsOfFormats,
    { goal: 'best format against the second goal: ≥ 60 %', measured: percent(best), isMet: best >= 0.6 },
    { goal: 'list, first page: p95 ≤ 5 ms at 1 M', measured: `${ms(list)} at ${size}`, isMet: atMillion(list <= 5) },
    { goal: 'list, deep page: p95 ≤ 5 ms at 1 M', measured: `${ms(deep)} at ${size}`, isMet: atMillion(deep <= 5) },
    { goal: 'trace of 1,000 spans with payloads: p95 ≤ 40 ms', measured: `${ms(detail)} at ${size}`, isMet: detail <= 40 },
    { goal: 'RSS after 1 M spans: ≤ 400 MB', measured: `${rss.toFixed(0)} MB at ${size}`, isMet: atMillion(rss <= 400) },
    { goal: 'disk: ≤ 1,000 B/span', measured: `${growth.bytesPerSpan.toFixed(0)} B/span`, isMet: growth.bytesPerSpan <= 1000 },
    {
      goal: 'event loop during 20 MiB bodies: ≤ 50 ms',
      measured: `${ms(worstLoop)} at most, ${ms(loop.control.maxMs)} without bodies`,
      isMet: worstLoop <= 50,
    },
    { goal: 'cold start, port open on a 1 M store: ≤ 400 ms', measured: `${ms(cold)} at ${size}`, isMet: atMillion(cold <= 400) },
    { goal: 'list p95 while 300 spans/s come in: ≤ 10 ms', measured: ms(growth.mixed.list.p95), isMet: growth.mixed.list.p95 <= 10 },
  ];
}

export const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`;
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

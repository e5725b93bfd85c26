/** What a figure is beside what it was in the period before, in words. */
import type { ActivityFigures } from '../../../shared/contract/viewer/activity.ts';
import { cost, count, duration, percent } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import type { ListedFigure } from '../../ui/primitives/figure-list.tsx';

/** Of fewer values there is no 95th percentile, and they are not compared. */
export const fewMax = 29;

const time = (ms: number) => duration(milliseconds(ms));

/** `+18 %`, `−4 %`, `unchanged`. */
export function change(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'unchanged' : 'none before';
  const share = now / before - 1;
  if (Math.abs(share) < 0.005) return 'unchanged';
  return `${share > 0 ? '+' : '−'}${share >= 9.995 ? count(share * 100) : Math.round(Math.abs(share) * 100)} %`;
}

/** A change that deserves a look, of a figure that should be low. */
const worseFrom = 1.2;
/** A share of fewer traces varies by itself. */
const worseCountMin = 10;
const isWorse = (now: number, before: number) => before > 0 && now >= before * worseFrom;

/** @param before null when it is not compared @param words `the hour before` */
export function figuresOf(now: ActivityFigures, before: ActivityFigures | null, words: string): ListedFigure[] {
  const isFew = before !== null && before.traces <= fewMax;
  const compared = before !== null && !isFew ? before : null;
  const tooFew = isFew ? 'too few to compare' : '';
  const changed = (read: (figures: ActivityFigures) => number) => (compared ? `${change(read(now), read(compared))}` : tooFew);
  return [
    { name: 'Traces', value: count(now.traces), note: isFew ? `${count(before.traces)} in ${words}` : changed(({ traces }) => traces) },
    shareFigure('Failed', now, compared, ({ errors }) => errors),
    shareFigure('Errors inside', now, compared, ({ errors_inside }) => errors_inside),
    { name: 'Cost', value: now.cost > 0 ? cost(now.cost) : '—', note: now.cost > 0 ? changed(({ cost: usd }) => usd) : '' },
    latencyFigure(
      'Latency',
      now.traces,
      [now.p50_ms, now.p95_ms],
      compared && [compared.traces, compared.p50_ms, compared.p95_ms],
      'traces',
    ),
    latencyFigure(
      'First token',
      now.first_tokens,
      [now.first_token_p50_ms, now.first_token_p95_ms],
      compared && [compared.first_tokens, compared.first_token_p50_ms, compared.first_token_p95_ms],
      'calls',
    ),
    cacheFigure(now, compared),
  ];
}

function shareFigure(
  name: string,
  now: ActivityFigures,
  before: ActivityFigures | null,
  read: (figures: ActivityFigures) => number,
): ListedFigure {
  const share = read(now) / Math.max(1, now.traces);
  const was = before && read(before) / before.traces;
  const note = read(now) === 0 && !was ? '' : `${percent(share)}${was === null ? '' : `, was ${percent(was)}`}`;
  return {
    name,
    value: count(read(now)),
    note,
    isWorse: was !== null && read(now) >= worseCountMin && share >= was * worseFrom && share - was >= 0.005,
  };
}

type Percentiles = readonly [p50: number | null, p95: number | null];

/** The 95th percentile, or the median of a few values. */
function latencyFigure(
  name: string,
  values: number,
  [p50, p95]: Percentiles,
  before: readonly [values: number, ...Percentiles] | null,
  noun: string,
): ListedFigure {
  if (p50 === null || p95 === null) return { name, value: '—', note: '' };
  if (values <= fewMax) return { name: `${name}, median`, value: time(p50), note: `too few ${noun} for p95` };
  const was = before && before[0] > fewMax ? before[2] : null;
  const note = `${was === null ? '' : `was ${time(was)}, `}p50 ${time(p50)}`;
  return { name: `${name} p95`, value: time(p95), note, isWorse: was !== null && isWorse(p95, was) };
}

function cacheFigure(now: ActivityFigures, before: ActivityFigures | null): ListedFigure {
  const share = ({ cache_read_tokens, input_tokens }: ActivityFigures) => (input_tokens > 0 ? cache_read_tokens / input_tokens : null);
  const [is, was] = [share(now), before && share(before)];
  if (is === null) return { name: 'Read from cache', value: '—', note: '' };
  return {
    name: 'Read from cache',
    value: percent(is),
    note: was === null ? 'of input tokens' : `was ${percent(was)}`,
    isWorse: was !== null && was - is >= 0.1,
  };
}

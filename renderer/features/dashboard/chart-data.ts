/** What each chart of the dashboard draws. */
import type { Activity, ActivityStep } from '../../../shared/contract/viewer/activity.ts';
import type { ActivityBreakdown } from '../../../shared/contract/viewer/activity-shape.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import type { Series } from '../../ui/charts/time-series.tsx';
import type { Shown } from './activity-query.ts';
import { fewMax } from './comparison.ts';
import { bySteps, periodBefore } from './period.ts';

export const chartIds = ['traces', 'latency', 'cost', 'tokens', 'first-token', 'errors'] as const;
export type ChartId = (typeof chartIds)[number];
export const usualCharts: readonly ChartId[] = ['traces', 'latency', 'cost', 'tokens'];

export const chartTitles: Record<ChartId, string> = {
  traces: 'Traces',
  latency: 'Latency',
  cost: 'Cost',
  tokens: 'Tokens by kind',
  'first-token': 'First token',
  errors: 'Errors',
};

export interface ChartData {
  title: string;
  value: string;
  form: 'columns' | 'lines';
  format: (value: number) => string;
  series: Series[];
  /** Of the traces that it opens. */
  filter?: string;
}

const time = (ms: number) => duration(milliseconds(ms));
const costTones = ['llm', 'llmHalf', 'llmFaint'] as const;
/** Groups that have each cost once, so that they can be stacked. */
const stackable: readonly ActivityBreakdown[] = ['model', 'prompt', 'user'];

type Steps = readonly (ActivityStep | null)[];
type Read<T> = (step: ActivityStep) => T;

const of = (steps: Steps, read: Read<number | null>) => steps.map((step) => (step ? read(step) : null));

export function chartOf(id: ChartId, data: Shown): ChartData {
  const { activity, shown } = data;
  const steps = bySteps(shown, activity.steps);
  const { totals } = activity;
  const title = chartTitles[id];
  switch (id) {
    case 'traces':
      return {
        ...{ title, value: count(totals.traces), form: 'columns', format: count },
        series: [
          { name: 'no errors', tone: 'quiet', values: of(steps, ({ traces, errors, errors_inside }) => traces - errors - errors_inside) },
          { name: 'errors inside', tone: 'errHalf', values: of(steps, ({ errors_inside }) => errors_inside) },
          { name: 'failed', tone: 'err', values: of(steps, ({ errors }) => errors) },
        ],
      };
    case 'errors':
      return {
        ...{ title, value: count(totals.errors + totals.errors_inside), form: 'columns', format: count, filter: 'errors > 0' },
        series: [
          { name: 'failed', tone: 'err', values: of(steps, ({ errors }) => errors) },
          { name: 'errors inside', tone: 'errHalf', values: of(steps, ({ errors_inside }) => errors_inside) },
        ],
      };
    case 'latency':
      return percentiles(title, data, totals.traces, [totals.p50_ms, totals.p95_ms], ({ p50_ms, p95_ms }) => [p50_ms, p95_ms]);
    case 'first-token':
      return percentiles(title, data, totals.first_tokens, [totals.first_token_p50_ms, totals.first_token_p95_ms], (step) => [
        step.first_token_p50_ms,
        step.first_token_p95_ms,
      ]);
    case 'cost':
      return costs(activity, steps, data.view.by ?? 'model');
    case 'tokens':
      return {
        ...{ title, value: tokens(totals.input_tokens + totals.output_tokens), form: 'columns', format: tokens },
        series: [
          { name: 'from cache', tone: 'cached', values: of(steps, ({ cache_read_tokens }) => cache_read_tokens) },
          { name: 'input', tone: 'accent', values: of(steps, (step) => Math.max(0, step.input_tokens - step.cache_read_tokens)) },
          { name: 'output', tone: 'llm', values: of(steps, ({ output_tokens }) => output_tokens) },
        ],
      };
  }
}

type Pair = readonly [p50: number | null, p95: number | null];

function percentiles(
  title: string,
  { activity, before, period, shown }: Shown,
  values: number,
  [p50, p95]: Pair,
  read: Read<Pair>,
): ChartData {
  const steps = bySteps(shown, activity.steps);
  const isFew = values <= fewMax;
  const earlier = before && shown === period ? periodBefore(period) : null;
  const was = before && earlier && before.totals.traces > fewMax ? bySteps(earlier, before.steps) : null;
  const main = isFew ? p50 : p95;
  return {
    ...{ title, value: main === null ? '' : `${isFew ? 'median' : 'p95'} ${time(main)}`, form: 'lines', format: time },
    series: [
      ...(was ? [{ name: 'p95 before', tone: 'quiet', isDashed: true, values: of(was, (step) => read(step)[1]) } as const] : []),
      { name: 'p95', tone: 'accent', values: of(steps, (step) => read(step)[1]) },
      { name: 'p50', tone: 'quiet', values: of(steps, (step) => read(step)[0]) },
    ],
  };
}

function costs({ totals, groups }: Activity, steps: Steps, by: ActivityBreakdown): ChartData {
  const all = of(steps, ({ cost: usd }) => usd);
  const chart = { value: totals.cost > 0 ? cost(totals.cost) : '', form: 'columns', format: cost } as const;
  const priced = groups.filter(({ cost: usd }) => usd > 0);
  if (!stackable.includes(by) || priced.length < 2)
    return { ...chart, title: 'Cost', series: [{ name: 'cost', tone: 'llm', values: all }] };
  const top = priced.slice(0, costTones.length);
  const rest = all.map((usd, i) => Math.max(0, (usd ?? 0) - top.reduce((sum, { series }) => sum + (series[i] ?? 0), 0)));
  const hasRest = priced.length > top.length;
  return {
    ...{ ...chart, title: `Cost by ${by}` },
    series: [
      ...top.map(({ name, series }, i) => ({ name: name || `no ${by}`, tone: costTones[i] ?? 'llm', values: series })),
      ...(hasRest ? [{ name: 'others', tone: 'quiet', values: rest } as const] : []),
    ],
  };
}

/** Cost added up over the range, beside that of the period before at the same time. */
export function addedUpCost({ activity, before, period, shown }: Shown): ChartData {
  const earlier = before && shown === period ? periodBefore(period) : null;
  const now = runningSums(bySteps(shown, activity.steps));
  const was = before && earlier && before.totals.cost > 0 ? runningSums(bySteps(earlier, before.steps)) : null;
  return {
    ...{ title: 'Cost, added up', value: activity.totals.cost > 0 ? cost(activity.totals.cost) : '', form: 'lines', format: cost },
    series: [
      { name: 'cost', tone: 'accent', values: now },
      ...(was ? [{ name: 'before', tone: 'quiet', isDashed: true, values: was } as const] : []),
    ],
  };
}

function runningSums(steps: Steps): number[] {
  let sum = 0;
  return steps.map((step) => {
    sum += step?.cost ?? 0;
    return sum;
  });
}

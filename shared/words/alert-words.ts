/** Figures of alerts for people: the same in notifications and in the viewer. */
import type { alertMetric } from '../contract/operations/alert-draft.ts';

type Metric = (typeof alertMetric)['options'][number];

const short = (value: number, decimals: number): string => String(Number(value.toFixed(decimals)));

function duration(ms: number): string {
  const whole = Math.round(ms);
  if (whole < 1000) return `${ms > 0 && whole === 0 ? short(ms, 2) : whole} ms`;
  if (ms < 59_950) return `${short(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Small amounts keep two significant digits. */
function dollars(usd: number): string {
  if (usd === 0) return '$0';
  if (usd >= 0.01) return `$${usd.toFixed(2)}`;
  return usd < 1e-10 ? '<$0.0000000001' : `$${usd.toFixed(1 - Math.floor(Math.log10(usd)))}`;
}

/** `30.8 %`, `1.2 s`, `$0.42`, `3`, `0.667`. */
export function alertFigure(metric: Metric, value: number): string {
  if (metric === 'error_rate') return `${short(value, 1)} %`;
  if (metric === 'latency') return duration(value);
  if (metric === 'cost') return dollars(value);
  return String(Number(value.toPrecision(metric === 'evaluation_score' ? 3 : 15)));
}

const exact: Record<Metric, (value: number) => string> = {
  error_rate: (value) => `${short(value, 10)} %`,
  latency: (value) => `${short(value, 10)} ms`,
  cost: (value) => `$${short(value, 10)}`,
  runaway_runs: String,
  model_calls: String,
  evaluation_score: String,
};

/** Value and threshold. Different numbers never look equal: then both are exact. */
export function comparedFigures(metric: Metric, value: number, threshold: number): readonly [value: string, threshold: string] {
  const figures = [alertFigure(metric, value), alertFigure(metric, threshold)] as const;
  return figures[0] === figures[1] && value !== threshold ? [exact[metric](value), exact[metric](threshold)] : figures;
}

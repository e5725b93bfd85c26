/** Single traces as marks: their shape, words and places. */
import type { ActivityTrace } from '../../../shared/contract/viewer/activity.ts';
import { cost, duration, plural } from '../../model/text/format.ts';
import { exactly, milliseconds } from '../../model/time/time.ts';

export type MarkKind = 'failed' | 'inside' | 'fine' | 'running';

export const kindOf = ({ has_failed, errors, running }: ActivityTrace): MarkKind => {
  if (has_failed) return 'failed';
  if (errors > 0) return 'inside';
  return running > 0 ? 'running' : 'fine';
};

export const kindWords: Record<MarkKind, string> = {
  failed: 'failed',
  inside: 'errors inside',
  fine: 'no errors',
  running: 'running',
};

export const durationOf = ({ duration_ms }: ActivityTrace): string => duration(milliseconds(duration_ms));

/** `Answer a customer, 12.4 s, $0.0181, failed, 24 Nov 2026 …`. */
export function markTitle(trace: ActivityTrace): string {
  const kind = kindOf(trace);
  const errors = kind === 'inside' ? `${plural(trace.errors, 'error')} inside` : kindWords[kind];
  const usd = trace.cost > 0 ? [cost(trace.cost)] : [];
  return [trace.name, durationOf(trace), ...usd, errors, exactly(new Date(trace.at).toISOString())].join(', ');
}

/** Of so many times the usual largest duration, the longest would flatten all others. */
const flattening = 3;
const usualShare = 0.95;

/** The highest duration on the scale, and how many are above it. */
export function scaleOf(durations: readonly number[]): { top: number; above: number } {
  const sorted = durations.toSorted((a, b) => a - b);
  const longest = sorted.at(-1) ?? 0;
  const usual = sorted[Math.floor((sorted.length - 1) * usualShare)] ?? longest;
  if (sorted.length < 10 || usual === 0 || longest <= usual * flattening) return { top: longest, above: 0 };
  const top = usual * 1.2;
  return { top, above: sorted.filter((value) => value > top).length };
}

/** The trace that is much longer than any other; null without one. */
export function outlierOf(traces: readonly ActivityTrace[]): ActivityTrace | null {
  const [longest, next] = traces.toSorted((a, b) => b.duration_ms - a.duration_ms);
  return longest && next && longest.duration_ms >= next.duration_ms * 1.5 ? longest : null;
}

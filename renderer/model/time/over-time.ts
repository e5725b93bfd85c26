/** Traces over time as bars, with a range that can be brushed. */
import type { TracesOverTime } from '../../../shared/contract/tracing/trace-list.ts';

export interface Bar {
  /** Epoch milliseconds. */
  from: number;
  to: number;
  count: number;
  /** Failed. */
  errors: number;
  /** Not failed, with a failed span. */
  errorsInside: number;
  /** Shares of the tallest bar. A single trace among thousands is still visible. */
  height: number;
  errorHeight: number;
  errorsInsideHeight: number;
}

const heightMin = 0.06;

export function barsOf({ from, bucket_ms, counts, errors, errors_inside }: TracesOverTime): Bar[] {
  const maxCount = counts.reduce((a, b) => Math.max(a, b), 1);
  const share = (count: number) => (count === 0 ? 0 : Math.max(heightMin, count / maxCount));
  return counts.map((count, i) => {
    const [failed, inside] = [errors[i] ?? 0, errors_inside[i] ?? 0];
    const start = from + i * bucket_ms;
    const heights = { height: share(count), errorHeight: share(failed), errorsInsideHeight: share(inside) };
    return { from: start, to: start + bucket_ms, count, errors: failed, errorsInside: inside, ...heights };
  });
}

/** Bar at a horizontal position, whatever its height. */
export const barAt = (bars: readonly Bar[], share: number) => bars[Math.min(bars.length - 1, Math.max(0, Math.floor(share * bars.length)))];

/** The time range between two pointer positions, in whole bars; either may be the earlier one. */
export function brushedRange(bars: readonly Bar[], a: number, b: number): { from: number; to: number } | null {
  const [first, last] = [barAt(bars, Math.min(a, b)), barAt(bars, Math.max(a, b))];
  return first && last ? { from: first.from, to: last.to } : null;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const twoDigits = (value: number) => String(value).padStart(2, '0');
const dayMs = 86_400_000;

/** Precision by length: seconds within minutes, hours within a day, days within a year. Local time. */
export function axisLabel(ms: number, lengthMs: number): string {
  const at = new Date(ms);
  const clock = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  const day = `${at.getDate()} ${months[at.getMonth()]}`;
  if (lengthMs <= 20 * 60_000) return `${clock}:${twoDigits(at.getSeconds())}`;
  if (lengthMs <= dayMs) return clock;
  if (lengthMs <= 4 * dayMs) return `${day} ${clock}`;
  return lengthMs <= 300 * dayMs ? day : `${months[at.getMonth()]} ${at.getFullYear()}`;
}

/** Labels at equal distances, at starts of bars, where a whole label fits before the end. */
export function timeLabels(bars: readonly Bar[], labelsMax: number): { share: number; text: string }[] {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return [];
  const every = Math.max(1, Math.ceil(bars.length / labelsMax));
  return bars.flatMap(({ from }, i) =>
    i % every === 0 && i + every <= bars.length ? [{ share: i / bars.length, text: axisLabel(from, last.to - first.from) }] : [],
  );
}

/** Start and end times of the operations that log records describe. A record is written when its operation ends. */
import type { RawLog } from '../otlp/raw-span.ts';
import { amountIn } from './record-values.ts';

const nsPerMs = 1_000_000;

export const endOf = ({ time_ns, observed_ns }: RawLog): bigint => BigInt(time_ns === '0' ? observed_ns : time_ns);

export function startOf(log: RawLog, ...durationKeys: string[]): bigint {
  const ms = Math.max(0, ...durationKeys.map((key) => amountIn(log.attributes, key) ?? 0));
  const start = endOf(log) - BigInt(Math.round(Math.min(ms, Number.MAX_SAFE_INTEGER / nsPerMs) * nsPerMs));
  return start < 0n ? 0n : start;
}

/** The time from the first to the last record. */
export function timeRangeOf(logs: readonly RawLog[]): { start_ns: bigint; end_ns: bigint } {
  const times = logs.map(endOf);
  const pick = (better: (a: bigint, b: bigint) => boolean) => times.reduce((best, time) => (better(time, best) ? time : best));
  return { start_ns: pick((a, b) => a < b), end_ns: pick((a, b) => a > b) };
}

/** Records of equal time are sorted by their content, so that the order of arrival has no effect. */
export function sortedByTime(logs: readonly RawLog[]): RawLog[] {
  const keyed = logs.map((log) => ({ log, at: endOf(log), text: JSON.stringify(log) }));
  keyed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.text < b.text ? -1 : 1));
  return keyed.map(({ log }) => log);
}

/** The time range of a list: up to now, or between two times. */
import { duration } from '../text/format.ts';
import { exactly, milliseconds, when } from './time.ts';

export const recentRanges = ['15m', '1h', '6h', '24h', '7d', '30d'] as const;
export type RecentRange = (typeof recentRanges)[number];

const minute = 60_000;
const lengths: Record<RecentRange, number> = {
  '15m': 15 * minute,
  '1h': 60 * minute,
  '6h': 360 * minute,
  '24h': 1440 * minute,
  '7d': 7 * 1440 * minute,
  '30d': 30 * 1440 * minute,
};
const labels: Record<RecentRange, string> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

export interface TimeRange {
  last?: RecentRange | undefined;
  /** Epoch milliseconds; inclusive and exclusive. */
  from?: number | undefined;
  to?: number | undefined;
}

export const rangeWords = (range: RecentRange) => labels[range];

/** Time range for the gateway at this moment. */
export function boundsOf({ last, from, to }: TimeRange, nowMs: number): { from?: number; to?: number } {
  if (last) return { from: nowMs - lengths[last] };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

const iso = (ms: number) => new Date(ms).toISOString();

/** `All time`, `Last hour`, `14:03:21 – 14:08:00`, `since 20 Nov 14:03`. */
export function rangeLabel({ last, from, to }: TimeRange, now = new Date()): string {
  if (last) return labels[last];
  if (from !== undefined && to !== undefined) return `${when(iso(from), now)} – ${when(iso(to), now)}`;
  if (from !== undefined) return `since ${when(iso(from), now)}`;
  return to === undefined ? 'All time' : `before ${when(iso(to), now)}`;
}

/** For a tooltip: both ends and the length. */
export function rangeDetail({ from, to }: TimeRange): string {
  if (from === undefined || to === undefined) return '';
  return `${exactly(iso(from))} – ${exactly(iso(to))}, ${duration(milliseconds(to - from))}`;
}

/** A trace with spans that were reported as started and have not ended. */
import { elapsed } from '../time/elapsed.ts';

/** After so long without a span, the program has most likely stopped. */
const silentMsMax = 15 * 60_000;

/** Start of the trace, and the latest time that a span of it reports; milliseconds since the epoch. */
export interface Progress {
  startMs: number;
  lastMs: number;
}

export const progressOf = ({ start, end }: { start: string; end: string }): Progress => ({
  startMs: Date.parse(start),
  lastMs: Date.parse(end),
});

export const isSilent = ({ lastMs }: Progress, now: number) => now - lastMs > silentMsMax;

/** `Running 41 s`, or `Never ended` after 15 minutes of silence. */
export const runningText = (progress: Progress, now: number) =>
  isSilent(progress, now) ? 'Never ended' : `Running ${elapsed(Math.max(0, now - progress.startMs))}`;

/** `The last span is from 12 s ago.` */
export const lastSpanText = ({ lastMs }: Progress, now: number) => `The last span is from ${elapsed(Math.max(0, now - lastMs))} ago`;

/** `Waiting for web_search, 12 s · last span 2 s ago`; for one that never ended, `Last seen in web_search`. */
export function waitingText(waitingFor: { name: string; since: string }, progress: Progress, now: number): string {
  if (isSilent(progress, now)) return `Last seen in ${waitingFor.name}`;
  const since = (ms: number) => elapsed(Math.max(0, now - ms));
  return `Waiting for ${waitingFor.name}, ${since(Date.parse(waitingFor.since))} · last span ${since(progress.lastMs)} ago`;
}

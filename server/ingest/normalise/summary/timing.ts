import type { RawEvent, RawSpan } from '../../otlp/raw-span.ts';
import type { Evidence } from './evidence.ts';
import { isEarlier } from './status.ts';

const FIRST_TOKEN_EVENTS = new Set(['ai.stream.firstChunk', 'First Token Stream Event', 'gen_ai.content.completion.chunk']);

/** 2000-01-01: an earlier start is a clock that was never set. */
const EARLIEST_NS = '946684800000000000';

/** Milliseconds to the first token: as measured by the sender, or from the first event of a stream. */
export function firstTokenOf(evidence: Evidence): number | null {
  const measured = evidence.number('ttft_ms');
  if (measured !== null) return measured;
  const { span } = evidence.sent;
  const event = firstOf(span.events);
  if (event === undefined || isEarlier(event.time_ns, span.start_ns)) return null;
  evidence.because('ttft_ms', `event ${event.name}`);
  return Number(BigInt(event.time_ns) - BigInt(span.start_ns)) / 1e6;
}

function firstOf(events: RawEvent[]): RawEvent | undefined {
  let first: RawEvent | undefined;
  for (const event of events) {
    if (FIRST_TOKEN_EVENTS.has(event.name) && (first === undefined || isEarlier(event.time_ns, first.time_ns))) first = event;
  }
  return first;
}

/** A span that has not ended yet, or whose sender forgot. */
export function isUnfinished(span: RawSpan): boolean {
  return span.end_ns === '0' || span.end_ns === '';
}

export function warnOfClocks(evidence: Evidence): void {
  const { span } = evidence.sent;
  if (isEarlier(span.start_ns, EARLIEST_NS)) evidence.warn('The start time is missing or before the year 2000.');
  if (!isUnfinished(span) && isEarlier(span.end_ns, span.start_ns)) {
    evidence.warn('The span ends before it starts: its duration is shown as 0.');
  }
}

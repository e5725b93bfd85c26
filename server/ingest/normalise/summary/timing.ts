import type { RawEvent, RawSpan } from '../../otlp/raw-span.ts';
import type { FieldResolver } from './field-resolver.ts';
import { isEarlier } from './status.ts';

const FIRST_TOKEN_EVENTS = new Set(['ai.stream.firstChunk', 'First Token Stream Event', 'gen_ai.content.completion.chunk']);

/** 2000-01-01: an earlier start means that the clock was not set. */
const EARLIEST_NS = '946684800000000000';

/** Milliseconds to the first token: as measured by the sender, or from the first event of a stream. */
export function firstTokenOf(resolver: FieldResolver): number | null {
  const measured = resolver.number('ttft_ms');
  if (measured !== null) return measured;
  const { span } = resolver.spanData;
  const event = firstOf(span.events);
  if (event === undefined || isEarlier(event.time_ns, span.start_ns)) return null;
  resolver.noteSource('ttft_ms', `event ${event.name}`);
  return Number(BigInt(event.time_ns) - BigInt(span.start_ns)) / 1e6;
}

function firstOf(events: RawEvent[]): RawEvent | undefined {
  let first: RawEvent | undefined;
  for (const event of events) {
    if (FIRST_TOKEN_EVENTS.has(event.name) && (first === undefined || isEarlier(event.time_ns, first.time_ns))) first = event;
  }
  return first;
}

/** Whether the span has no end time: it has not ended yet, or its sender left it out. */
export function isUnfinished(span: RawSpan): boolean {
  return span.end_ns === '0' || span.end_ns === '';
}

export function warnOfClocks(resolver: FieldResolver): void {
  const { span } = resolver.spanData;
  if (isEarlier(span.start_ns, EARLIEST_NS)) resolver.warn('The start time is missing or before the year 2000.');
  if (!isUnfinished(span) && isEarlier(span.end_ns, span.start_ns)) {
    resolver.warn('The span ends before it starts: its duration is shown as 0.');
  }
}

/** Everything that was sent, and which of it must be stored: the expectation of the crash test. */
import type { SentRequest, SentSpan } from './sent-span.ts';

export class SentTrace {
  readonly id: string;
  readonly spans = new Map<string, SentSpan>();

  constructor(id: string) {
    this.id = id;
  }

  present(): SentSpan[] {
    return [...this.spans.values()].filter((span) => span.present);
  }
}

export class Ledger {
  readonly traces = new Map<string, SentTrace>();
  /** Traces that were written to since they were last checked. */
  readonly touched = new Set<string>();
  /** Unanswered requests: each must be stored completely or not at all. */
  unanswered = new Set<SentRequest>();
  ackedSpans = 0;

  /** Call before the request is sent: from then on its spans may be stored. */
  sending(request: SentRequest): void {
    this.unanswered.add(request);
    for (const span of request.spans) {
      const trace = this.traces.get(span.trace) ?? new SentTrace(span.trace);
      this.traces.set(span.trace, trace);
      if (!trace.spans.has(span.id)) trace.spans.set(span.id, span);
      this.touched.add(span.trace);
    }
  }

  acknowledged(request: SentRequest): void {
    request.acked = true;
    this.unanswered.delete(request);
    for (const { trace, id } of request.spans) {
      const span = this.traces.get(trace)?.spans.get(id);
      if (!span || span.acked) continue;
      span.acked = true;
      this.ackedSpans++;
    }
  }
}

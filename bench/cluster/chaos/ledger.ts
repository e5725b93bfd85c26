/** What was sent, and what was acknowledged. */
import type { SentVersion, TrafficSpan } from './traffic.ts';

export interface SentSpan extends Omit<TrafficSpan, 'version'> {
  /** Number of its app. */
  app: number;
  pending: SentVersion | null;
  final: SentVersion | null;
  /** An answer said that it is accepted. */
  isPendingAcknowledged: boolean;
  isFinalAcknowledged: boolean;
}

export class Ledger {
  /** By app, trace and span. */
  readonly spans = new Map<string, SentSpan>();

  send(app: number, spans: readonly TrafficSpan[]): void {
    for (const { version, ...span } of spans) {
      const known = this.spans.get(keyOf(app, span.trace, span.id)) ?? {
        ...{ ...span, app, pending: null, final: null, isPendingAcknowledged: false, isFinalAcknowledged: false },
      };
      known[version.isPending ? 'pending' : 'final'] = version;
      this.spans.set(keyOf(app, span.trace, span.id), known);
    }
  }

  acknowledge(app: number, spans: readonly TrafficSpan[]): void {
    for (const { trace, id, version } of spans) {
      const span = this.spans.get(keyOf(app, trace, id));
      if (span) span[version.isPending ? 'isPendingAcknowledged' : 'isFinalAcknowledged'] = true;
    }
  }

  get acknowledged(): number {
    return this.spans.values().reduce((sum, span) => sum + Number(span.isPendingAcknowledged || span.isFinalAcknowledged), 0);
  }
}

export const keyOf = (app: number, trace: string, span: string): string => `${app} ${trace} ${span}`;

import type { SpanStatus } from '../../../../shared/contract/tracing/spans.ts';
import type { RawAttribute, RawEvent } from '../../otlp/raw-span.ts';
import { textOf } from '../attributes.ts';
import type { Evidence } from './evidence.ts';
import { failedInLangSmith } from './families/langsmith.ts';

/** Several SDKs know of a failure that they never put into the OTLP status. */
export function statusOf(evidence: Evidence, finishReason: string): SpanStatus {
  const { status_code } = evidence.sent.span;
  evidence.because('status', 'OTLP status');
  if (status_code === 2) return 'ERROR';
  const mark = failureMark(evidence, finishReason);
  if (mark !== '') {
    evidence.because('status', mark);
    return 'ERROR';
  }
  return status_code === 1 ? 'OK' : 'UNSET';
}

/** What says that the span failed although its status does not; '' when nothing does. An exception event alone may have been handled. */
function failureMark(evidence: Evidence, finishReason: string): string {
  if (evidence.text('error_level').toUpperCase() === 'ERROR') return evidence.winner('error_level');
  const mark = evidence.text('error_mark');
  if (mark !== '') return mark;
  if (failedInLangSmith(evidence.sent)) return 'exception event';
  return finishReason.toLowerCase() === 'error' ? `${evidence.winner('finish_reason')}=error` : '';
}

/** The status's own message, else the best that a failed span says elsewhere. A message without a failure is shown as it is. */
export function statusMessageOf(evidence: Evidence, status: SpanStatus): string {
  const { span } = evidence.sent;
  if (span.status_message !== '') return span.status_message;
  if (status !== 'ERROR') return evidence.text('error_level') === '' ? '' : noted(evidence);
  const exception = newestException(span.events);
  return noted(evidence) || exception || evidence.text('error_type');
}

function noted(evidence: Evidence): string {
  return evidence.text('error_text');
}

function newestException(events: RawEvent[]): string {
  let newest: RawEvent | undefined;
  for (const event of events) {
    if (event.name === 'exception' && (newest === undefined || !isEarlier(event.time_ns, newest.time_ns))) newest = event;
  }
  if (newest === undefined) return '';
  return attribute(newest.attributes, 'exception.message') || attribute(newest.attributes, 'exception.type');
}

/** Unsigned decimals without leading zeros: the shorter is the smaller. */
export function isEarlier(left: string, right: string): boolean {
  return left.length === right.length ? left < right : left.length < right.length;
}

function attribute(attributes: RawAttribute[], key: string): string {
  return textOf(attributes.findLast(([name]) => name === key)?.[1]);
}

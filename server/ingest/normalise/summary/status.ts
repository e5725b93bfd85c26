import type { SpanStatus } from '../../../../shared/contract/tracing/spans.ts';
import type { RawAttribute, RawEvent } from '../../otlp/raw-span.ts';
import { textOf } from '../attributes.ts';
import { failedInLangSmith } from './families/langsmith.ts';
import type { FieldResolver } from './field-resolver.ts';

/** Several SDKs report a failure without setting the OTLP status. */
export function statusOf(resolver: FieldResolver, finishReason: string): SpanStatus {
  const { status_code } = resolver.spanData.span;
  resolver.noteSource('status', 'OTLP status');
  if (status_code === 2) return 'ERROR';
  const source = failureSource(resolver, finishReason);
  if (source !== '') {
    resolver.noteSource('status', source);
    return 'ERROR';
  }
  return status_code === 1 ? 'OK' : 'UNSET';
}

/** The source that reports a failure without an OTLP status; '' if none. An exception event alone is no failure: it may have been handled. */
function failureSource(resolver: FieldResolver, finishReason: string): string {
  if (resolver.text('error_level').toUpperCase() === 'ERROR') return resolver.sourceOf('error_level');
  const source = resolver.text('error_mark');
  if (source !== '') return source;
  if (failedInLangSmith(resolver.spanData)) return 'exception event';
  return finishReason.toLowerCase() === 'error' ? `${resolver.sourceOf('finish_reason')}=error` : '';
}

/** The message of the status, else the best other message of a failed span. A message with a level is used without a failure too. */
export function statusMessageOf(resolver: FieldResolver, status: SpanStatus): string {
  const { span } = resolver.spanData;
  if (span.status_message !== '') return span.status_message;
  if (status !== 'ERROR') return resolver.text('error_level') === '' ? '' : errorText(resolver);
  const exception = newestException(span.events);
  return errorText(resolver) || exception || resolver.text('error_type');
}

function errorText(resolver: FieldResolver): string {
  return resolver.text('error_text');
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

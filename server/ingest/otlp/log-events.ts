/**
 * Which log records are kept: those that belong to a span and carry GenAI content or the bookkeeping of a coding agent
 * (ingest 1.11). Everything else an application logs is accepted and dropped: this is no log store.
 */
import type { RawAttribute, RawEvent, RawLog, SentSpan } from './raw-span.ts';

const keptPrefixes = ['gen_ai.', 'claude_code.', 'codex.', 'gemini_cli.'];

export const isKeptLog = (log: RawLog): boolean =>
  log.trace_id !== '' && log.span_id !== '' && keptPrefixes.some((prefix) => log.name.startsWith(prefix));

export function eventNameOf(eventName: string, attributes: RawAttribute[]): string {
  if (eventName !== '') return eventName;
  const named = attributes.find(([key]) => key === 'event.name')?.[1];
  return typeof named === 'string' ? named : '';
}

/** The span as if its log records had been events of its own: what the normaliser reads. The raw truth keeps them apart. */
export function withLogsAsEvents(sent: SentSpan): SentSpan {
  if (!sent.logs || sent.logs.length === 0) return sent;
  return { ...sent, span: { ...sent.span, events: [...sent.span.events, ...sent.logs.map(asEvent)] } };
}

function asEvent({ name, time_ns, attributes, body, dropped }: RawLog): RawEvent {
  return { name, time_ns, attributes: body === null ? attributes : [...attributes, ['body', body]], dropped };
}

/**
 * Selects the log records to store: those with GenAI content or of a coding agent, that belong to a span or to a prompt.
 * All other records are accepted and dropped: this is not a log store.
 */

import { withAgentRecords } from '../agent-records/agent-span.ts';
import { turnRecordOf } from '../agent-records/turn-record.ts';
import type { DecodedLogs } from './decoded.ts';
import type { RawAttribute, RawEvent, RawLog, RawResource, RawValue, SpanData } from './raw-span.ts';

const storedPrefixes = ['gen_ai.', 'claude_code.', 'codex.', 'gemini_cli.'];

const isStoredName = (name: string): boolean => storedPrefixes.some((prefix) => name.startsWith(prefix));

export const isStoredLog = (log: RawLog): boolean => log.trace_id !== '' && log.span_id !== '' && isStoredName(log.name);

/** Adds a record to those that are stored, or counts it as unmatched. */
export function addLog(decoded: DecodedLogs, log: RawLog, resource: () => RawResource): void {
  if (!isStoredName(log.name)) return;
  const turn = turnRecordOf(log);
  if (isStoredLog(log)) decoded.logs.push({ log, turn: turn?.prompt ? turn : null, resource: null });
  else if (turn) decoded.logs.push({ log: { ...log, trace_id: '', span_id: '' }, turn, resource: resource() });
  else countUnmatched(decoded, log.name);
}

/** Counts records without a span and without a prompt, by name. */
function countUnmatched(decoded: DecodedLogs, name: string): void {
  decoded.unmatched[name] = (decoded.unmatched[name] ?? 0) + 1;
}

/** Codex sends a code location as `event_name`; Claude Code sends the prefixed name as the body. */
export function eventNameOf(eventName: string, attributes: RawAttribute[], body: RawValue): string {
  const attribute = attributes.find(([key]) => key === 'event.name')?.[1];
  const attributeName = typeof attribute === 'string' ? attribute : '';
  if (isStoredName(eventName)) return eventName;
  if (attributeName !== '' && typeof body === 'string' && body.endsWith(`.${attributeName}`) && isStoredName(body)) return body;
  return isStoredName(attributeName) || eventName === '' ? attributeName : eventName;
}

/** The span with its log records added to its events, for the normaliser. The stored raw span does not have them as events. */
export function withLogsAsEvents(spanData: SpanData): SpanData {
  const complete = withAgentRecords(spanData);
  const { span, logs = [] } = complete;
  if (logs.length === 0) return complete;
  return { ...complete, span: { ...span, events: [...span.events, ...logs.map(asEvent)] } };
}

function asEvent({ name, time_ns, observed_ns, attributes, body, dropped }: RawLog): RawEvent {
  return {
    name,
    time_ns: time_ns === '0' ? observed_ns : time_ns,
    attributes: body === null ? attributes : [...attributes, ['body', body]],
    dropped,
  };
}

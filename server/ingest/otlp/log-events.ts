/**
 * Which log records are kept: those that carry GenAI content or tell what a coding agent does, and belong to a span or to a prompt.
 * Everything else an application logs is accepted and dropped: this is no log store.
 */

import { withAgentRecords } from '../agent-records/told-span.ts';
import { turnRecordOf } from '../agent-records/turn-record.ts';
import type { DecodedLogs } from './decoded.ts';
import type { RawAttribute, RawEvent, RawLog, RawResource, RawValue, SentSpan } from './raw-span.ts';

const keptPrefixes = ['gen_ai.', 'claude_code.', 'codex.', 'gemini_cli.'];

const isKeptName = (name: string): boolean => keptPrefixes.some((prefix) => name.startsWith(prefix));

export const isKeptLog = (log: RawLog): boolean => log.trace_id !== '' && log.span_id !== '' && isKeptName(log.name);

/** Sorts a record into those that are kept. */
export function keepLog(found: DecodedLogs, log: RawLog, resource: () => RawResource): void {
  if (!isKeptName(log.name)) return;
  const turn = turnRecordOf(log);
  if (isKeptLog(log)) found.logs.push({ log, turn: turn?.prompt ? turn : null, resource: null });
  else if (turn) found.logs.push({ log: { ...log, trace_id: '', span_id: '' }, turn, resource: resource() });
  else noteUnplaced(found, log.name);
}

/** Of records that came without a span and without a prompt, how many of which kind. */
function noteUnplaced(found: DecodedLogs, name: string): void {
  found.unplaced[name] = (found.unplaced[name] ?? 0) + 1;
}

/** Codex puts a place in its code into `event_name`, Claude Code the name with its prefix into the body. */
export function eventNameOf(eventName: string, attributes: RawAttribute[], body: RawValue): string {
  const said = attributes.find(([key]) => key === 'event.name')?.[1];
  const named = typeof said === 'string' ? said : '';
  if (isKeptName(eventName)) return eventName;
  if (named !== '' && typeof body === 'string' && body.endsWith(`.${named}`) && isKeptName(body)) return body;
  return isKeptName(named) || eventName === '' ? named : eventName;
}

/** The span as if its log records had been events of its own: what the normaliser reads. The raw truth keeps them apart. */
export function withLogsAsEvents(sent: SentSpan): SentSpan {
  const told = withAgentRecords(sent);
  if (!told.logs || told.logs.length === 0) return told;
  return { ...told, span: { ...told.span, events: [...told.span.events, ...told.logs.map(asEvent)] } };
}

function asEvent({ name, time_ns, observed_ns, attributes, body, dropped }: RawLog): RawEvent {
  return {
    name,
    time_ns: time_ns === '0' ? observed_ns : time_ns,
    attributes: body === null ? attributes : [...attributes, ['body', body]],
    dropped,
  };
}

/**
 * Turns a session of a coding agent into spans of one trace: a root for the session, and a span for each event. Ids are derived from their
 * sources, so that a part that is sent twice, even by two senders, gives the same spans. Attributes follow the GenAI conventions, like those
 * of an exporter.
 */
import { createHash } from 'node:crypto';
import { pathOf } from '../../shared/client.ts';
import { agents } from '../../shared/contract/tracing/agents.ts';
import type { AgentEvent, AgentSession, PartContents } from '../control/agent-session-store.ts';

type Value = string | number;
type Attributes = Record<string, Value | undefined>;

const digest = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Trace id of a session. Trace ids are unique within an app, so equal session ids in other apps are other traces. */
export const traceIdOf = (sessionId: string): string => digest('session', sessionId).slice(0, 32);

const rootId = (traceId: string): string => digest(traceId, 'session').slice(0, 16);
const spanIdOf = (traceId: string, seq: number): string => digest(traceId, 'event', String(seq)).slice(0, 16);

/** One nanosecond instead of zero, which means an unknown time. */
const nanoseconds = (moment: string): string => String(BigInt(Math.max(0, Date.parse(moment))) * 1_000_000n || 1n);

/** OTLP/JSON request with the spans of a part. */
export function spansOf(contents: PartContents): object {
  const { session, events, counterparts, unanswered } = contents;
  const pairs: Pairs = { calls: firstOf(counterparts, 'tool_call'), results: firstOf(counterparts, 'tool_result') };
  const seqs = new Set(events.map(({ seq }) => seq));
  // The span of a call contains its result: when that comes later, the call is sent again.
  const calls = [...counterparts, ...unanswered].filter(({ type, seq }) => type === 'tool_call' && !seqs.has(seq));
  const sent = [...new Map([...events, ...calls].map((event) => [event.seq, event])).values()];
  const spans = [rootOf(session), ...sent.map((event) => spanOf(contents, event, pairs))];
  const resource = { attributes: attributesOf({ 'service.name': session.agent, 'vcs.repository.name': session.repo }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'glasshouse.agents' }, spans }] }] };
}

/** Calls and results by their shared id: the first of each. */
interface Pairs {
  calls: Map<string | undefined, AgentEvent>;
  results: Map<string | undefined, AgentEvent>;
}

const firstOf = (events: readonly AgentEvent[], wanted: AgentEvent['type']): Pairs['calls'] =>
  new Map(
    events
      .filter(({ type }) => type === wanted)
      .reverse()
      .map((event) => [event.tool_call_id, event]),
  );

/** Has no end while the session has none. */
function rootOf(session: AgentSession): object {
  const { agent, title, repo, branch, commit_sha, metadata = {} } = session;
  const own = Object.fromEntries(
    Object.entries({ ...metadata, agent, repo, branch, commit_sha }).map(([key, value]) => [`agentmark.metadata.${key}`, value]),
  );
  return span(session, {
    id: rootId(session.trace_id),
    name: title || agent,
    start: session.started_at,
    end: session.ended_at === undefined ? null : later(session.started_at, session.ended_at),
    attributes: { ...own, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent },
  });
}

const later = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? b : a);

function spanOf(contents: PartContents, event: AgentEvent, { calls, results }: Pairs): object {
  const { session } = contents;
  const { seq, type, timestamp, tool_call_id, input_tokens, output_tokens, cost_usd } = event;
  const isCall = type === 'tool_call';
  const result = isCall ? results.get(tool_call_id) : undefined;
  const call = type === 'tool_result' ? calls.get(tool_call_id) : undefined;
  const end = isCall && tool_call_id !== undefined ? (result?.timestamp ?? session.ended_at ?? null) : timestamp;
  const tool = call?.tool_name ?? event.tool_name ?? 'tool';
  const usage = { 'gen_ai.usage.input_tokens': input_tokens, 'gen_ai.usage.output_tokens': output_tokens, 'gen_ai.usage.cost': cost_usd };
  return span(session, {
    id: spanIdOf(session.trace_id, seq),
    parent: call ? spanIdOf(session.trace_id, call.seq) : rootId(session.trace_id),
    name: isCall ? tool : type === 'tool_result' ? `result of ${tool}` : type,
    start: timestamp,
    end: end === null ? null : later(timestamp, end),
    attributes: { ...usage, ...(isCall ? callOf(event, result) : contentOf(contents, event)) },
  });
}

/** Arguments of a call, with the result if known. */
const callOf = (event: AgentEvent, result: AgentEvent | undefined): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': event.tool_name ?? 'tool',
  'gen_ai.tool.call.id': event.tool_call_id,
  'gen_ai.tool.call.arguments': textOf(event.input === undefined ? event.text : event.input),
  'gen_ai.tool.call.result': result && resultOf(result),
});

function contentOf({ session, events, preceding }: PartContents, event: AgentEvent): Attributes {
  const { type, text, input, output } = event;
  if (type === 'tool_result') return { 'agentmark.span.kind': 'function', 'output.value': resultOf(event) };
  if (type !== 'assistant')
    return {
      'agentmark.span.kind': 'function',
      ...(text === undefined && input !== undefined ? { 'input.value': textOf(input) } : { 'gen_ai.input.messages': messagesOf([event]) }),
      'output.value': textOf(output),
    };
  const inputMessages = inputBefore([...preceding, ...events], event.seq);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': session.model,
    'gen_ai.input.messages': inputMessages.length > 0 ? messagesOf(inputMessages) : input === undefined ? undefined : textOf(input),
    'gen_ai.output.messages': text === undefined && output !== undefined ? textOf(output) : messagesOf([event]),
  };
}

/** The input of an answer: user and system messages since the previous answer of the agent. */
function inputBefore(events: readonly AgentEvent[], seq: number): AgentEvent[] {
  const before = events.filter((event) => event.seq < seq).sort((a, b) => a.seq - b.seq);
  const lastAnswer = before.findLastIndex(({ type }) => type === 'assistant');
  return before.slice(lastAnswer + 1).filter(({ type }) => type === 'user' || type === 'system');
}

const messagesOf = (events: readonly AgentEvent[]): string => JSON.stringify(events.map(messageOf));

function messageOf({ type, text, images }: AgentEvent): object {
  const pictures = addressesOf(images).map((uri) => ({ type: 'uri', modality: 'image', uri }));
  return { role: type, parts: [{ type: 'text', content: text ?? '' }, ...pictures] };
}

/** Result of a tool: with images, as a list of texts and media. */
function resultOf({ text, output, images = [] }: AgentEvent): string | undefined {
  const content = textOf(output === undefined ? text : output);
  if (images.length === 0) return content;
  const pictures = addressesOf(images).map((url) => ({ type: 'media', modality: 'image', mimeType: '', url }));
  return JSON.stringify([...(content === undefined ? [] : [{ type: 'text', text: content }]), ...pictures]);
}

/** URLs on this gateway, valid before and after the images arrive. */
const addressesOf = (images: AgentEvent['images'] = []): string[] => images.map(({ sha256 }) => pathOf(agents.blob.path, { sha256 }));

const textOf = (value: unknown): string | undefined => (value === undefined || typeof value === 'string' ? value : JSON.stringify(value));

interface SpanParts {
  id: string;
  parent?: string;
  name: string;
  start: string;
  /** Null while it has not ended. */
  end: string | null;
  attributes: Attributes;
}

function span({ trace_id, session_id, title, user_id }: AgentSession, { id, parent, name, start, end, attributes }: SpanParts): object {
  const sessionAttributes = { 'agentmark.session_id': session_id, 'agentmark.session_name': title, 'agentmark.user_id': user_id };
  return {
    traceId: trace_id,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    ...{ name, kind: 1, startTimeUnixNano: nanoseconds(start), endTimeUnixNano: end === null ? '0' : nanoseconds(end) },
    attributes: attributesOf({ ...sessionAttributes, ...attributes }),
  };
}

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]));

const anyValue = (value: Value): object =>
  typeof value === 'string' ? { stringValue: value } : Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };

/** Transcript of an agent run: contribution of each span to the conversation. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { type Card, conversation } from './conversation.ts';
import { type Message, readMessages, unquoted } from './messages.ts';
import { readPayload } from './payload.ts';
import type { SpanTree } from './span-tree.ts';

/** Form of a span in the transcript: a model's message, a tool call, the start of an agent, or one line. */
export type Part = 'talk' | 'tool' | 'agent' | 'line';

export interface Script {
  part: (at: number) => Part;
  /** Number of agents around a span. */
  indent: Uint16Array;
  /** The model call before this one for the same agent, -1 for none. */
  before: Int32Array;
  hasTools: boolean;
}

const parts: readonly Part[] = ['line', 'talk', 'tool', 'agent'];

/** O(spans), once per answer of the gateway. */
export function scriptOf(tree: SpanTree): Script {
  const part = new Uint8Array(tree.size);
  const indent = new Uint16Array(tree.size);
  const before = new Int32Array(tree.size).fill(-1);
  const hasCalls = new Uint8Array(tree.size);
  let hasTools = false;
  for (let at = tree.size - 1; at >= 0; at--) {
    const kind = tree.kindAt(at);
    const isTalk = kind === 'llm' && hasCalls[at] === 0;
    if (kind === 'tool') hasTools = true;
    part[at] = kind === 'agent' ? 3 : kind === 'tool' ? 2 : isTalk ? 1 : 0;
    const above = tree.parent[at] as number;
    if (above >= 0 && (isTalk || hasCalls[at] === 1)) hasCalls[above] = 1;
  }
  const agentOf = new Int32Array(tree.size).fill(-1);
  const lastTalk = new Map<number, number>();
  for (let at = 0; at < tree.size; at++) {
    const above = tree.parent[at] as number;
    const isBelowAgent = above >= 0 && part[above] === 3;
    indent[at] = above < 0 ? 0 : (indent[above] as number) + (isBelowAgent && (tree.depth[above] as number) > 0 ? 1 : 0);
    agentOf[at] = above < 0 ? -1 : isBelowAgent ? above : (agentOf[above] as number);
    if (part[at] !== 1) continue;
    const agent = agentOf[at] as number;
    before[at] = lastTalk.get(agent) ?? -1;
    lastTalk.set(agent, at);
  }
  return { part: (at) => parts[part[at] as number] ?? 'line', indent, before, hasTools };
}

const asMessages = (text: string | undefined, role: string): Message[] => {
  const payload = readPayload(text ?? '');
  if (payload.form === 'empty') return [];
  if (payload.form === 'messages') return payload.messages;
  return [
    { role, name: '', parts: [payload.form === 'json' ? { type: 'data', value: payload.value } : { type: 'text', text: payload.text }] },
  ];
};

/** Input that the previous call did not have. Answers and results are in the transcript already. */
function newlyAsked(span: SpanInTrace, before: SpanInTrace | undefined, hasTools: boolean): Message[] {
  const known = new Set(asMessages(before?.input, 'user').map((message) => JSON.stringify(message)));
  const isToldElsewhere = ({ role }: Message) =>
    role === 'assistant' || role === 'model' || (hasTools && (role === 'tool' || role === 'function'));
  const fresh = asMessages(span.input, 'user').filter((message) => !isToldElsewhere(message) && !known.has(JSON.stringify(message)));
  if (!hasTools) return fresh;
  const isResult = (part: Message['parts'][number]) => part.type === 'tool-result';
  return fresh
    .map((message) => ({ ...message, parts: message.parts.filter((part) => !isResult(part)) }))
    .filter(({ parts: left }) => left.length > 0);
}

/** Output of a call, without tool calls that have spans of their own. */
function answered(span: SpanInTrace): Message[] {
  const text = asMessages(span.output || span.output_object, 'assistant');
  const calls = readMessages(`[{"role":"assistant","content":${span.tool_calls || '[]'}}]`) ?? [];
  const isCalled = text.some((message) => message.parts.some((part) => part.type === 'tool-call'));
  return isCalled ? text : [...text, ...calls];
}

export interface Talk {
  asked: Card[];
  said: Card[];
  /** Names of the tools that were called, when their spans tell the rest. */
  called: string[];
}

export function talkOf(span: SpanInTrace, before: SpanInTrace | undefined, hasTools: boolean): Talk {
  const said = conversation(answered(span));
  const isCall = (card: Card) => hasTools && card.type === 'tool' && card.called && card.result === null;
  return {
    asked: conversation(newlyAsked(span, before, hasTools)),
    said: said.filter((card) => !isCall(card)),
    called: said.filter(isCall).map((card) => card.name),
  };
}

/** A tool span as the card of its call. */
export function toolCardOf(span: SpanInTrace): Card {
  const args = unquoted(span.input ?? '');
  const isError = span.status === 'ERROR';
  const value = span.output ? unquoted(span.output) : isError ? (span.status_message ?? '') : '';
  const result = value === '' ? null : { value, isError };
  return { key: span.id, message: 0, role: 'tool', name: span.name, type: 'tool', id: '', args, called: true, result };
}

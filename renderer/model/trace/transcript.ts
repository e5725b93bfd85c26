/** Transcript of an agent run: what each span contributes to the conversation. */
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { type Card, conversation } from './conversation.ts';
import { type Message, parseNestedJson, readMessages } from './messages.ts';
import { readPayload } from './payload.ts';
import type { SpanTree } from './span-tree.ts';

/** Form of a span in the transcript: a model's message, a tool call, the start of an agent, or one line. */
export type Part = 'talk' | 'tool' | 'agent' | 'line';

export interface TranscriptLayout {
  part: (at: number) => Part;
  /** Number of agents around a span. */
  indent: Uint16Array;
  /** The model call before this one for the same agent, -1 for none. */
  before: Int32Array;
  hasTools: boolean;
  /** For a tool that is called more than once: which of its calls a span is, from 1 in reading order; 0 for all other spans. */
  nthCall: Int32Array;
}

const parts: readonly Part[] = ['line', 'talk', 'tool', 'agent'];

/** O(spans), once per response of the gateway. */
export function layOutTranscript(tree: SpanTree): TranscriptLayout {
  const part = new Uint8Array(tree.size);
  const indent = new Uint16Array(tree.size);
  const before = new Int32Array(tree.size).fill(-1);
  const hasCalls = new Uint8Array(tree.size);
  let hasTools = false;
  for (let at = tree.size - 1; at >= 0; at--) {
    const kind = tree.kindAt(at);
    const isMessageSpan = kind === 'llm' && hasCalls[at] === 0;
    if (kind === 'tool') hasTools = true;
    part[at] = kind === 'agent' ? 3 : kind === 'tool' ? 2 : isMessageSpan ? 1 : 0;
    const parentAt = tree.parent[at] as number;
    if (parentAt >= 0 && (isMessageSpan || hasCalls[at] === 1)) hasCalls[parentAt] = 1;
  }
  const agentOf = new Int32Array(tree.size).fill(-1);
  const lastCall = new Map<number, number>();
  for (let at = 0; at < tree.size; at++) {
    const parentAt = tree.parent[at] as number;
    const isBelowAgent = parentAt >= 0 && part[parentAt] === 3;
    indent[at] = parentAt < 0 ? 0 : (indent[parentAt] as number) + (isBelowAgent && (tree.depth[parentAt] as number) > 0 ? 1 : 0);
    agentOf[at] = parentAt < 0 ? -1 : isBelowAgent ? parentAt : (agentOf[parentAt] as number);
    if (part[at] !== 1) continue;
    const agent = agentOf[at] as number;
    before[at] = lastCall.get(agent) ?? -1;
    lastCall.set(agent, at);
  }
  return { part: (at) => parts[part[at] as number] ?? 'line', indent, before, hasTools, nthCall: numberCalls(tree) };
}

function numberCalls(tree: SpanTree): Int32Array {
  const nth = new Int32Array(tree.size);
  const calls = new Map<string, { first: number; count: number }>();
  for (let at = 0; at < tree.size; at++) {
    if (tree.kindAt(at) !== 'tool') continue;
    const name = tree.nameAt(at);
    const known = calls.get(name);
    if (known) {
      nth[known.first] = 1;
      nth[at] = ++known.count;
    } else calls.set(name, { first: at, count: 1 });
  }
  return nth;
}

/** The messages of a payload. A payload in another form is one message of `role`. */
export const asMessages = (text: string | undefined, role: string): Message[] => {
  const payload = readPayload(text ?? '');
  if (payload.form === 'empty') return [];
  if (payload.form === 'messages') return payload.messages;
  return [
    { role, name: '', parts: [payload.form === 'json' ? { type: 'data', value: payload.value } : { type: 'text', text: payload.text }] },
  ];
};

/** Input messages that the previous call did not have. Model responses and tool results are in the transcript already. */
function newInput(span: SpanInTrace, before: SpanInTrace | undefined, hasTools: boolean): Message[] {
  const known = new Set(asMessages(before?.input, 'user').map((message) => JSON.stringify(message)));
  const isShownElsewhere = ({ role }: Message) =>
    role === 'assistant' || role === 'model' || (hasTools && (role === 'tool' || role === 'function'));
  const newMessages = asMessages(span.input, 'user').filter((message) => !isShownElsewhere(message) && !known.has(JSON.stringify(message)));
  if (!hasTools) return newMessages;
  const isResult = (part: Message['parts'][number]) => part.type === 'tool-result';
  return newMessages
    .map((message) => ({ ...message, parts: message.parts.filter((part) => !isResult(part)) }))
    .filter(({ parts: remaining }) => remaining.length > 0);
}

/** Output of a call, without tool calls that have spans of their own. */
function outputOf(span: SpanInTrace): Message[] {
  const text = asMessages(span.output || span.output_object, 'assistant');
  const calls = readMessages(`[{"role":"assistant","content":${span.tool_calls || '[]'}}]`) ?? [];
  const isCalled = text.some((message) => message.parts.some((part) => part.type === 'tool-call'));
  return isCalled ? text : [...text, ...calls];
}

export interface SpanMessages {
  input: Card[];
  output: Card[];
  /** Names of the called tools that have spans of their own. */
  calledTools: string[];
}

export function spanMessages(span: SpanInTrace, before: SpanInTrace | undefined, hasTools: boolean): SpanMessages {
  const output = conversation(outputOf(span));
  const isCall = (card: Card) => hasTools && card.type === 'tool' && card.called && card.result === null;
  return {
    input: conversation(newInput(span, before, hasTools)),
    output: output.filter((card) => !isCall(card)),
    calledTools: output.filter(isCall).map((card) => card.name),
  };
}

/** A tool span as the card of its call. */
export function toolCardOf(span: SpanInTrace): Card {
  const args = parseNestedJson(span.input ?? '');
  const isError = span.status === 'ERROR';
  const value = span.output ? parseNestedJson(span.output) : isError ? (span.status_message ?? '') : '';
  const result = value === '' ? null : { value, isError };
  return { key: span.id, message: 0, role: 'tool', name: span.name, type: 'tool', id: '', args, called: true, result };
}

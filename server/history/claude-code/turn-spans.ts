/**
 * The spans of a turn. Trace and spans have the ids that they have when Claude Code exports the same turn with its log records, so that a turn
 * that arrives both ways is stored once.
 */
import { conversationOf, promptTraceId, turnSpanId } from '../../ingest/agent-records/turn-record.ts';
import type { HistorySpan } from '../otlp-span.ts';
import type { MessagePart } from './session-entry.ts';
import type { InputMessage, ModelCall, ToolCall, Turn } from './session-turns.ts';

/** A sub-agent of a turn. */
export interface SubAgent {
  id: string;
  name: string;
  /** The call of a tool that started it; '' where it is not known. */
  callId: string;
}

/** @param isOver whether nothing more of the turn will come */
export function turnSpans(turn: Turn, isOver: boolean): HistorySpan[] {
  const ids = new TurnIds(turn);
  const root: HistorySpan = {
    ...ids.span('turn', ''),
    name: 'claude-code',
    startMs: turn.startMs,
    endMs: isOver ? turn.endMs : null,
    attributes: { ...agentAttributes(turn, 'claude-code'), 'vcs.ref.head.name': turn.branch },
    error: null,
  };
  return [root, ...compactionSpans(turn, ids), ...stepSpans(turn, ids, 'turn')];
}

/** @param turn of the file of the sub-agent */
export function subAgentSpans(turn: Turn, { id, name, callId }: SubAgent, isOver: boolean): HistorySpan[] {
  const ids = new TurnIds(turn);
  const target = `agent:${id}`;
  const agent: HistorySpan = {
    ...ids.span(target, callId === '' ? 'turn' : `tool:${callId}`),
    name,
    startMs: turn.startMs,
    endMs: isOver ? turn.endMs : null,
    attributes: { ...agentAttributes(turn, name), 'gen_ai.agent.id': id },
    error: null,
  };
  return [agent, ...stepSpans(turn, ids, target)];
}

class TurnIds {
  readonly #trace: string;
  readonly session: string;

  constructor({ sessionId, promptId }: Turn) {
    this.session = sessionId;
    this.#trace = promptTraceId(conversationOf('claude-code', sessionId), promptId);
  }

  /** @param target part of the turn @param parent part of the turn that it belongs to; '' for none */
  span = (target: string, parent: string) => ({
    traceId: this.#trace,
    spanId: turnSpanId(this.#trace, target),
    parentSpanId: parent === '' ? '' : turnSpanId(this.#trace, parent),
  });
}

const agentAttributes = (turn: Turn, name: string): HistorySpan['attributes'] => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': name,
  'gen_ai.conversation.id': turn.sessionId,
  'gen_ai.input.messages': messages('user', turn.prompt),
  'gen_ai.output.messages': messages('assistant', answerOf(turn)),
});

/** What the last call said, without what it thought. */
const answerOf = ({ calls }: Turn): MessagePart[] => calls.findLast(({ output }) => output.some(isText))?.output.filter(isText) ?? [];

const isText = ({ type }: MessagePart): boolean => type === 'text';

function stepSpans(turn: Turn, ids: TurnIds, parent: string): HistorySpan[] {
  return [
    ...turn.calls.map((call) => ({ ...ids.span(`call:${call.requestId}`, parent), ...callSpan(call, ids.session) })),
    ...turn.tools.map((tool) => ({ ...ids.span(`tool:${tool.id}`, parent), ...toolSpan(tool, ids.session) })),
  ];
}

type Step = Omit<HistorySpan, 'traceId' | 'spanId' | 'parentSpanId'>;

function callSpan({ model, startMs, endMs, input, system, output, stopReason, usage, error }: ModelCall, session: string): Step {
  return {
    name: `chat ${model}`,
    startMs,
    endMs,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.conversation.id': session,
      // By the conventions the input contains what was cached.
      'gen_ai.usage.input_tokens': usage.input + usage.cacheRead + usage.cacheWrite,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
      'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
      'gen_ai.response.finish_reasons': stopReason,
      'gen_ai.system_instructions': system.length === 0 ? '' : JSON.stringify(system.map((content) => ({ type: 'text', content }))),
      'gen_ai.input.messages': input.length === 0 ? '' : JSON.stringify(input.map(inputMessage)),
      'gen_ai.output.messages': error === null ? messages('assistant', output) : '',
    },
    error,
  };
}

function toolSpan({ id, name, arguments: given, startMs, endMs, result, isError }: ToolCall, session: string): Step {
  return {
    name: `execute_tool ${name}`,
    startMs,
    endMs,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(given),
      'gen_ai.tool.call.result': result,
      'gen_ai.conversation.id': session,
    },
    error: isError ? result : null,
  };
}

const compactionSpans = ({ compactions, sessionId }: Turn, ids: TurnIds): HistorySpan[] =>
  compactions.map(({ atMs, durationMs, trigger, tokensBefore, tokensAfter, summary }) => ({
    ...ids.span(`compaction:${atMs}`, 'turn'),
    name: 'compaction',
    startMs: atMs - durationMs,
    endMs: atMs,
    attributes: {
      'gen_ai.conversation.id': sessionId,
      'output.value': summary,
      'claude_code.compaction.trigger': trigger,
      'claude_code.compaction.tokens_before': tokensBefore,
      'claude_code.compaction.tokens_after': tokensAfter,
    },
    error: null,
  }));

const messages = (role: string, parts: readonly MessagePart[]): string => (parts.length === 0 ? '' : JSON.stringify([{ role, parts }]));

const inputMessage = (message: InputMessage): object =>
  message.role === 'user'
    ? message
    : {
        role: 'tool',
        parts: message.results.map(({ callId, text }) => ({ type: 'tool_call_response', id: callId, response: text })),
      };

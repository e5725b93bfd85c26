/**
 * The spans of a turn. Trace and spans have the ids that they have when Claude Code exports the same turn with its log records, so that a turn
 * that arrives both ways is stored once.
 */
import { conversationOf, promptTraceId, turnSpanId } from '../../ingest/agent-records/turn-record.ts';
import { isJson, textAt } from '../json.ts';
import type { HistorySpan } from '../otlp-span.ts';
import type { Compaction, MessagePart } from './session-entry.ts';
import { type InputMessage, type ModelCall, type SubAgent, type ToolCall, type Turn, typed } from './turns.ts';

export type PendingCompaction = Compaction & { atMs: number; summary: string };

/** @param isOver whether nothing more of the turn will come */
export function rootSpan(turn: Turn, agent: SubAgent | null, isOver: boolean): HistorySpan {
  const name = agent?.name ?? 'claude-code';
  return {
    ...placed(turn, agent === null ? 'turn' : agentTarget(agent), parentOfRoot(agent)),
    name,
    startMs: turn.startMs,
    endMs: isOver ? turn.endMs : null,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      'gen_ai.agent.id': agent?.id,
      'session.id': turn.sessionId,
      'gen_ai.input.messages': messages('user', typed(turn.prompt)),
      'gen_ai.output.messages': messages('assistant', turn.answer),
      'metadata.git_branch': turn.branch,
      'metadata.folder': turn.folder,
    },
    error: isOver ? turn.error : null,
  };
}

const parentOfRoot = (agent: SubAgent | null): string | null => {
  if (agent === null) return null;
  return agent.callId === '' ? 'turn' : `tool:${agent.callId}`;
};

const agentTarget = ({ id }: SubAgent): string => `agent:${id}`;

const stepParent = (agent: SubAgent | null): string => (agent === null ? 'turn' : agentTarget(agent));

/** @param target part of the turn @param parent part of the turn that it belongs to; null for none */
function placed({ sessionId, promptId, version }: Turn, target: string, parent: string | null) {
  const traceId = promptTraceId(conversationOf('claude-code', sessionId), promptId);
  return {
    traceId,
    spanId: turnSpanId(traceId, target),
    parentSpanId: parent === null ? '' : turnSpanId(traceId, parent),
    resource: { 'service.name': 'claude-code', 'service.version': version },
  };
}

/** @param isOver whether nothing more of the call will come */
export function modelSpan(turn: Turn, call: ModelCall, agent: SubAgent | null, isOver: boolean): HistorySpan {
  const { requestId, model, startMs, endMs, input, system, output, stopReason, usage, cost, error } = call;
  return {
    ...placed(turn, `call:${requestId}`, stepParent(agent)),
    name: model === '' ? 'chat' : `chat ${model}`,
    startMs,
    endMs: isOver ? endMs : null,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'session.id': turn.sessionId,
      // By the conventions the input contains what was cached.
      'gen_ai.usage.input_tokens': usage ? usage.input + usage.cacheRead + usage.cacheWrite : undefined,
      'gen_ai.usage.output_tokens': usage?.output,
      'gen_ai.usage.cache_read.input_tokens': usage?.cacheRead,
      'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWrite,
      'gen_ai.usage.cost': cost ?? undefined,
      'gen_ai.response.finish_reasons': stopReason,
      'gen_ai.system_instructions': system.length === 0 ? '' : JSON.stringify(system.map((content) => ({ type: 'text', content }))),
      'gen_ai.input.messages': input.length === 0 ? '' : JSON.stringify(input.map(inputMessage)),
      'gen_ai.output.messages': error === null ? messages('assistant', output) : '',
    },
    error,
  };
}

export function toolSpan(turn: Turn, tool: ToolCall, agent: SubAgent | null): HistorySpan {
  const { id, name, arguments: given, startMs, endMs, result, isError } = tool;
  return {
    ...placed(turn, `tool:${id}`, stepParent(agent)),
    name: `execute_tool ${name}`,
    startMs,
    endMs,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(given),
      'gen_ai.tool.call.result': result,
      'session.id': turn.sessionId,
      'metadata.file': fileOf(given),
    },
    error: isError ? result : null,
  };
}

/** The file that a tool reads or writes. */
const fileOf = (given: unknown): string => (isJson(given) ? textAt(given, 'file_path') || textAt(given, 'notebook_path') : '');

export const compactionSpan = (turn: Turn, compaction: PendingCompaction, agent: SubAgent | null): HistorySpan => ({
  ...placed(turn, `compaction:${compaction.atMs}`, stepParent(agent)),
  name: 'compaction',
  startMs: compaction.atMs - compaction.durationMs,
  endMs: compaction.atMs,
  attributes: {
    'session.id': turn.sessionId,
    'output.value': compaction.summary,
    'metadata.trigger': compaction.trigger,
    'metadata.tokens_before': compaction.tokensBefore,
    'metadata.tokens_after': compaction.tokensAfter,
  },
  error: null,
});

const messages = (role: string, parts: readonly MessagePart[]): string => (parts.length === 0 ? '' : JSON.stringify([{ role, parts }]));

const inputMessage = (message: InputMessage): object =>
  message.role === 'user'
    ? message
    : {
        role: 'tool',
        parts: message.results.map(({ callId, text }) => ({ type: 'tool_call_response', id: callId, response: text })),
      };

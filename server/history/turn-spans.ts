/**
 * The spans of a turn. Trace and spans have the ids that they have when the agent exports the same turn with its log records, where these name
 * the prompt, so that a turn that arrives both ways is stored once.
 */
import { threadAttribute, turnAttribute } from '../ingest/agent-records/history-turn.ts';
import { conversationOf, promptTraceId, turnSpanId } from '../ingest/agent-records/turn-record.ts';
import { inputMessages, messageOf } from './messages.ts';
import type { HistorySpan } from './otlp-span.ts';
import type { Compaction, ModelCall, SubAgent, ToolCall, Turn } from './turn.ts';

/** @param isOver whether nothing more of the turn will come */
export function rootSpan(turn: Turn, agent: SubAgent | null, isOver: boolean): HistorySpan {
  const name = agent?.name ?? turn.program.agent;
  return {
    ...placed(turn, agent?.target ?? 'turn', parentOfRoot(agent)),
    name,
    startMs: turn.startMs,
    endMs: isOver ? turn.endMs : null,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      'gen_ai.agent.id': agent?.id,
      'session.id': turn.sessionId,
      'gen_ai.input.messages': messageOf('user', turn.prompt),
      'gen_ai.output.messages': messageOf('assistant', turn.answer),
      'metadata.git_branch': turn.branch,
      'metadata.folder': turn.folder,
      [turnAttribute]: turn.traceId ? turn.promptId : undefined,
      [threadAttribute]: agent?.threadId,
    },
    error: isOver ? turn.error : null,
  };
}

const parentOfRoot = (agent: SubAgent | null): string | null => {
  if (agent === null) return null;
  return agent.callId === '' ? 'turn' : `tool:${agent.callId}`;
};

const stepParent = (agent: SubAgent | null): string => agent?.target ?? 'turn';

/** @param target part of the turn @param parent part of the turn that it belongs to; null for none */
function placed({ program, sessionId, promptId, traceId }: Turn, target: string, parent: string | null) {
  const prompt = promptTraceId(conversationOf(program.agent, sessionId), promptId);
  return {
    traceId: traceId || prompt,
    spanId: turnSpanId(prompt, target),
    parentSpanId: parent === null ? '' : turnSpanId(prompt, parent),
    resource: { 'service.name': program.service, 'service.version': program.version },
  };
}

/** @param isOver whether nothing more of the call will come */
export function modelSpan(turn: Turn, call: ModelCall, agent: SubAgent | null, isOver: boolean): HistorySpan {
  const { id, model, startMs, endMs, input, system, output, stopReason, usage, cost, error } = call;
  return {
    ...placed(turn, `call:${id}`, stepParent(agent)),
    name: model === '' ? 'chat' : `chat ${model}`,
    startMs,
    endMs: isOver ? endMs : null,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': turn.program.provider,
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'session.id': turn.sessionId,
      'gen_ai.usage.input_tokens': usage?.input,
      'gen_ai.usage.output_tokens': usage?.output,
      'gen_ai.usage.cache_read.input_tokens': usage?.cacheRead,
      'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWrite,
      'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
      'gen_ai.usage.cost': cost ?? undefined,
      'gen_ai.response.finish_reasons': stopReason,
      'gen_ai.system_instructions': system.length === 0 ? '' : JSON.stringify(system.map((content) => ({ type: 'text', content }))),
      'gen_ai.input.messages': inputMessages(input),
      'gen_ai.output.messages': messageOf('assistant', output),
    },
    error,
  };
}

export function toolSpan(turn: Turn, tool: ToolCall, agent: SubAgent | null): HistorySpan {
  return {
    ...placed(turn, `tool:${tool.id}`, stepParent(agent)),
    name: `execute_tool ${tool.name}`,
    startMs: tool.startMs,
    endMs: tool.endMs,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.call.id': tool.id,
      'gen_ai.tool.call.arguments': tool.arguments,
      'gen_ai.tool.call.result': tool.result,
      'session.id': turn.sessionId,
      'metadata.file': tool.file,
    },
    error: tool.error,
  };
}

export const compactionSpan = (turn: Turn, compaction: Compaction, agent: SubAgent | null): HistorySpan => ({
  ...placed(turn, `${agent ? `${agent.target}:` : ''}compaction:${compaction.atMs}`, stepParent(agent)),
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

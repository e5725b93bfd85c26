/** Builds spans from the log records of Codex: prompts, tools and tokens. No record has the reply. */
import type { RawAttribute, RawLog, SpanData } from '../otlp/raw-span.ts';
import type { AgentSpan } from './agent-span.ts';
import { attributesOf, identityOf, lastNamed, lastText, messagesOf } from './gen-ai-attributes.ts';
import { endOf, sortedByTime, startOf, timeRangeOf } from './record-times.ts';
import { amountIn, textIn } from './record-values.ts';

const scope = 'codex_otel';

export function codexSpan(target: string, all: readonly RawLog[]): AgentSpan {
  const logs = sortedByTime(all);
  if (target === 'turn') return turn(logs);
  return target.startsWith('tool:') ? tool(logs) : call(logs[0] as RawLog);
}

function turn(logs: RawLog[]): AgentSpan {
  const attributes = attributesOf({ ...identityOf(logs[0] as RawLog, 'conversation.id'), ...promptOf(logs) });
  return { name: 'codex.turn', scope, ...timeRangeOf(logs), attributes, error: null };
}

const promptOf = (logs: RawLog[]) => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'codex',
  'gen_ai.input.messages': messagesOf('user', lastText(logs, 'codex.user_prompt', 'prompt')),
});

function call(log: RawLog): AgentSpan {
  const { attributes } = log;
  const count = (key: string) => amountIn(attributes, key) ?? undefined;
  const error = textIn(attributes, 'error.message');
  return {
    name: 'codex.model_call',
    scope,
    start_ns: startOf(log, 'duration_ms', 'ttft_ms'),
    end_ns: endOf(log),
    attributes: attributesOf({
      ...identityOf(log, 'conversation.id'),
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': textIn(attributes, 'model') || textIn(attributes, 'slug'),
      'gen_ai.usage.input_tokens': count('input_token_count'),
      'gen_ai.usage.output_tokens': count('output_token_count'),
      'gen_ai.usage.cache_read.input_tokens': count('cached_token_count'),
      'gen_ai.usage.cache_creation.input_tokens': count('cache_write_token_count'),
      'gen_ai.usage.reasoning.output_tokens': count('reasoning_token_count'),
      'http.response.status_code': count('http.response.status_code'),
    }),
    error: error === '' ? null : error,
  };
}

function tool(logs: RawLog[]): AgentSpan {
  const result = lastNamed(logs, 'codex.tool_result');
  const last = result ?? (logs.at(-1) as RawLog);
  return {
    name: 'codex.tool',
    scope,
    start_ns: startOf(last, 'duration_ms'),
    end_ns: endOf(last),
    attributes: [...attributesOf(identityOf(last, 'conversation.id')), ...toolAttributes(last, lastNamed(logs, 'codex.tool_decision'))],
    error: textIn(last.attributes, 'success') === 'false' ? textIn(last.attributes, 'output') || 'The tool failed' : null,
  };
}

function toolAttributes({ attributes }: RawLog, decision: RawLog | undefined): RawAttribute[] {
  return attributesOf({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': textIn(attributes, 'tool_name'),
    'gen_ai.tool.call.id': textIn(attributes, 'call_id'),
    'gen_ai.tool.call.arguments': textIn(attributes, 'arguments'),
    'gen_ai.tool.call.result': textIn(attributes, 'output'),
    mcp_server: textIn(attributes, 'mcp_server'),
    decision: decision && textIn(decision.attributes, 'decision'),
    source: decision && textIn(decision.attributes, 'source'),
  });
}

/** Adds to a span sent by Codex what only its log records have: the prompt, or the arguments and result of a tool. */
export function codexSentSpan(spanData: SpanData): SpanData {
  const logs = sortedByTime(spanData.logs ?? []);
  const prompt = lastNamed(logs, 'codex.user_prompt');
  const result = lastNamed(logs, 'codex.tool_result');
  if (!prompt && !result) return spanData;
  const record = prompt ?? (result as RawLog);
  const added = [
    ...attributesOf(identityOf(record, 'conversation.id')),
    ...(prompt ? attributesOf(promptOf(logs)) : toolAttributes(record, lastNamed(logs, 'codex.tool_decision'))),
  ];
  const failed = !prompt && textIn(record.attributes, 'success') === 'false';
  const status = failed ? { status_code: 2 as const, status_message: textIn(record.attributes, 'output') } : {};
  return { ...spanData, span: { ...spanData.span, ...status, attributes: [...spanData.span.attributes, ...added] } };
}

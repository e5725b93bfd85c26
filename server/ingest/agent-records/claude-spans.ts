/** Builds spans from the log records of Claude Code. Their attributes are those of its spans, so most are copied. */
import type { RawAttribute, RawLog, SpanData } from '../otlp/raw-span.ts';
import type { AgentSpan } from './agent-span.ts';
import { attributesOf, identityOf, lastNamed, lastText, messagesOf } from './gen-ai-attributes.ts';
import { endOf, sortedByTime, startOf, timeRangeOf } from './record-times.ts';
import { amountIn, isRedacted, textIn } from './record-values.ts';

const scope = 'com.anthropic.claude_code.events';

export function claudeSpan(target: string, all: readonly RawLog[]): AgentSpan {
  const logs = sortedByTime(all);
  if (target === 'turn') return turn(logs);
  return target.startsWith('call:') ? call(logs[0] as RawLog) : tool(logs);
}

function turn(logs: RawLog[]): AgentSpan {
  const first = logs[0] as RawLog;
  const attributes = attributesOf({
    ...identityOf(first, 'session.id'),
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'claude-code',
    'gen_ai.input.messages': messagesOf('user', lastText(logs, 'claude_code.user_prompt', 'prompt')),
    'gen_ai.output.messages': messagesOf('assistant', lastText(logs, 'claude_code.assistant_response', 'response')),
    'claude_code.prompt_id': textIn(first.attributes, 'prompt.id'),
  });
  return { name: 'claude_code.interaction', scope, ...timeRangeOf(logs), attributes, error: null };
}

function call(log: RawLog): AgentSpan {
  const { attributes } = log;
  const failed = log.name !== 'claude_code.api_request';
  return {
    name: 'claude_code.llm_request',
    scope,
    start_ns: startOf(log, 'duration_ms'),
    end_ns: endOf(log),
    attributes: [
      ...spanAttributes(attributes),
      ...attributesOf({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        cost_usd: amountIn(attributes, 'cost_usd') === null ? costOf(log) : undefined,
      }),
    ],
    error: failed ? textIn(attributes, 'error') || textIn(attributes, 'error_type') || log.name.slice('claude_code.'.length) : null,
  };
}

function tool(logs: RawLog[]): AgentSpan {
  const result = lastNamed(logs, 'claude_code.tool_result');
  const decision = lastNamed(logs, 'claude_code.tool_decision');
  const last = result ?? (logs.at(-1) as RawLog);
  const { attributes } = last;
  const isFailed = result !== undefined && textIn(attributes, 'success') === 'false';
  return {
    name: 'claude_code.tool',
    scope,
    start_ns: startOf(last, 'duration_ms'),
    end_ns: endOf(last),
    attributes: [
      ...(decision && result ? spanAttributes(decision.attributes) : []),
      ...spanAttributes(attributes),
      ...attributesOf({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': textIn(attributes, 'tool_name'),
        'gen_ai.tool.call.id': textIn(attributes, 'tool_use_id'),
        'gen_ai.tool.call.arguments': textIn(attributes, 'tool_input') || textIn(attributes, 'tool_parameters'),
        'gen_ai.tool.call.result': textIn(attributes, 'tool_output') || textIn(attributes, 'tool_result') || textIn(attributes, 'error'),
      }),
    ],
    error: isFailed ? textIn(attributes, 'error') || textIn(attributes, 'error_type') || 'The tool failed' : null,
  };
}

/** Attributes that identify the record instead of describing the operation. On spans, `prompt.id` names a prompt template. */
const recordKeys = new Set([
  'prompt.id',
  'event.name',
  'event.timestamp',
  'event.sequence',
  'message.uuid',
  'tool_input',
  'tool_parameters',
]);

const spanAttributes = (attributes: readonly RawAttribute[]): RawAttribute[] =>
  attributes.filter(([key, value]) => !recordKeys.has(key) && !(typeof value === 'string' && isRedacted(value)));

function costOf({ attributes }: RawLog): number | undefined {
  const micros = amountIn(attributes, 'cost_usd_micros');
  return amountIn(attributes, 'cost_usd') ?? (micros === null ? undefined : micros / 1e6);
}

/** Adds to the root span of a turn what only its log records have: the reply and the cost of its calls. */
export function claudeInteraction(spanData: SpanData): SpanData {
  if (spanData.span.name !== 'claude_code.interaction' || !spanData.logs) return spanData;
  const logs = sortedByTime(spanData.logs);
  const costs = logs.filter(({ name }) => name === 'claude_code.api_request').map(costOf);
  const micros = costs.reduce((sum: number, cost) => sum + Math.round((cost ?? 0) * 1e9), 0);
  const has = (key: string) => spanData.span.attributes.some(([name]) => name === key);
  const added = attributesOf({
    'gen_ai.input.messages': has('user_prompt') ? undefined : messagesOf('user', lastText(logs, 'claude_code.user_prompt', 'prompt')),
    'gen_ai.output.messages': messagesOf('assistant', lastText(logs, 'claude_code.assistant_response', 'response')),
    cost_usd: micros === 0 ? undefined : micros / 1e9,
  });
  return { ...spanData, span: { ...spanData.span, attributes: [...spanData.span.attributes, ...added] } };
}

/** Adds to a span that was read from a session file what only its log records have. */
export function claudeHistorySpan(spanData: SpanData): SpanData {
  if (!spanData.logs) return spanData;
  const logs = sortedByTime(spanData.logs);
  const request = lastNamed(logs, 'claude_code.api_request');
  const decision = lastNamed(logs, 'claude_code.tool_decision');
  const ttft = request && amountIn(request.attributes, 'ttft_ms');
  const added = attributesOf({
    'user.id': logs[0] && textIn(logs[0].attributes, 'user.id'),
    'gen_ai.usage.cost': request && costOf(request),
    'gen_ai.response.time_to_first_chunk': ttft ? ttft / 1000 : undefined,
    'metadata.decision': decision && textIn(decision.attributes, 'decision'),
    'metadata.decision_source': decision && textIn(decision.attributes, 'source'),
  });
  return { ...spanData, span: { ...spanData.span, attributes: [...spanData.span.attributes, ...added] } };
}

/** Builds spans from the log records of Gemini CLI, for when it sends no spans. */
import { jsonOf } from '../../platform/json.ts';
import type { RawAttribute, RawLog } from '../otlp/raw-span.ts';
import type { AgentSpan } from './agent-span.ts';
import { attributesOf, identityOf, lastNamed, lastText, messagesOf } from './gen-ai-attributes.ts';
import { endOf, sortedByTime, startOf, timeRangeOf } from './record-times.ts';
import { amountIn, textIn } from './record-values.ts';

const scope = 'gemini-cli';

export function geminiSpan(target: string, all: readonly RawLog[]): AgentSpan {
  const logs = sortedByTime(all);
  if (target === 'turn') return turn(logs);
  return target.startsWith('tool:') ? tool(logs[0] as RawLog) : call(logs);
}

function turn(logs: RawLog[]): AgentSpan {
  const attributes = attributesOf({
    ...identityOf(logs[0] as RawLog, 'session.id'),
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'gemini-cli',
    'gen_ai.input.messages': messagesOf('user', lastText(logs, 'gemini_cli.user_prompt', 'prompt')),
  });
  return { name: 'gemini_cli.prompt', scope, ...timeRangeOf(logs), attributes, error: null };
}

/** Two records of the same time: one has the numbers, the other the messages. */
function call(logs: RawLog[]): AgentSpan {
  const details = lastNamed(logs, 'gen_ai.client.inference.operation.details');
  const log = logs.find(({ name }) => name !== details?.name) ?? (details as RawLog);
  const { attributes } = log;
  const count = (key: string) => amountIn(attributes, key) ?? undefined;
  const [output, thoughts] = [count('output_token_count'), count('thoughts_token_count')];
  const failed = log.name === 'gemini_cli.api_error';
  return {
    name: 'gemini_cli.model_call',
    scope,
    start_ns: startOf(log, 'duration_ms', 'duration'),
    end_ns: endOf(log),
    attributes: [
      ...(details?.attributes.filter(isCallAttribute) ??
        attributesOf({ 'gen_ai.output.messages': responseMessages(textIn(attributes, 'response_text')) })),
      ...attributesOf({
        ...identityOf(log, 'session.id'),
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gen_ai',
        'gen_ai.request.model': textIn(attributes, 'model') || textIn(attributes, 'model_name'),
        'gen_ai.usage.input_tokens': count('input_token_count'),
        // Gemini does not count thoughts as output tokens, the conventions do.
        'gen_ai.usage.output_tokens': output === undefined ? undefined : output + (thoughts ?? 0),
        'gen_ai.usage.cache_read.input_tokens': count('cached_content_token_count'),
        'gen_ai.usage.reasoning.output_tokens': thoughts,
        'http.response.status_code': count('status_code'),
      }),
    ],
    error: failed
      ? textIn(attributes, 'error.message') || textIn(attributes, 'error') || textIn(attributes, 'error_type') || 'The model call failed'
      : null,
  };
}

const isCallAttribute = ([key]: RawAttribute): boolean => key.startsWith('gen_ai.') && key !== 'gen_ai.operation.name';

/** The text of a streamed response, joined from its chunks. */
function responseMessages(response: string): string | undefined {
  const chunks = jsonOf(response);
  if (!Array.isArray(chunks)) return undefined;
  const texts = chunks.flatMap((chunk) => partsOf(chunk)).map((part) => (typeof part?.text === 'string' && !part.thought ? part.text : ''));
  return messagesOf('assistant', texts.join(''));
}

interface Part {
  text?: unknown;
  thought?: unknown;
}

function partsOf(chunk: { candidates?: { content?: { parts?: unknown } }[] } | null): Part[] {
  const parts = Array.isArray(chunk?.candidates) ? chunk.candidates[0]?.content?.parts : [];
  return Array.isArray(parts) ? (parts as Part[]) : [];
}

function tool(log: RawLog): AgentSpan {
  const { attributes } = log;
  return {
    name: 'gemini_cli.tool_call',
    scope,
    start_ns: startOf(log, 'duration_ms'),
    end_ns: endOf(log),
    attributes: attributesOf({
      ...identityOf(log, 'session.id'),
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': textIn(attributes, 'function_name'),
      'gen_ai.tool.call.arguments': textIn(attributes, 'function_args'),
      'gen_ai.tool.call.result': textIn(attributes, 'error'),
      decision: textIn(attributes, 'decision'),
    }),
    error:
      textIn(attributes, 'success') === 'false'
        ? textIn(attributes, 'error') || textIn(attributes, 'error_type') || 'The tool failed'
        : null,
  };
}

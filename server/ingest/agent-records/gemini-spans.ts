/** What the records of Gemini CLI tell where it sends no spans. */
import { jsonOf } from '../../platform/json.ts';
import type { RawAttribute, RawLog } from '../otlp/raw-span.ts';
import { endOf, inOrder, spanned, startOf } from './record-times.ts';
import { amountIn, textIn } from './record-values.ts';
import { attributesOf, identityOf, lastText, messagesOf, named } from './told-attributes.ts';
import type { Told } from './told-span.ts';

const scope = 'gemini-cli';

export function geminiSpan(target: string, all: readonly RawLog[]): Told {
  const logs = inOrder(all);
  if (target === 'turn') return turn(logs);
  return target.startsWith('call:') ? call(logs) : tool(logs[0] as RawLog);
}

function turn(logs: RawLog[]): Told {
  const attributes = attributesOf({
    ...identityOf(logs[0] as RawLog, 'session.id'),
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'gemini-cli',
    'gen_ai.input.messages': messagesOf('user', lastText(logs, 'gemini_cli.user_prompt', 'prompt')),
  });
  return { name: 'gemini_cli.prompt', scope, ...spanned(logs), attributes, error: null };
}

/** One record has the numbers, the other, of the same moment, the messages. */
function call(logs: RawLog[]): Told {
  const details = named(logs, 'gen_ai.client.inference.operation.details');
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
      ...(details?.attributes.filter(isOfCall) ??
        attributesOf({ 'gen_ai.output.messages': answerOf(textIn(attributes, 'response_text')) })),
      ...attributesOf({
        ...identityOf(log, 'session.id'),
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gen_ai',
        'gen_ai.request.model': textIn(attributes, 'model') || textIn(attributes, 'model_name'),
        'gen_ai.usage.input_tokens': count('input_token_count'),
        // Gemini counts thoughts apart, the convention does not.
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

const isOfCall = ([key]: RawAttribute): boolean => key.startsWith('gen_ai.') && key !== 'gen_ai.operation.name';

/** The texts of a streamed answer, which stand in the pieces it came in. */
function answerOf(response: string): string | undefined {
  const pieces = jsonOf(response);
  if (!Array.isArray(pieces)) return undefined;
  const texts = pieces.flatMap((piece) => partsOf(piece)).map((part) => (typeof part?.text === 'string' && !part.thought ? part.text : ''));
  return messagesOf('assistant', texts.join(''));
}

interface Part {
  text?: unknown;
  thought?: unknown;
}

function partsOf(piece: { candidates?: { content?: { parts?: unknown } }[] } | null): Part[] {
  const parts = Array.isArray(piece?.candidates) ? piece.candidates[0]?.content?.parts : [];
  return Array.isArray(parts) ? (parts as Part[]) : [];
}

function tool(log: RawLog): Told {
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

import type { Message, Part } from '../../normalised.ts';
import { append } from '../append.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, structuredJson, textIn } from '../json-value.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Content parts of the Vercel AI SDK, versions 3 to 7, and of AgentMark's stored form, which uses the same:
 * `tool-call{toolCallId,toolName,args|input}`, `tool-result{toolCallId,toolName,result|output}`, `reasoning{text}`. The calls of
 * `ai.response.toolCalls` have the same fields without a `type`. A result such as `{type:"json",value}` stays unchanged:
 * its wrapper distinguishes text, JSON and media.
 */
export const aiSdk: Dialect = {
  typedParts: {
    'tool-call': toolCall,
    'tool-result': (value) => toolResult(value, value['result'] ?? value['output'] ?? null, value['isError'] === true),
    'tool-error': (value) => toolResult(value, value['error'] ?? null, true),
    'tool-invocation': (value) => (isObject(value['toolInvocation']) ? toolCall(value['toolInvocation']) : undefined),
    reasoning: (value) => {
      const text = textIn(value, 'text');
      if (text === undefined) return undefined;
      const signature = textIn(value, 'signature');
      return signature === undefined ? { type: 'reasoning', text } : { type: 'reasoning', text, signature };
    },
    'redacted-reasoning': () => ({ type: 'reasoning', text: '' }),
    'step-start': () => [],
  },
  untypedPart: (value) => (typeof value['toolName'] === 'string' && 'toolCallId' in value ? toolCall(value) : undefined),
  body: (value, decoder) => generation(value, decoder) ?? prompt(value, decoder),
};

function toolCall(value: JsonObject): Part | undefined {
  const name = textIn(value, 'toolName');
  if (name === undefined) return undefined;
  const args = toolArguments(value['input'] ?? value['args'] ?? value['toolInput']);
  const call: Part = { type: 'tool-call', id: textIn(value, 'toolCallId') ?? '', name, args };
  if (value['providerExecuted'] === true) call.providerExecuted = true;
  return call;
}

function toolResult(value: JsonObject, result: unknown, isError: boolean): Part {
  const name = textIn(value, 'toolName');
  const failed = isError || (isObject(result) && (result['type'] === 'error-text' || result['type'] === 'error-json'));
  return {
    type: 'tool-result',
    id: textIn(value, 'toolCallId') ?? '',
    ...(name ? { name } : {}),
    result,
    ...(failed ? { isError: true } : {}),
  };
}

const GENERATION_KEYS = ['toolCalls', 'files', 'reasoning', 'reasoningText', 'warnings', 'finishReason', 'steps', 'usage'] as const;

/** `{text, toolCalls?, files?, reasoning?, object?…}`: a result of generateText, as Mastra and hand-written wrappers record it. */
function generation(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const text = textIn(value, 'text');
  if ('role' in value || !GENERATION_KEYS.some((key) => key in value)) return undefined;
  if (text === undefined && !Array.isArray(value['toolCalls']) && !isObject(value['object'])) return undefined;
  const parts = [...reasoningParts(value['reasoningText'] ?? value['reasoning']), ...decoder.parts(text)];
  if (!text && isObject(value['object'])) parts.push({ type: 'data', value: value['object'] });
  append(parts, decoder.parts(value['toolCalls']));
  append(parts, decoder.parts(value['files']));
  const message: Message = { role: 'assistant', parts };
  const finish = textIn(value, 'finishReason');
  if (finish) message.finish_reason = finish;
  return [message];
}

/** Reasoning as text, or as a list of `{text}` that may itself be JSON text (`ai.response.reasoning`). */
export function reasoningParts(value: unknown): Part[] {
  const list = typeof value === 'string' && value.startsWith('[') ? (structuredJson(value) ?? value) : value;
  if (typeof list === 'string') return list === '' ? [] : [{ type: 'reasoning', text: list }];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item): Part[] => {
    const text = typeof item === 'string' ? item : isObject(item) ? textIn(item, 'text') : undefined;
    return text ? [{ type: 'reasoning', text }] : [];
  });
}

/** `ai.prompt`: `{system?, prompt}`, where the prompt is text or messages. `{system?, messages}` is read by the dialect of chat messages. */
function prompt(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const input = value['prompt'];
  if (typeof input === 'string' && !decoder.lenient) return undefined;
  const messages = typeof input === 'string' ? [userMessage(input)] : Array.isArray(input) ? decoder.messages(input, 'user') : undefined;
  if (messages === undefined) return undefined;
  const system = decoder.parts(value['system']);
  return system.length === 0 ? messages : [{ role: 'system', parts: system }, ...messages];
}

function userMessage(text: string): Message {
  return { role: 'user', parts: text === '' ? [] : [{ type: 'text', text }] };
}

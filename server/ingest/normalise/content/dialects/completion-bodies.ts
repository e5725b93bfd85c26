import type { Message, Part } from '../../normalised.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';

/**
 * Response bodies with a text instead of messages: Anthropic's and Bedrock's older completions, Ollama's `generate`, Titan, and streams
 * that Logfire summarises as `{combined_chunk_content, chunk_count}`. Each is recognised by a second field, because `{response}` alone may
 * be any object. `{inputText}` and `{inputs}` are the requests.
 */
export const completionBodies: Dialect = { body: (value, decoder) => response(value) ?? request(value, decoder) };

const RESPONSES = [
  ['combined_chunk_content', 'chunk_count'],
  ['completion', 'stop_reason'],
  ['generation', 'stop_reason'],
  ['response', 'done'],
  ['output_text', 'model'],
] as const;

function response(value: JsonObject): Message[] | undefined {
  for (const [key, marker] of RESPONSES) {
    const text = textIn(value, key);
    if (text !== undefined && marker in value) return textMessage('assistant', [text]);
  }
  const results = value['results'];
  if (!Array.isArray(results)) return undefined;
  const texts = results.flatMap((result) => (isObject(result) ? (textIn(result, 'outputText') ?? []) : []));
  return texts.length === 0 ? undefined : textMessage('assistant', texts);
}

function request(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  if (!decoder.lenient) return undefined;
  const text = textIn(value, 'inputText') ?? textIn(value, 'inputs');
  return text === undefined ? undefined : textMessage('user', [text]);
}

function textMessage(role: Message['role'], texts: string[]): Message[] {
  return [{ role, parts: texts.filter((text) => text !== '').map((text): Part => ({ type: 'text', text })) }];
}

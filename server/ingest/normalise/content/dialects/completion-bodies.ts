import type { Message, Part } from '../../normalised.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';

/**
 * Bodies that answer with one text and no message: Anthropic's and Bedrock's older completions, Ollama's `generate`, Titan, and the
 * stream that Logfire sums up as `{combined_chunk_content, chunk_count}`. Each is told by a second field, because `{response}` alone may
 * be anybody's object. `{inputText}` and `{inputs}` ask for such a text.
 */
export const completionBodies: Dialect = { body: (value, decoder) => answer(value) ?? question(value, decoder) };

const ANSWERS = [
  ['combined_chunk_content', 'chunk_count'],
  ['completion', 'stop_reason'],
  ['generation', 'stop_reason'],
  ['response', 'done'],
  ['output_text', 'model'],
] as const;

function answer(value: JsonObject): Message[] | undefined {
  for (const [key, marker] of ANSWERS) {
    const text = textIn(value, key);
    if (text !== undefined && marker in value) return said('assistant', [text]);
  }
  const results = value['results'];
  if (!Array.isArray(results)) return undefined;
  const texts = results.flatMap((result) => (isObject(result) ? (textIn(result, 'outputText') ?? []) : []));
  return texts.length === 0 ? undefined : said('assistant', texts);
}

function question(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  if (!decoder.lenient) return undefined;
  const text = textIn(value, 'inputText') ?? textIn(value, 'inputs');
  return text === undefined ? undefined : said('user', [text]);
}

function said(role: Message['role'], texts: string[]): Message[] {
  return [{ role, parts: texts.filter((text) => text !== '').map((text): Part => ({ type: 'text', text })) }];
}

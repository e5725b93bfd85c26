import type { SentSpan } from '../../otlp/raw-span.ts';
import type { Message, SpanPreview } from '../normalised.ts';
import { inputPayload } from './input-payload.ts';
import { structuredJson } from './json-value.ts';
import { outputPayload } from './output-payload.ts';
import type { Payload } from './payload.ts';
import { readableText } from './readable-text.ts';
import { retrievedDocuments } from './retrieved-documents.ts';
import { SpanSources } from './span-sources.ts';
import { argumentsValue } from './tool-payload.ts';
import { partsOfType } from './wire-messages.ts';

/** UTF-16 units (docs/reference/ingest.md#previews). */
const LENGTH_MAX = 160;

/**
 * What a list shows of a span: the last thing the user said, and what was answered, or `tool_name(arguments)` when the answer was only
 * calls. Made for every span that arrives, so it asks the same sources as `contentOf` but writes no messages.
 */
export function previewOf(sent: SentSpan): SpanPreview {
  const sources = new SpanSources(sent, true);
  return { input: inputPreview(inputPayload(sources), sources), output: outputPreview(outputPayload(sources), sources) };
}

function inputPreview(payload: Payload | undefined, sources: SpanSources): string {
  if (payload === undefined) return '';
  if (payload.kind === 'messages') return lastSaid(payload.messages);
  if (sources.role === 'tool') return shown(argumentsValue(payload));
  return shown(payload.value ?? payload.text);
}

/** The last user text; without one, the last text or result of anybody. */
function lastSaid(messages: readonly Message[]): string {
  const user = messages.findLast((message) => message.role === 'user' && message.parts.some((part) => part.type === 'text'));
  const last = user ?? messages.findLast((message) => message.parts.length > 0);
  return last === undefined ? '' : spoken([withoutSurroundings(last)]);
}

/** Coding agents put what they know of the machine before the words of the user, in parts of their own. */
function withoutSurroundings(message: Message): Message {
  const parts = message.parts.filter((part) => part.type !== 'text' || !SURROUNDINGS.test(part.text));
  return parts.some((part) => part.type === 'text') ? { ...message, parts } : message;
}

const SURROUNDINGS = /^\s*<(session_context|system-reminder|environment_context)>/;

function outputPreview(payload: Payload | undefined, sources: SpanSources): string {
  if (payload === undefined || sources.role === 'retrieval') {
    const documents = retrievedDocuments(sources, payload?.kind === 'value' ? payload.value : undefined)?.documents;
    if (documents !== undefined) return shown(documents.map((document) => document.content ?? document.id));
  }
  if (payload === undefined) return '';
  if (payload.kind === 'value') return shown(payload.value ?? payload.text);
  const answers = payload.messages.filter((message) => message.role === 'assistant');
  return spoken(answers.length > 0 ? answers : payload.messages);
}

/** The words of messages; their calls, results, media or reasoning when there are none. */
function spoken(messages: readonly Message[]): string {
  const texts = partsOfType(messages, 'text').map((part) => part.text);
  if (texts.some((text) => text !== '')) return shownText(texts.join('\n'));
  const calls = partsOfType(messages, 'tool-call').map((call) => `${call.name}(${readableText(call.args, LENGTH_MAX)})`);
  if (calls.length > 0) return collapsed(calls.join(', '));
  const results = partsOfType(messages, 'tool-result').map((part) => part.result);
  if (results.length > 0) return shown(results);
  const media = partsOfType(messages, 'media').map((part) => part.name ?? (part.mimeType || part.modality));
  if (media.length > 0) return collapsed(media.join(', '));
  const data = partsOfType(messages, 'data').map((part) => part.value);
  return data.length > 0
    ? shown(data)
    : collapsed(
        partsOfType(messages, 'reasoning')
          .map((part) => part.text)
          .join('\n'),
      );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? shownText(value) : collapsed(readableText(value, LENGTH_MAX + 1));
}

/** A text that is JSON of an object or array is shown without its braces. */
function shownText(text: string): string {
  const value = text.length <= STRUCTURED_LENGTH_MAX ? structuredJson(text) : undefined;
  return typeof value === 'object' && value !== null ? collapsed(readableText(value, LENGTH_MAX + 1)) : collapsed(text);
}

/** A larger JSON text is not worth parsing for 160 characters. */
const STRUCTURED_LENGTH_MAX = 65_536;

/**
 * White space collapsed, cut at 160 units without splitting a surrogate pair, lone surrogates and NUL characters taken out. Looks only
 * at as much of the text as it needs: an answer may be a megabyte, and may begin with a screen of blank lines.
 */
function collapsed(text: string): string {
  let result = '';
  for (let index = 0; index < text.length && result.length <= LENGTH_MAX; index++) {
    const from = index;
    while (index < text.length && index - from <= LENGTH_MAX && !isBlank(text.charCodeAt(index))) index++;
    if (index > from) result += result === '' ? text.slice(from, index) : ` ${text.slice(from, index)}`;
  }
  if (result.length > LENGTH_MAX)
    result = result.slice(0, isHighSurrogate(result.charCodeAt(LENGTH_MAX - 1)) ? LENGTH_MAX - 1 : LENGTH_MAX);
  return result.toWellFormed().trimEnd();
}

/** Control characters count as blanks: NUL must not reach a list, and the others are not worth a place in it. */
function isBlank(code: number): boolean {
  if (code < 0x7f) return code <= 32;
  return code <= 0xa0 || code === 0x2028 || code === 0x2029 || code === 0xfeff || code === 0x3000;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

import type { SpanData } from '../../otlp/raw-span.ts';
import type { Message, SpanPreview } from '../normalised.ts';
import { inputPayload } from './input-payload.ts';
import { structuredJson } from './json-value.ts';
import { outputPayload } from './output-payload.ts';
import type { Payload, Side } from './payload.ts';
import { readableText } from './readable-text.ts';
import { retrievedDocuments } from './retrieved-documents.ts';
import { SpanSources } from './span-sources.ts';
import { argumentsValue } from './tool-payload.ts';
import { partsOfType } from './wire-messages.ts';

/** UTF-16 units (docs/reference/ingest.md#previews). */
const LENGTH_MAX = 160;

/**
 * The texts that lists show for a span: the last user message, and the answer, or `tool_name(arguments)` when the answer has only calls.
 * Computed for spans on arrival, so it reads the same sources as `contentOf` but does not build messages.
 */
export function previewOf(spanData: SpanData): SpanPreview {
  const sources = new SpanSources(spanData, true);
  return { input: sidePreview('input', sources), output: sidePreview('output', sources) };
}

/** One side of `previewOf`. */
export const previewOfSide = (spanData: SpanData, side: Side): string => sidePreview(side, new SpanSources(spanData, true));

function sidePreview(side: Side, sources: SpanSources): string {
  return side === 'input' ? inputPreview(inputPayload(sources), sources) : outputPreview(outputPayload(sources), sources);
}

function inputPreview(payload: Payload | undefined, sources: SpanSources): string {
  if (payload === undefined) return '';
  if (payload.kind === 'messages') return lastUserText(payload.messages);
  if (sources.role === 'tool') return displayed(argumentsValue(payload));
  return displayed(payload.value ?? payload.text);
}

/** The last user text; without one, the last text or result of any role. */
function lastUserText(messages: readonly Message[]): string {
  const user = messages.findLast((message) => message.role === 'user' && message.parts.some((part) => part.type === 'text'));
  const last = user ?? messages.findLast((message) => message.parts.length > 0);
  return last === undefined ? '' : messageText([withoutContext(last)]);
}

/** Coding agents put context about the machine before the user's text, in separate parts. */
function withoutContext(message: Message): Message {
  const parts = message.parts.filter((part) => part.type !== 'text' || !CONTEXT.test(part.text));
  return parts.some((part) => part.type === 'text') ? { ...message, parts } : message;
}

const CONTEXT = /^\s*<(session_context|system-reminder|environment_context)>/;

function outputPreview(payload: Payload | undefined, sources: SpanSources): string {
  if (payload === undefined || sources.role === 'retrieval') {
    const documents = retrievedDocuments(sources, payload?.kind === 'value' ? payload.value : undefined)?.documents;
    if (documents !== undefined) return displayed(documents.map((document) => document.content ?? document.id));
  }
  if (payload === undefined) return '';
  if (payload.kind === 'value') return displayed(payload.value ?? payload.text);
  const answers = payload.messages.filter((message) => message.role === 'assistant');
  return messageText(answers.length > 0 ? answers : payload.messages);
}

/** The text of messages; without text, their calls, results, media or reasoning. */
function messageText(messages: readonly Message[]): string {
  const texts = partsOfType(messages, 'text').map((part) => part.text);
  if (texts.some((text) => text !== '')) return displayedText(texts.join('\n'));
  const calls = partsOfType(messages, 'tool-call').map((call) => `${call.name}(${readableText(call.args, LENGTH_MAX)})`);
  if (calls.length > 0) return collapsed(calls.join(', '));
  const results = partsOfType(messages, 'tool-result').map((part) => part.result);
  if (results.length > 0) return displayed(results);
  const media = partsOfType(messages, 'media').map((part) => part.name ?? (part.mimeType || part.modality));
  if (media.length > 0) return collapsed(media.join(', '));
  const data = partsOfType(messages, 'data').map((part) => part.value);
  return data.length > 0
    ? displayed(data)
    : collapsed(
        partsOfType(messages, 'reasoning')
          .map((part) => part.text)
          .join('\n'),
      );
}

function displayed(value: unknown): string {
  return typeof value === 'string' ? displayedText(value) : collapsed(readableText(value, LENGTH_MAX + 1));
}

/** A text that is JSON of an object or array is shown without its braces. */
function displayedText(text: string): string {
  const value = text.length <= STRUCTURED_LENGTH_MAX ? structuredJson(text) : undefined;
  return typeof value === 'object' && value !== null ? collapsed(readableText(value, LENGTH_MAX + 1)) : collapsed(text);
}

/** Larger JSON text is not parsed for 160 characters. */
const STRUCTURED_LENGTH_MAX = 65_536;

/**
 * White space collapsed, truncated to 160 units without splitting a surrogate pair, without lone surrogates and NUL characters. Reads only
 * as much of the text as it needs: an answer may be a megabyte, and may begin with many blank lines.
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

/** Control characters count as blanks: lists must not contain them. */
function isBlank(code: number): boolean {
  if (code < 0x7f) return code <= 32;
  return code <= 0xa0 || code === 0x2028 || code === 0x2029 || code === 0xfeff || code === 0x3000;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

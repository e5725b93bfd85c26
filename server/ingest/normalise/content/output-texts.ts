import type { Message, Part, SpanContent } from '../normalised.ts';
import { cleanText } from './clean-text.ts';
import { generatedMedia } from './generated-media.ts';
import { isObject, jsonText, structuredJson, textIn } from './json-value.ts';
import type { Payload } from './payload.ts';
import { retrievedDocuments } from './retrieved-documents.ts';
import type { SpanSources } from './span-sources.ts';
import { withoutVectors } from './vectors.ts';
import { nameResults, partsOfType, type ToolCall, wireToolCalls } from './wire-messages.ts';

type OutputTexts = Pick<SpanContent, 'output' | 'output_object' | 'tool_calls' | 'output_messages'>;

/** The output of a span that is not a tool, in all its forms. Text, an object and tool calls may coexist. */
export function outputTexts(payload: Payload | undefined, sources: SpanSources): OutputTexts {
  const texts =
    payload === undefined
      ? NOTHING
      : payload.kind === 'messages'
        ? ofMessages(payload.messages, payload.text, sources)
        : ofValue(payload, sources);
  const retrieved = retrievedDocuments(sources, payload?.kind === 'value' ? payload.value : undefined);
  return retrieved === undefined ? texts : { ...texts, output_object: jsonText({ documents: retrieved.documents }) };
}

const NOTHING: OutputTexts = { output: '', output_object: '', tool_calls: '', output_messages: [] };

function ofMessages(messages: Message[], raw: () => string, sources: SpanSources): OutputTexts {
  nameResults(messages);
  const assistantMessages = messages.filter((message) => message.role === 'assistant');
  const calls = partsOfType(messages, 'tool-call');
  const tool_calls = wireToolCalls(calls, partsOfType(messages, 'tool-result'));
  // The output of a prompt template is messages to a model, without an assistant message: the value is the output.
  if (assistantMessages.length === 0)
    return { output: cleanText(raw()), output_object: objectText(raw()), tool_calls, output_messages: messages };
  const text = answerText(assistantMessages);
  const object = structuredAnswer(assistantMessages, calls, text, sources);
  return { output: cleanText(text || object), output_object: object, tool_calls, output_messages: messages };
}

/** Text parts joined by line breaks. */
export function answerText(messages: readonly Message[]): string {
  const texts = partsOfType(messages, 'text').map((part) => part.text);
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\n');
}

/** The structured output of an answer: JSON text, the call of a result tool, generated media, or data without text. */
function structuredAnswer(messages: Message[], calls: ToolCall[], text: string, sources: SpanSources): string {
  const json = objectText(text);
  if (json !== '') return json;
  const result = calls.find((call) => isResultTool(call.name, sources));
  if (result !== undefined) return jsonText(result.args);
  const media = partsOfType(messages, 'media').map(wireMedia);
  if (media.length > 0) return jsonText(media);
  const data = partsOfType(messages, 'data').map((part) => part.value);
  return text !== '' || data.length === 0 ? '' : jsonText(data.length === 1 ? data[0] : data);
}

/** The shape by which the contract recognises generated media. */
function wireMedia(part: Extract<Part, { type: 'media' }>): unknown {
  const { mimeType, base64, url, name, fileId } = part;
  return { mimeType, ...(base64 ? { base64 } : {}), ...(url ? { url } : {}), ...(fileId ? { fileId } : {}), ...(name ? { name } : {}) };
}

/** In Pydantic AI the model returns its result by a tool call: `final_result`, or a tool in `model_request_parameters.output_tools`. */
function isResultTool(name: string, sources: SpanSources): boolean {
  if (name === 'final_result') return true;
  const parameters = sources.structure('model_request_parameters');
  const tools = isObject(parameters) ? parameters['output_tools'] : undefined;
  return Array.isArray(tools) && tools.some((tool) => isObject(tool) && textIn(tool, 'name') === name);
}

/** The text when it is JSON of an object or array, else ''. */
export function objectText(text: string): string {
  const value = structuredJson(text);
  return typeof value === 'object' && value !== null ? text : '';
}

function ofValue(payload: Payload & { kind: 'value' }, sources: SpanSources): OutputTexts {
  const isStructured = typeof payload.value === 'object' && payload.value !== null;
  const value = isStructured ? withoutVectors(payload.value, sources.role === 'embedding') : payload.value;
  const text = value === payload.value ? payload.text : jsonText(value);
  return {
    output: cleanText(text),
    output_object: isStructured ? text : '',
    tool_calls: '',
    output_messages: answerOf(text, value, sources),
  };
}

function answerOf(text: string, value: unknown, sources: SpanSources): Message[] {
  const media = generatedMedia(value, text);
  if (media.length > 0) return [{ role: 'assistant', parts: media }];
  if (sources.role !== 'conversation') return [];
  const part: Part = typeof value === 'object' && value !== null ? { type: 'data', value } : { type: 'text', text };
  return [{ role: 'assistant', parts: [part] }];
}

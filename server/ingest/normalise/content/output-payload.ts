import type { Message, Part } from '../normalised.ts';
import { append } from './append.ts';
import { reasoningParts } from './dialects/ai-sdk.ts';
import { embeddingOutput, VECTOR_KEYS } from './embedding-payload.ts';
import { eventListReader, historyReader } from './event-list.ts';
import { flattenedReader } from './flattened-messages.ts';
import { eventPayload } from './genai-events.ts';
import { mastraPayload, memoryReader, rootReader, spanDataReader } from './input-payload.ts';
import { decodeParts } from './message-decoder.ts';
import { attributePayload, attributeReader, firstPayload, messagesPayload, type Payload, type PayloadReader, reading } from './payload.ts';
import type { SpanSources } from './span-sources.ts';
import { joinedText } from './streamed-text.ts';
import { toolCallList } from './tool-call-list.ts';
import { ownToolResult, TOOL_RESULT_KEYS } from './tool-payload.ts';

const from = (key: string): PayloadReader => attributeReader(key, 'output');

/** Sources of the output; the first with content wins (docs/reference/ingest.md#input-and-output). */
const READERS: readonly PayloadReader[] = [
  from('gen_ai.response.output'),
  from('agentmark.response.output'),
  from('agentmark.output'),
  from('langfuse.observation.output'),
  from('gen_ai.output.messages'),
  reading([], (sources) => eventPayload(sources, 'output')),
  from('gen_ai.completion'),
  responseReader('ai.response.'),
  responseReader('ai.result.'),
  responseReader('vercel.ai.response.'),
  reading(['gen_ai.response.object', 'gen_ai.response.text', 'gen_ai.response.tool_calls'], sentryResponse),
  flattenedReader('llm.output_messages.', 'assistant'),
  flattenedReader('llm.choices.', 'assistant'),
  flattenedReader('gen_ai.completion.', 'assistant'),
  reading(VECTOR_KEYS, embeddingOutput),
  memoryReader('output'),
  from('output.value'),
  from('traceloop.entity.output'),
  from('final_result'),
  from('response_data'),
  eventListReader('events', 'output'),
  historyReader('pydantic_ai.all_messages', 'output'),
  historyReader('all_messages_events', 'output'),
  from('gcp.vertex.agent.llm_response'),
  from('lmnr.span.output'),
  from('genkit:output'),
  from('mlflow.spanOutputs'),
  mastraPayload('.output'),
  from('braintrust.output_json'),
  from('braintrust.output'),
  reading(TOOL_RESULT_KEYS, ownToolResult),
  reading(['lk.response.text', 'lk.response.function_calls'], livekitResponse),
  reading(['agent.*.result'], oldMastraResult),
  spanDataReader('output'),
  from('guardrail_response'),
  from('gen_ai.agent.actual_output'),
  from('output'),
  rootReader('langfuse.trace.output', 'output'),
];

/** Every attribute that an output may come from. */
export const OUTPUT_KEYS: readonly string[] = READERS.flatMap(({ keys }) => keys);

export function outputPayload(sources: SpanSources): Payload | undefined {
  if (sources.role === 'tool') return ownToolResult(sources) ?? firstPayload(READERS, sources);
  const payload = firstPayload(READERS, sources);
  if (payload?.kind !== 'messages') return payload;
  return withSeparateCalls(
    sources.spanData.scope.name === 'gemini-cli' ? { ...payload, messages: [joinedMessage(payload.messages)] } : payload,
    sources,
  );
}

/** Joins the messages of Gemini CLI, which has one for each chunk of a streamed response. */
function joinedMessage(chunks: Message[]): Message {
  const finish_reason = chunks.findLast((chunk) => chunk.finish_reason)?.finish_reason;
  const parts = joinedText(chunks.flatMap((chunk) => chunk.parts));
  return { role: 'assistant', parts, ...(finish_reason ? { finish_reason } : {}) };
}

/**
 * AI SDK: each field of a response is an attribute. A response may have text and tool calls; `object` is the result of generateObject;
 * `reasoning` is text or a JSON list; `files` carry base64.
 */
function responseReader(prefix: string): PayloadReader {
  const keys = {
    text: `${prefix}text`,
    object: `${prefix}object`,
    calls: `${prefix}toolCalls`,
    reasoning: `${prefix}reasoning`,
    files: `${prefix}files`,
  };
  return reading(Object.values(keys), (sources) => {
    const object = attributePayload(sources, keys.object, 'output');
    if (object !== undefined) return { ...object, kind: 'value', text: sources.text(keys.object), value: sources.structure(keys.object) };
    const parts: Part[] = [...reasoningParts(sources.text(keys.reasoning)), ...decodeParts(sources.text(keys.text))];
    const calls = sources.view.has(keys.calls) ? toolCallList(sources.structure(keys.calls)) : [];
    const files = sources.view.has(keys.files) ? decodeParts(sources.structure(keys.files)) : [];
    append(parts, calls);
    append(parts, files);
    if (parts.length === 0) return undefined;
    const source = parts.some((part) => part.type === 'text') ? keys.text : calls.length > 0 ? keys.calls : `${prefix}*`;
    return messagesPayload(source, [{ role: 'assistant', parts }]);
  });
}

/** Sentry and OpenLIT: `gen_ai.response.text` (text, or a JSON list of texts) and `gen_ai.response.tool_calls`. */
function sentryResponse(sources: SpanSources): Payload | undefined {
  const object = attributePayload(sources, 'gen_ai.response.object', 'output');
  if (object !== undefined) return object;
  const value = sources.structure('gen_ai.response.text');
  const parts = decodeParts(Array.isArray(value) || typeof value === 'string' ? value : sources.text('gen_ai.response.text'));
  append(parts, toolCallList(sources.structure('gen_ai.response.tool_calls')));
  return messagesPayload('gen_ai.response.text', [{ role: 'assistant', parts }]);
}

function livekitResponse(sources: SpanSources): Payload | undefined {
  const parts = decodeParts(sources.text('lk.response.text'));
  append(parts, toolCallList(sources.structure('lk.response.function_calls')));
  return messagesPayload('lk.response.text', [{ role: 'assistant', parts }]);
}

/** Mastra's first exporter: `agent.generate.result` with `{text, object, usage}`. */
function oldMastraResult(sources: SpanSources): Payload | undefined {
  const { name } = sources.spanData.span;
  return name.startsWith('agent.') ? attributePayload(sources, `${name}.result`, 'output') : undefined;
}

/** Adds tool calls from another attribute than that of the text (LangSmith over AI SDK, OpenLIT). */
function withSeparateCalls(payload: Payload & { kind: 'messages' }, sources: SpanSources): Payload {
  if (!sources.view.has('ai.response.toolCalls') && !sources.view.has('gen_ai.response.tool_calls')) return payload;
  if (payload.messages.some((message) => message.parts.some((part) => part.type === 'tool-call'))) return payload;
  const list = sources.structure('ai.response.toolCalls') ?? sources.structure('gen_ai.response.tool_calls');
  const calls: Message[] = [{ role: 'assistant', parts: toolCallList(list) }];
  return calls[0]?.parts.length === 0 ? payload : { ...payload, messages: [...payload.messages, ...calls] };
}

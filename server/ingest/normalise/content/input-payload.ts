import { isRedacted } from '../../agent-records/record-values.ts';
import { EMBEDDED_KEYS, embeddingInput } from './embedding-payload.ts';
import { eventListReader, historyReader } from './event-list.ts';
import { flattenedReader } from './flattened-messages.ts';
import { eventPayload } from './genai-events.ts';
import { isObject, jsonText } from './json-value.ts';
import {
  attributePayload,
  attributeReader,
  firstPayload,
  type Payload,
  type PayloadReader,
  reading,
  type Side,
  valuePayload,
} from './payload.ts';
import { MEMORY_RECORDS } from './retrieved-documents.ts';
import type { SpanSources } from './span-sources.ts';
import { ownToolArguments, TOOL_ARGUMENT_KEYS } from './tool-payload.ts';

const from = (key: string): PayloadReader => attributeReader(key, 'input');

/** Keys of AgentMark's wrapper: its input is the argument of a program, not the prompt of a model, so no system message is added. */
const WRAPPER_KEYS = ['gen_ai.request.input', 'agentmark.request.input', 'agentmark.input', 'agentmark.props'] as const;
const WRAPPERS: ReadonlySet<string> = new Set(WRAPPER_KEYS);

/** Sources of the input; the first with content wins (docs/reference/ingest.md#input-and-output). */
const READERS: readonly PayloadReader[] = [
  ...WRAPPER_KEYS.map(from),
  from('langfuse.observation.input'),
  from('gen_ai.input.messages'),
  reading([], (sources) => eventPayload(sources, 'input')),
  from('gen_ai.request.messages'),
  from('gen_ai.prompt'),
  from('ai.prompt.messages'),
  from('ai.prompt'),
  from('vercel.ai.prompt.messages'),
  from('vercel.ai.prompt'),
  flattenedReader('llm.input_messages.', 'user'),
  flattenedReader('llm.prompts.', 'user'),
  flattenedReader('gen_ai.prompt.', 'user'),
  reading(EMBEDDED_KEYS, embeddingInput),
  from('ai.documents'),
  from('gen_ai.retrieval.query.text'),
  from('gen_ai.memory.query.text'),
  memoryReader('input'),
  from('reranker.query'),
  from('input.value'),
  from('traceloop.entity.input'),
  historyReader('pydantic_ai.all_messages', 'input'),
  eventListReader('events', 'input'),
  historyReader('all_messages_events', 'input'),
  from('request_data'),
  from('gcp.vertex.agent.llm_request'),
  from('lmnr.span.input'),
  from('genkit:input'),
  from('mlflow.spanInputs'),
  mastraPayload('.input'),
  from('braintrust.input_json'),
  from('braintrust.input'),
  from('db.query.text'),
  reading(TOOL_ARGUMENT_KEYS, ownToolArguments),
  from('user_prompt'),
  from('lk.input_text'),
  from('lk.user_transcript'),
  from('lk.chat_ctx'),
  reading([], promptEvent),
  reading(['agent.*.argument.*'], oldMastraArgument),
  spanDataReader('input'),
  from('gen_ai.agent.task'),
  from('input'),
  rootReader('langfuse.trace.input', 'input'),
];

/** Every attribute that an input may come from. */
export const INPUT_KEYS: readonly string[] = READERS.flatMap(({ keys }) => keys);

export function inputPayload(sources: SpanSources): Payload | undefined {
  if (sources.role === 'tool') return ownToolArguments(sources) ?? firstPayload(READERS, sources);
  return firstPayload(READERS, sources);
}

export function isWrapperInput(payload: Payload): boolean {
  return WRAPPERS.has(payload.source);
}

/** Records that are written to a memory are an input; records found by a search of the memory are an output. */
export function memoryReader(side: Side): PayloadReader {
  return reading([MEMORY_RECORDS], (sources) => {
    const isSearch = sources.role === 'retrieval';
    return isSearch === (side === 'output') ? attributePayload(sources, MEMORY_RECORDS, side) : undefined;
  });
}

/** `mastra.<type>.input`, where the type is that of the span (`agent_run`, `workflow_step`, …). */
export function mastraPayload(suffix: '.input' | '.output'): PayloadReader {
  return reading([`mastra.*${suffix}`], (sources) => {
    const type = sources.text('mastra.span.type');
    const side = suffix === '.input' ? 'input' : 'output';
    return type === '' ? undefined : attributePayload(sources, `mastra.${type}${suffix}`, side);
  });
}

/** Mastra's first exporter names the argument after the span: `agent.generate.argument.0`. */
function oldMastraArgument(sources: SpanSources): Payload | undefined {
  const { name } = sources.spanData.span;
  return name.startsWith('agent.') ? attributePayload(sources, `${name}.argument.0`, 'input') : undefined;
}

/** Langfuse puts trace-level attributes on the active span, whichever it is; only on a root do they describe the span itself. */
export function rootReader(key: string, side: Side): PayloadReader {
  return reading([key], (sources) => (sources.spanData.span.parent_id === null ? attributePayload(sources, key, side) : undefined));
}

/** Hand-written exporters of the OpenAI Agents SDK send its span unchanged: `span_data` `{type, input, output, …}`. */
export function spanDataReader(side: Side): PayloadReader {
  return reading(['span_data'], (sources) => {
    const data = sources.structure('span_data');
    const value = isObject(data) ? data[side] : undefined;
    const text = (): string => (typeof value === 'string' ? value : jsonText(value));
    return value === undefined || value === null ? undefined : valuePayload('span_data', value, text, side, sources);
  });
}

export const PROMPT_EVENTS: ReadonlySet<string> = new Set(['claude_code.user_prompt', 'codex.user_prompt']);

/** Command-line agents send the prompt as a log record, which is read as an event of its span. */
function promptEvent(sources: SpanSources): Payload | undefined {
  for (const event of sources.events) {
    if (!PROMPT_EVENTS.has(event.name)) continue;
    const prompt = event.attributes.find(([key]) => key === 'prompt')?.[1];
    if (typeof prompt === 'string' && prompt !== '' && !isRedacted(prompt))
      return { kind: 'value', source: `event ${event.name}`, text: prompt, value: undefined };
  }
  return undefined;
}

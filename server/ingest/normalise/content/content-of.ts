import type { SpanData } from '../../otlp/raw-span.ts';
import type { Provenance, SpanContent } from '../normalised.ts';
import { cleanText } from './clean-text.ts';
import { inputMessages } from './input-messages.ts';
import { INPUT_KEYS, inputPayload } from './input-payload.ts';
import { OUTPUT_KEYS, outputPayload } from './output-payload.ts';
import { outputTexts } from './output-texts.ts';
import type { Payload } from './payload.ts';
import { DOCUMENT_KEYS, retrievedDocuments } from './retrieved-documents.ts';
import { PROPS_PATTERNS, requestSettings, templateProps } from './settings.ts';
import { SpanSources } from './span-sources.ts';
import { SYSTEM_KEYS } from './system-message.ts';
import { DEFINITION_KEYS, toolDefinitions } from './tool-definitions.ts';
import { toolTexts } from './tool-texts.ts';
import { wireMessages } from './wire-messages.ts';

/**
 * The payload of a span in one form, whatever its instrumentation. Never throws, and the same span always gives the same result, so only
 * the raw span is stored. Every field has its own ordered list of sources over all families (docs/reference/ingest.md#attributes).
 */
export function contentOf(spanData: SpanData): SpanContent {
  const sources = new SpanSources(spanData);
  const input = inputPayload(sources);
  const output = outputPayload(sources);
  return {
    ...(sources.role === 'tool' ? toolSide(input, output, sources) : conversationSide(input, output, sources)),
    tool_definitions: toolDefinitions(sources)?.text ?? '',
    props: templateProps(sources)?.text ?? '',
    settings: requestSettings(sources)?.text ?? '',
    dataset_input: firstText(DATASET_INPUT_KEYS, sources),
    dataset_expected_output: firstText(EXPECTED_OUTPUT_KEYS, sources),
  };
}

/** The part of the content that a model was given: of a long conversation, everything else takes as long again. */
export function promptOf(spanData: SpanData): Pick<SpanContent, 'input_messages' | 'tool_definitions'> {
  const sources = new SpanSources(spanData);
  const messages = sources.role === 'tool' ? [] : inputMessages(inputPayload(sources), sources);
  return { input_messages: messages, tool_definitions: toolDefinitions(sources)?.text ?? '' };
}

const DATASET_INPUT_KEYS = ['agentmark.dataset_input', 'agentmark.metadata.dataset_input'] as const;
const EXPECTED_OUTPUT_KEYS = [
  'agentmark.dataset_expected_output',
  'agentmark.metadata.dataset_expected_output',
  'langfuse.experiment.item.expected_output',
] as const;

const firstText = (keys: readonly string[], sources: SpanSources): string => {
  const key = keys.find((candidate) => sources.text(candidate) !== '');
  return key === undefined ? '' : sources.text(key);
};

/** Every attribute that content may come from; `*` matches anything. */
export const contentKeys: Readonly<Record<'input' | 'output', readonly string[]>> = {
  input: [...INPUT_KEYS, ...SYSTEM_KEYS, ...PROPS_PATTERNS, ...DEFINITION_KEYS, ...DATASET_INPUT_KEYS],
  output: [...OUTPUT_KEYS, ...DOCUMENT_KEYS, ...EXPECTED_OUTPUT_KEYS],
};

type Sides = Pick<SpanContent, 'input' | 'output' | 'output_object' | 'tool_calls' | 'input_messages' | 'output_messages'>;

function toolSide(input: Payload | undefined, output: Payload | undefined, sources: SpanSources): Sides {
  return { ...toolTexts(input, output, sources), input_messages: [] };
}

function conversationSide(input: Payload | undefined, output: Payload | undefined, sources: SpanSources): Sides {
  const messages = inputMessages(input, sources);
  const text = messages.length > 0 ? wireMessages(messages) : input?.kind === 'value' ? cleanText(input.text) : '';
  return { ...outputTexts(output, sources), input: text, input_messages: messages };
}

/** The source of each field, by the same tables. */
export function explainContent(spanData: SpanData): Provenance {
  const sources = new SpanSources(spanData);
  const output = outputPayload(sources);
  const fieldSources: Record<string, string | undefined> = {
    input: inputPayload(sources)?.source,
    output: output?.source,
    output_object: retrievedDocuments(sources, output?.kind === 'value' ? output.value : undefined)?.source,
    tool_definitions: toolDefinitions(sources)?.source,
    props: templateProps(sources)?.source,
    settings: requestSettings(sources)?.source,
  };
  return Object.fromEntries(Object.entries(fieldSources).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

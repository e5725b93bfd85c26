/** The texts of a span that filters search (docs/reference/filters.md#words). */

import type { MatchPlace } from '../../../shared/contract/tracing/match-places.ts';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanData } from '../otlp/raw-span.ts';
import { textOf } from './attributes.ts';
import { bareSummary } from './bare-summary.ts';
import { contentOf } from './content/index.ts';
import type { Part, SpanContent, SpanSummary } from './normalised.ts';
import { summarise } from './summary/index.ts';

interface ToolCall {
  toolName: string;
  args?: unknown;
}

export class SpanTexts {
  readonly #sent: SpanData;
  readonly #content: SpanContent;
  #summary: SpanSummary | null = null;
  #places: Map<string, MatchPlace> | null = null;

  /** @param sent with its log records as events */
  constructor(sent: SpanData) {
    this.#sent = sent;
    this.#content = contentOf(sent);
  }

  get input(): string {
    return this.#content.input;
  }

  get output(): string {
    return this.#content.output;
  }

  get props(): string {
    return this.#content.props;
  }

  /** Message and types of a failure; none if the span did not fail. */
  get error(): string[] {
    const { status, status_message } = this.#summaryOf();
    return status === 'ERROR' ? distinct([status_message, ...this.#errors()]) : [];
  }

  /** Arguments of the tool that ran, or of those that the model called. */
  get tool_arguments(): string[] {
    return distinct(this.#toolCalls().map(({ args }) => plainText(args)));
  }

  /** Everything in which words are sought: each text once, with the first place that it has. */
  get places(): ReadonlyMap<string, MatchPlace> {
    this.#places ??= this.#findPlaces();
    return this.#places;
  }

  #findPlaces(): Map<string, MatchPlace> {
    const { name, trace_name, status_message, metadata, semantic_kind } = this.#summaryOf();
    const { input, output, output_object, props, input_messages, output_messages } = this.#content;
    const isTool = semantic_kind === 'tool';
    const answer = isTool ? 'tool_result' : 'output';
    const places = new Map<string, MatchPlace>();
    const add = (place: MatchPlace, ...texts: string[]) => {
      for (const text of texts) if (text !== '' && !places.has(text)) places.set(text, place);
    };
    add('name', name, trace_name);
    add('error', status_message, ...this.#errors());
    add('metadata', ...Object.values(metadata));
    add('name', ...this.#toolCalls().map(({ toolName }) => toolName));
    add('tool_arguments', ...this.tool_arguments);
    for (const { role, parts } of input_messages) {
      for (const part of parts) add(placeOf(part, role === 'system' || role === 'developer' ? 'system' : 'input'), ...textsOf(part));
    }
    if (input_messages.length === 0) add(isTool ? 'tool_arguments' : 'input', input);
    add(answer, output, output_object);
    for (const part of output_messages.flatMap(({ parts }) => parts)) add(placeOf(part, answer), ...textsOf(part));
    add('props', props);
    return places;
  }

  /** Everything in which words are sought. */
  get texts(): string[] {
    return [...this.places.keys()];
  }

  get name(): string {
    return this.#summaryOf().name;
  }

  get kind(): SemanticKind {
    return this.#summaryOf().semantic_kind;
  }

  #summaryOf(): SpanSummary {
    this.#summary ??= summariseOrBare(this.#sent);
    return this.#summary;
  }

  #toolCalls(): ToolCall[] {
    const { tool_calls } = this.#content;
    return tool_calls === '' ? [] : (JSON.parse(tool_calls) as ToolCall[]);
  }

  /** Type of the exception or error; '' if none was reported. */
  get errorType(): string {
    const { attributes, events } = this.#sent.span;
    const sources = [attributes, ...events.filter(({ name }) => name === 'exception').map((event) => event.attributes)];
    const found = sources.flatMap((list) => list.filter(([key]) => key === 'error.type' || key === 'exception.type'));
    return found.map(([, value]) => textOf(value)).find((type) => type !== '') ?? '';
  }

  /** Exceptions, whether the span failed or not, and the type of its error. */
  #errors(): string[] {
    const { attributes, events } = this.#sent.span;
    const named = (list: typeof attributes, keys: readonly string[]) =>
      list.filter(([key]) => keys.includes(key)).map(([, value]) => textOf(value));
    return [
      ...named(attributes, ['error.type', 'exception.type', 'exception.message']),
      ...events
        .filter(({ name }) => name === 'exception')
        .flatMap((event) => named(event.attributes, ['exception.type', 'exception.message'])),
    ];
  }
}

/** As when it arrived: a span that the normaliser cannot read has a name and a status. */
function summariseOrBare(sent: SpanData): SpanSummary {
  try {
    return summarise(sent);
  } catch (error) {
    return bareSummary(sent.span, error);
  }
}

function placeOf({ type }: Part, otherwise: MatchPlace): MatchPlace {
  if (type === 'tool-call') return 'tool_arguments';
  return type === 'tool-result' ? 'tool_result' : otherwise;
}

function textsOf(part: Part): string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text];
    case 'tool-call':
      return [part.name, plainText(part.args)];
    case 'tool-result':
      return [part.name ?? '', plainText(part.result)];
    case 'media':
      return [part.name ?? '', part.url ?? ''];
    case 'data':
      return [plainText(part.value)];
  }
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

/** The texts of a span that filters search (docs/reference/filters.md#words). */
import type { SpanData } from '../otlp/raw-span.ts';
import { textOf } from './attributes.ts';
import { bareSummary } from './bare-summary.ts';
import { contentOf } from './content/index.ts';
import type { Message, Part, SpanContent, SpanSummary } from './normalised.ts';
import { summarise } from './summary/index.ts';

interface ToolCall {
  toolName: string;
  args?: unknown;
}

export class SpanTexts {
  readonly #sent: SpanData;
  readonly #content: SpanContent;
  #summary: SpanSummary | null = null;

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

  /** Everything in which words are sought. */
  get texts(): string[] {
    const { name, trace_name, status_message, metadata } = this.#summaryOf();
    const { input, output, output_object, props, input_messages, output_messages } = this.#content;
    const said = input_messages.length > 0 ? partTexts(input_messages) : [input];
    const tools = this.#toolCalls().map(({ toolName }) => toolName);
    return distinct([
      ...[name, trace_name, status_message, ...this.#errors(), ...Object.values(metadata), ...tools],
      ...[...this.tool_arguments, ...said, output, output_object, ...partTexts(output_messages), props],
    ]);
  }

  #summaryOf(): SpanSummary {
    this.#summary ??= summariseOrBare(this.#sent);
    return this.#summary;
  }

  #toolCalls(): ToolCall[] {
    const { tool_calls } = this.#content;
    return tool_calls === '' ? [] : (JSON.parse(tool_calls) as ToolCall[]);
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

const partTexts = (messages: readonly Message[]): string[] => messages.flatMap(({ parts }) => parts.flatMap(textsOf));

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

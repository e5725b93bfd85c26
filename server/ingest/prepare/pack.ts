/**
 * The form in which a batch changes threads. Thousands of objects and texts, most of which repeat, cost both threads more to
 * copy and to collect than the spans cost to store: so each text goes once, and everything else is one row of numbers.
 */
import type { PreparedBatch, PreparedSpan, Slice } from './prepared.ts';

export interface PackedBatch extends Omit<PreparedBatch, 'spans'> {
  /** Each text of the spans once. */
  words: string[];
  /** Span after span, field after field: numbers, and places in `words`; NaN stands for null. */
  cells: Float64Array<ArrayBuffer>;
}

/** What may be handed over rather than copied. */
export const transferable = ({ bytes, cells }: PackedBatch): ArrayBuffer[] => [bytes.buffer as ArrayBuffer, cells.buffer];

/** Numbers of a span, and of each of its long texts. */
const cellsPerSpan = 45;
const cellsPerText = 2;

export function pack({ spans, ...batch }: PreparedBatch): PackedBatch {
  const texts = spans.reduce((count, span) => count + span.texts.length, 0);
  const to = new CellWriter(spans.length * cellsPerSpan + texts * cellsPerText);
  for (const span of spans) packSpan(to, span);
  return { ...batch, words: [...to.words.keys()], cells: to.cells };
}

export function unpack({ words, cells, ...batch }: PackedBatch): PreparedBatch {
  const from = new CellReader(words, cells);
  const spans: PreparedSpan[] = [];
  while (!from.isAtEnd) spans.push(unpackSpan(from));
  return { ...batch, spans };
}

class CellWriter {
  readonly words = new Map<string, number>();
  readonly cells: Float64Array<ArrayBuffer>;
  #at = 0;

  constructor(size: number) {
    this.cells = new Float64Array(size);
  }

  number(value: number | null): void {
    this.cells[this.#at++] = value ?? Number.NaN;
  }

  word(text: string | null): void {
    this.number(text === null ? null : this.#placeOf(text));
  }

  #placeOf(text: string): number {
    const known = this.words.get(text);
    if (known !== undefined) return known;
    this.words.set(text, this.words.size);
    return this.words.size - 1;
  }
}

class CellReader {
  readonly #words: string[];
  readonly #cells: Float64Array;
  #at = 0;

  constructor(words: string[], cells: Float64Array) {
    this.#words = words;
    this.#cells = cells;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#cells.length;
  }

  number(): number {
    return this.#cells[this.#at++] as number;
  }

  numberOrNull(): number | null {
    const value = this.number();
    return Number.isNaN(value) ? null : value;
  }

  isTrue(): boolean {
    return this.number() === 1;
  }

  word<T extends string>(): T {
    return this.#words[this.number()] as T;
  }

  wordOrNull(): string | null {
    return this.#words[this.number()] ?? null;
  }

  slice(): Slice {
    return { at: this.number(), size: this.number() };
  }
}

function packSpan(to: CellWriter, span: PreparedSpan): void {
  to.word(span.trace_id);
  to.word(span.span_id);
  to.word(span.parent_id);
  to.number(span.resource);
  to.number(span.instrumentation);
  to.number(span.start_us);
  to.number(span.start_rest_ns);
  to.number(span.duration_ns);
  to.number(Number(span.clock_suspect));
  to.word(span.name);
  to.word(span.type);
  to.word(span.semantic_kind);
  to.word(span.status);
  to.word(span.status_message);
  to.word(span.service_name);
  to.word(span.model);
  to.number(Number(span.usage_aggregate));
  to.word(span.session_id);
  to.word(span.session_name);
  to.word(span.user_id);
  to.word(span.trace_name);
  to.word(span.prompt_name);
  to.word(span.environment);
  to.word(span.commit_sha);
  to.word(span.dataset_run_id);
  to.word(span.finish_reason);
  to.number(span.ttft_ms);
  to.word(span.tags.length === 0 ? null : JSON.stringify(span.tags));
  to.number(Number(span.pending));
  to.number(Number(span.placeholder));
  to.number(Number(span.bookkeeping));
  to.number(span.input_tokens);
  to.number(span.output_tokens);
  to.number(span.total_tokens);
  to.number(span.cache_read_tokens);
  to.number(span.cache_write_tokens);
  to.number(span.reasoning_tokens);
  to.number(span.cost);
  to.word(span.cost_source);
  to.word(span.preview?.input ?? null);
  to.word(span.preview?.output ?? null);
  to.word(span.metadata);
  to.number(span.record.at);
  to.number(span.record.size);
  to.number(span.texts.length);
  for (const { at, size } of span.texts) {
    to.number(at);
    to.number(size);
  }
}

/** Fields are evaluated in the order in which `packSpan` wrote them. */
function unpackSpan(from: CellReader): PreparedSpan {
  return {
    trace_id: from.word(),
    span_id: from.word(),
    parent_id: from.wordOrNull(),
    resource: from.number(),
    instrumentation: from.number(),
    start_us: from.number(),
    start_rest_ns: from.number(),
    duration_ns: from.number(),
    clock_suspect: from.isTrue(),
    name: from.word(),
    type: from.word(),
    semantic_kind: from.word(),
    status: from.word(),
    status_message: from.word(),
    service_name: from.word(),
    model: from.word(),
    usage_aggregate: from.isTrue(),
    session_id: from.word(),
    session_name: from.word(),
    user_id: from.word(),
    trace_name: from.word(),
    prompt_name: from.word(),
    environment: from.word(),
    commit_sha: from.word(),
    dataset_run_id: from.word(),
    finish_reason: from.word(),
    ttft_ms: from.numberOrNull(),
    tags: JSON.parse(from.wordOrNull() ?? '[]') as string[],
    pending: from.isTrue(),
    placeholder: from.isTrue(),
    bookkeeping: from.isTrue(),
    input_tokens: from.numberOrNull(),
    output_tokens: from.numberOrNull(),
    total_tokens: from.numberOrNull(),
    cache_read_tokens: from.numberOrNull(),
    cache_write_tokens: from.numberOrNull(),
    reasoning_tokens: from.numberOrNull(),
    cost: from.numberOrNull(),
    cost_source: from.word(),
    preview: previewFrom(from.wordOrNull(), from.wordOrNull()),
    metadata: from.word(),
    record: from.slice(),
    texts: Array.from({ length: from.number() }, () => from.slice()),
  };
}

const previewFrom = (input: string | null, output: string | null): PreparedSpan['preview'] =>
  input === null || output === null ? null : { input, output };

/**
 * The form in which a batch is sent to another thread. To copy and collect thousands of objects and texts, most of which repeat, costs
 * both threads more than to store the spans: so each text is sent once, and everything else is one array of numbers.
 */
import { ReceivedTerms, SentTerms, termLengthMax } from './channel-terms.ts';
import type { ArrivalPreview, PreparedBatch, PreparedSpan, Slice } from './prepared.ts';
import { compiled, type Form, fields, spanFields } from './span-fields.ts';

export interface PackedBatch extends Omit<PreparedBatch, 'spans'> {
  /** Each text of the spans once that is not among the terms. */
  texts: string[];
  /** Terms that this batch is the first to use. */
  newTerms: string[];
  /** Number of terms that the receiver has from earlier batches; 0: it forgets them. */
  knownTerms: number;
  spanCount: number;
  /** Span after span, field after field: numbers, and indexes of terms, or of texts counted down from -1; NaN is null. */
  cells: Float64Array<ArrayBuffer>;
}

/** Buffers that can be transferred instead of copied. */
export const transferable = ({ bytes, cells }: PackedBatch): ArrayBuffer[] => [bytes.buffer as ArrayBuffer, cells.buffer];

/** The form of a type in a packed batch: a field with another form in the table does not compile. */
type FormOf<T> = [T] extends [boolean]
  ? 'flag'
  : [T] extends [string]
    ? 'text' | 'term'
    : [T] extends [number]
      ? 'number'
      : [T] extends [string | null]
        ? 'text?'
        : [T] extends [number | null]
          ? 'number?'
          : [T] extends [string[]]
            ? 'tags'
            : [T] extends [Slice]
              ? 'slice'
              : [T] extends [Slice[]]
                ? 'slices'
                : [T] extends [ArrivalPreview]
                  ? 'preview'
                  : never;

/** For each form: its number of cells, apart from those of list items, and the code that writes and reads it. */
const forms: Record<Form, { cells: number; write: (value: string) => string; read: string }> = {
  term: { cells: 1, write: (value) => `to.term(${value})`, read: 'from.string()' },
  text: { cells: 1, write: (value) => `to.text(${value})`, read: 'from.string()' },
  'text?': { cells: 1, write: (value) => `to.text(${value})`, read: 'from.stringOrNull()' },
  number: { cells: 1, write: (value) => `to.number(${value})`, read: 'from.number()' },
  'number?': { cells: 1, write: (value) => `to.number(${value})`, read: 'from.numberOrNull()' },
  flag: { cells: 1, write: (value) => `to.number(Number(${value}))`, read: 'from.isTrue()' },
  tags: { cells: 1, write: (value) => `to.tags(${value})`, read: 'from.tags()' },
  preview: { cells: 2, write: (value) => `to.preview(${value})`, read: 'from.preview()' },
  slice: { cells: 2, write: (value) => `to.slice(${value})`, read: 'from.slice()' },
  slices: { cells: 1, write: (value) => `to.slices(${value})`, read: 'from.slices()' },
};

spanFields satisfies { [F in keyof Required<PreparedSpan>]: readonly [FormOf<PreparedSpan[F]>, unknown] };

/** Cells of a span, and of each of its long texts. */
const cellsPerSpan = fields.reduce((cells, [, [form]]) => cells + forms[form].cells, 0);
const cellsPerText = 2;

const packSpan = compiled<(to: CellWriter, span: PreparedSpan) => void>(
  'to, span',
  fields.map(([name, [form]]) => `${forms[form].write(`span.${name}`)};`).join(' '),
);

/** Fields are evaluated in the order in which `packSpan` wrote them. */
const unpackSpan = compiled<(from: CellReader) => PreparedSpan>(
  'from',
  `return { ${fields.map(([name, [form]]) => `${name}: ${forms[form].read}`).join(', ')} };`,
);

/** @param terms of the channel that the batch is sent over */
export function pack({ spans, ...batch }: PreparedBatch, terms: SentTerms = new SentTerms()): PackedBatch {
  const longTexts = spans.reduce((count, span) => count + span.texts.length, 0);
  const knownTerms = terms.begin();
  const to = new CellWriter(spans.length * cellsPerSpan + longTexts * cellsPerText, terms);
  for (const span of spans) packSpan(to, span);
  return { ...batch, texts: [...to.texts.keys()], newTerms: to.newTerms, knownTerms, spanCount: spans.length, cells: to.cells };
}

/** @param terms of the channel that the batch came over */
export function unpack(packed: PackedBatch, terms: ReceivedTerms = new ReceivedTerms()): PreparedBatch {
  const { texts, cells, newTerms: _new, knownTerms: _known, spanCount: _count, ...batch } = packed;
  const from = new CellReader(terms.add(packed), texts, cells);
  const spans: PreparedSpan[] = [];
  while (!from.isAtEnd) spans.push(unpackSpan(from));
  return { ...batch, spans };
}

class CellWriter {
  readonly texts = new Map<string, number>();
  readonly newTerms: string[] = [];
  readonly cells: Float64Array<ArrayBuffer>;
  readonly #terms: SentTerms;
  #at = 0;

  constructor(size: number, terms: SentTerms) {
    this.cells = new Float64Array(size);
    this.#terms = terms;
  }

  number(value: number | null): void {
    this.cells[this.#at++] = value ?? Number.NaN;
  }

  term(term: string): void {
    if (term.length > termLengthMax) this.text(term);
    else this.number(this.#terms.indexOf(term, this.newTerms));
  }

  text(text: string | null): void {
    this.number(text === null ? null : this.#indexOf(text));
  }

  tags(tags: readonly string[]): void {
    this.text(tags.length === 0 ? null : JSON.stringify(tags));
  }

  preview({ input, output }: ArrivalPreview): void {
    this.text(input);
    this.text(output);
  }

  slice({ at, size }: Slice): void {
    this.number(at);
    this.number(size);
  }

  slices(slices: readonly Slice[]): void {
    this.number(slices.length);
    for (const slice of slices) this.slice(slice);
  }

  #indexOf(text: string): number {
    const existing = this.texts.get(text);
    if (existing !== undefined) return existing;
    const index = -1 - this.texts.size;
    this.texts.set(text, index);
    return index;
  }
}

class CellReader {
  readonly #terms: readonly string[];
  readonly #texts: string[];
  readonly #cells: Float64Array;
  #at = 0;

  constructor(terms: readonly string[], texts: string[], cells: Float64Array) {
    this.#terms = terms;
    this.#texts = texts;
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

  string<T extends string>(): T {
    const index = this.number();
    return (index < 0 ? this.#texts[-1 - index] : this.#terms[index]) as T;
  }

  stringOrNull(): string | null {
    return this.#texts[-1 - this.number()] ?? null;
  }

  tags(): string[] {
    return JSON.parse(this.stringOrNull() ?? '[]') as string[];
  }

  preview(): ArrivalPreview {
    return { input: this.stringOrNull(), output: this.stringOrNull() };
  }

  slice(): Slice {
    return { at: this.number(), size: this.number() };
  }

  slices(): Slice[] {
    return Array.from({ length: this.number() }, () => this.slice());
  }
}

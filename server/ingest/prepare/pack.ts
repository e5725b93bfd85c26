/**
 * The form in which a batch is sent to another thread. To copy and collect thousands of objects and texts, most of which repeat, costs
 * both threads more than to store the spans: so each text is sent once, and everything else is one array of numbers.
 */
import type { ArrivalPreview, PreparedBatch, PreparedSpan, Slice } from './prepared.ts';
import { compiled, type Form, fields, spanFields } from './span-fields.ts';

export interface PackedBatch extends Omit<PreparedBatch, 'spans'> {
  /** Each text of the spans once. */
  strings: string[];
  /** Span after span, field after field: numbers, and indexes into `strings`; NaN is null. */
  cells: Float64Array<ArrayBuffer>;
}

/** Buffers that can be transferred instead of copied. */
export const transferable = ({ bytes, cells }: PackedBatch): ArrayBuffer[] => [bytes.buffer as ArrayBuffer, cells.buffer];

/** The form of a type in a packed batch: a field with another form in the table does not compile. */
type FormOf<T> = [T] extends [boolean]
  ? 'flag'
  : [T] extends [string]
    ? 'text'
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
  text: { cells: 1, write: (value) => `to.string(${value})`, read: 'from.string()' },
  'text?': { cells: 1, write: (value) => `to.string(${value})`, read: 'from.stringOrNull()' },
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

export function pack({ spans, ...batch }: PreparedBatch): PackedBatch {
  const texts = spans.reduce((count, span) => count + span.texts.length, 0);
  const to = new CellWriter(spans.length * cellsPerSpan + texts * cellsPerText);
  for (const span of spans) packSpan(to, span);
  return { ...batch, strings: [...to.strings.keys()], cells: to.cells };
}

export function unpack({ strings, cells, ...batch }: PackedBatch): PreparedBatch {
  const from = new CellReader(strings, cells);
  const spans: PreparedSpan[] = [];
  while (!from.isAtEnd) spans.push(unpackSpan(from));
  return { ...batch, spans };
}

class CellWriter {
  readonly strings = new Map<string, number>();
  readonly cells: Float64Array<ArrayBuffer>;
  #at = 0;

  constructor(size: number) {
    this.cells = new Float64Array(size);
  }

  number(value: number | null): void {
    this.cells[this.#at++] = value ?? Number.NaN;
  }

  string(text: string | null): void {
    this.number(text === null ? null : this.#indexOf(text));
  }

  tags(tags: readonly string[]): void {
    this.string(tags.length === 0 ? null : JSON.stringify(tags));
  }

  preview({ input, output }: ArrivalPreview): void {
    this.string(input);
    this.string(output);
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
    const existing = this.strings.get(text);
    if (existing !== undefined) return existing;
    this.strings.set(text, this.strings.size);
    return this.strings.size - 1;
  }
}

class CellReader {
  readonly #strings: string[];
  readonly #cells: Float64Array;
  #at = 0;

  constructor(strings: string[], cells: Float64Array) {
    this.#strings = strings;
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
    return this.#strings[this.number()] as T;
  }

  stringOrNull(): string | null {
    return this.#strings[this.number()] ?? null;
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

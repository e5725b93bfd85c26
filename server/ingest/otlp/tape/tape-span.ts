/** A span that lies where it was sent: its few plain fields as values, its attributes read when somebody asks for them. */

import { type Notes, rawDouble, readValue as readJsonValue } from '../json-values.ts';
import { readValue } from '../protobuf-values.ts';
import type { RawAttribute, RawEvent, RawLink, RawSpan, RawValue } from '../raw-span.ts';
import { WireReader } from '../wire-reader.ts';
import type { AttributeShape } from './attribute-shapes.ts';
import { internedText } from './interned-texts.ts';
import { Cell, type CellKind, cellSize } from './span-tape.ts';

export const notForTape: Notes = {
  warn: () => {
    throw new NotForTape();
  },
  lostDigits: () => {
    throw new NotForTape();
  },
};

/** Something would have to be adjusted, which the general decoder does. */
export class NotForTape extends Error {}

/** A span without its attributes. */
export type SpanFields = Omit<RawSpan, 'attributes'>;

export class TapeSpan implements RawSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly kind: number;
  readonly trace_state: string;
  readonly flags: number;
  readonly start_ns: string;
  readonly end_ns: string;
  readonly events: RawEvent[];
  readonly links: RawLink[];
  readonly status_code: 0 | 1 | 2;
  readonly status_message: string;
  readonly dropped_attributes: number;
  readonly dropped_events: number;
  readonly dropped_links: number;
  readonly shape: AttributeShape;
  readonly bytes: Buffer;
  readonly cells: Int32Array;
  /** Place of the first attribute in `cells`. */
  readonly firstCell: number;
  /** Values in forms that are rarely sent, by the number of their attribute. */
  #others: Map<number, RawValue> | null = null;
  #attributes: RawAttribute[] | null = null;

  /**
   * @param firstCell number of its first cell on the tape
   * @throws NotForTape
   */
  constructor(fields: SpanFields, bytes: Buffer, cells: Int32Array, firstCell: number, shape: AttributeShape) {
    this.trace_id = fields.trace_id;
    this.span_id = fields.span_id;
    this.parent_id = fields.parent_id;
    this.name = fields.name;
    this.kind = fields.kind;
    this.trace_state = fields.trace_state;
    this.flags = fields.flags;
    this.start_ns = fields.start_ns;
    this.end_ns = fields.end_ns;
    this.events = fields.events;
    this.links = fields.links;
    this.status_code = fields.status_code;
    this.status_message = fields.status_message;
    this.dropped_attributes = fields.dropped_attributes;
    this.dropped_events = fields.dropped_events;
    this.dropped_links = fields.dropped_links;
    this.bytes = bytes;
    this.cells = cells;
    this.firstCell = firstCell * cellSize;
    this.shape = shape;
    this.#readOthers();
  }

  /** Every attribute with its value. */
  get attributes(): RawAttribute[] {
    this.#attributes ??= this.shape.keys.map((key, index): RawAttribute => [key, this.value(index)]);
    return this.#attributes;
  }

  /** The same as a plain object. */
  whole(): RawSpan {
    const { trace_id, span_id, parent_id, name, kind, trace_state, flags, start_ns, end_ns, attributes, events, links } = this;
    const { status_code, status_message, dropped_attributes, dropped_events, dropped_links } = this;
    const dropped = { dropped_attributes, dropped_events, dropped_links };
    const ids = { trace_id, span_id, parent_id, name, kind, trace_state, flags, start_ns, end_ns };
    return { ...ids, attributes, events, links, status_code, status_message, ...dropped };
  }

  /** Bytes of a value as it was sent, never fewer than its characters. */
  sizeOf(index: number): number {
    const at = this.firstCell + index * cellSize;
    return (this.cells[at + 2] as number) - (this.cells[at + 1] as number);
  }

  /** The value of an attribute by its number. */
  value(index: number): RawValue {
    const at = this.firstCell + index * cellSize;
    const kind = this.cells[at] as CellKind;
    if (kind === Cell.other || kind === Cell.message) return this.#others?.get(index) ?? null;
    return this.#valueAt(kind, this.cells[at + 1] as number, this.cells[at + 2] as number);
  }

  #valueAt(kind: CellKind, from: number, to: number): RawValue {
    switch (kind) {
      case Cell.int:
        return integerOf(this.bytes, from, to);
      case Cell.double:
        return rawDouble(Number(this.bytes.toString('latin1', from, to)), notForTape);
      case Cell.true:
        return true;
      case Cell.false:
        return false;
      case Cell.null:
        return null;
      case Cell.varint:
        return exactInteger(new WireReader(this.bytes, from, to).int64());
      case Cell.fixedDouble:
        return rawDouble(this.bytes.readDoubleLE(from), notForTape);
      default:
        return readText(this.bytes, kind, from, to);
    }
  }

  #readOthers(): void {
    const { cells, firstCell } = this;
    for (let index = 0; index < this.shape.keys.length; index++) {
      const at = firstCell + index * cellSize;
      const kind = cells[at];
      if (kind !== Cell.other && kind !== Cell.message) continue;
      const [from, to] = [cells[at + 1] as number, cells[at + 2] as number];
      this.#others ??= new Map();
      this.#others.set(
        index,
        kind === Cell.other
          ? readJsonValue(parse(this.bytes.toString('utf8', from, to)), notForTape)
          : readValue(new WireReader(this.bytes, from, to), notForTape, 0),
      );
    }
  }
}

/** Few enough digits for a double. */
function integerOf(bytes: Buffer, from: number, to: number): number {
  const isNegative = bytes[from] === minus;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < to; at++) value = value * 10 + (bytes[at] as number) - zero;
  return isNegative ? -value : value;
}

const minus = 0x2d;
const zero = 0x30;

const exactInteger = (int: number | string): RawValue => (typeof int === 'number' ? int : { int });

export const asPlain = (span: RawSpan): RawSpan => (span instanceof TapeSpan ? span.whole() : span);

/** A text from where it stands. */
export function readText(bytes: Buffer, kind: CellKind, from: number, to: number): string {
  switch (kind) {
    case Cell.none:
      return '';
    case Cell.ascii:
      return internedText(bytes, from, to, 'latin1');
    case Cell.utf8:
    case Cell.bareText:
    case Cell.escapedText:
      return internedText(bytes, from, to);
    case Cell.escapedAscii:
      return JSON.parse(bytes.toString('latin1', from - 1, to + 1)) as string;
    default:
      return JSON.parse(bytes.toString('utf8', from - 1, to + 1)) as string;
  }
}

/** What is no JSON makes the whole body none, which the general decoder tells. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotForTape();
  }
}

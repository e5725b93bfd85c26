/**
 * Where the parts of the spans of one request stand in its bytes: numbers in two growing rows, so that a hundred spans cost the collector two
 * objects. Written while the bytes are looked over, read when the span is.
 */
import type { AttributeShape } from './attribute-shapes.ts';

/** Larger numbers are no kind or status of the protocol. */
export const kindMax = 5;
export const statusMax = 2;

/** How a value is written. The texts of JSON are places between their quotes. */
export const Cell = {
  /** Not there. */
  none: 0,
  /** ASCII without an escape. */
  ascii: 1,
  /** UTF-8 without an escape. */
  utf8: 2,
  /** With escapes, each as `JSON.stringify` would write it. */
  escapedAscii: 3,
  escapedUtf8: 4,
  /** With other escapes. */
  otherEscapes: 5,
  /** Digits, at most fifteen of them, without leading zeros. */
  int: 6,
  double: 7,
  true: 8,
  false: 9,
  null: 10,
  /** A JSON AnyValue of another form, its whole object. */
  other: 11,
  /** Protobuf. Valid UTF-8 that JSON holds as it is, and such that it has to escape. */
  bareText: 12,
  escapedText: 13,
  varint: 14,
  fixedDouble: 15,
  /** A protobuf AnyValue of another form. */
  message: 16,
} as const;

export type CellKind = (typeof Cell)[keyof typeof Cell];

/** A span on the tape, by number: places are offsets in the body, -1 where there is none. */
export const Head = {
  from: 0,
  to: 1,
  traceId: 2,
  spanId: 3,
  parentId: 4,
  /** Three numbers, as of each attribute: kind, from, to. */
  name: 5,
  startFrom: 8,
  startTo: 9,
  endFrom: 10,
  endTo: 11,
  kind: 12,
  statusCode: 13,
  statusMessage: 14,
  traceState: 17,
  flags: 20,
  droppedAttributes: 21,
  droppedEvents: 22,
  droppedLinks: 23,
  eventsFrom: 24,
  eventsTo: 25,
  linksFrom: 26,
  linksTo: 27,
  /** Number of the first cell. */
  cells: 28,
} as const;

export const headSize = 29;
/** Kind, from, to. */
export const cellSize = 3;

export class SpanTape {
  heads = new Int32Array(headSize * 128);
  cells = new Int32Array(cellSize * 4096);
  readonly shapes: AttributeShape[] = [];
  #cells = 0;

  get spans(): number {
    return this.shapes.length;
  }

  get cellCount(): number {
    return this.#cells;
  }

  /** Room for one more span; returns the offset of its head, which is all zero. */
  head(): number {
    const at = this.spans * headSize;
    if (at + headSize > this.heads.length) this.heads = grown(this.heads);
    this.heads.fill(0, at, at + headSize);
    return at;
  }

  put(kind: CellKind, from: number, to: number): void {
    const at = this.#cells++ * cellSize;
    if (at + cellSize > this.cells.length) this.cells = grown(this.cells);
    const { cells } = this;
    cells[at] = kind;
    cells[at + 1] = from;
    cells[at + 2] = to;
  }

  /** Takes back what was put since a count of cells. */
  cut(cells: number): void {
    this.#cells = cells;
  }
}

function grown(row: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(row.length * 2);
  larger.set(row);
  return larger;
}

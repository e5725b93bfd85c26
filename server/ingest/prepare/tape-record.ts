/**
 * The stored form of a span that lies on a tape: what `encodeRecord` makes of it, byte for byte, copied from where it was sent. Only texts that
 * `JSON.stringify` would write in another way, and those that are kept apart, become values on the way.
 */
import type { ByteSink } from '../../platform/byte-sink.ts';
import { Cell } from '../otlp/tape/span-tape.ts';
import type { TapeSpan } from '../otlp/tape/tape-span.ts';
import type { Slice } from './prepared.ts';
import { encodeEvent, type StoreText, storedValue } from './record.ts';
import { pieceLengthMin } from './split-text.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);
const quoteBytes = bytesOf('"');
const trueBytes = bytesOf('true');
const falseBytes = bytesOf('false');

export function writeRecord(span: TapeSpan, warnings: string[], sink: ByteSink, storeText: StoreText): Slice {
  // Long texts go into the sink first: a record is one piece.
  const apart = longValues(span, storeText);
  const tail = tailOf(span, warnings, storeText);
  sink.open();
  sink.put(`{"n":${JSON.stringify(span.name)},"t":["${span.start_ns}","${span.end_ns}"],"a":[`);
  const { pairs } = span.shape;
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] as Buffer;
    sink.copy(pair, 0, pair.length);
    const text = apart?.[index];
    if (text === undefined) writeValue(span, index, sink);
    else sink.put(text);
  }
  sink.put(pairs.length > 0 ? `]]${tail}}` : `]${tail}}`);
  return sink.close();
}

/** Of each value that is kept apart what stands for it. */
function longValues(span: TapeSpan, storeText: StoreText): (string | undefined)[] | null {
  let found: (string | undefined)[] | null = null;
  for (let index = 0; index < span.shape.keys.length; index++) {
    if (span.sizeOf(index) < pieceLengthMin) continue;
    const value = span.value(index);
    const stored = storedValue(value, storeText);
    if (stored === value) continue;
    found ??= [];
    found[index] = JSON.stringify(stored);
  }
  return found;
}

function writeValue(span: TapeSpan, index: number, sink: ByteSink): void {
  const { bytes, cells } = span;
  const at = span.firstCell + index * 3;
  switch (cells[at]) {
    case Cell.ascii:
    case Cell.utf8:
    case Cell.escapedAscii:
    case Cell.escapedUtf8:
      // With its quotes.
      sink.copy(bytes, (cells[at + 1] as number) - 1, (cells[at + 2] as number) + 1);
      break;
    case Cell.bareText:
      sink.copy(quoteBytes, 0, 1);
      sink.copy(bytes, cells[at + 1] as number, cells[at + 2] as number);
      sink.copy(quoteBytes, 0, 1);
      break;
    case Cell.int:
      sink.copy(bytes, cells[at + 1] as number, cells[at + 2] as number);
      break;
    case Cell.true:
      sink.copy(trueBytes, 0, trueBytes.length);
      break;
    case Cell.false:
      sink.copy(falseBytes, 0, falseBytes.length);
      break;
    default:
      sink.put(JSON.stringify(span.value(index)));
  }
}

/** What follows the attributes: most spans have nothing of it. */
function tailOf(span: TapeSpan, warnings: string[], storeText: StoreText): string {
  let tail = '';
  if (span.kind !== 0) tail += `,"k":${span.kind}`;
  if (span.events.length > 0) tail += `,"e":${JSON.stringify(span.events.map((event) => encodeEvent(event, storeText)))}`;
  if (span.links.length > 0) tail += `,"l":${JSON.stringify(span.links)}`;
  if (span.status_code !== 0 || span.status_message !== '') tail += `,"s":[${span.status_code},${JSON.stringify(span.status_message)}]`;
  if (span.dropped_attributes || span.dropped_events || span.dropped_links)
    tail += `,"d":[${span.dropped_attributes},${span.dropped_events},${span.dropped_links}]`;
  if (span.trace_state !== '') tail += `,"x":${JSON.stringify(span.trace_state)}`;
  if (span.flags !== 0) tail += `,"f":${span.flags}`;
  if (warnings.length > 0) tail += `,"w":${JSON.stringify(warnings)}`;
  return tail;
}

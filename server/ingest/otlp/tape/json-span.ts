/** The span of a place on the tape of a JSON body. */
import type { RawEvent, RawLink } from '../raw-span.ts';
import type { AttributeShape } from './attribute-shapes.ts';
import { internedText } from './interned-texts.ts';
import { type CellKind, Head, headSize, kindMax, type SpanTape, statusMax } from './span-tape.ts';
import { parse, readText, TapeSpan } from './tape-span.ts';

/** Reads the lists of a span that are rarely there. */
export interface ListReader {
  events(json: unknown): { items: RawEvent[]; cut: number };
  links(json: unknown): { items: RawLink[]; cut: number };
}

/** @throws NotForTape */
export function jsonSpan(bytes: Buffer, { heads, cells, shapes }: SpanTape, index: number, lists: ListReader): TapeSpan {
  const at = index * headSize;
  const head = (field: number) => heads[at + field] as number;
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  const text = (field: number) => readText(bytes, head(field) as CellKind, head(field + 1), head(field + 2));
  const id = (field: number, length: number) => ascii(head(field), head(field) + length);
  const list = <T>(field: number, read: (json: unknown) => { items: T[]; cut: number }) =>
    head(field) === 0 ? { items: [], cut: 0 } : read(parse(bytes.toString('utf8', head(field), head(field + 1))));
  const events = list(Head.eventsFrom, lists.events);
  const links = list(Head.linksFrom, lists.links);
  const fields = {
    trace_id: internedText(bytes, head(Head.traceId), head(Head.traceId) + 32),
    span_id: id(Head.spanId, 16),
    parent_id: head(Head.parentId) === 0 ? null : id(Head.parentId, 16),
    name: text(Head.name),
    kind: head(Head.kind) > kindMax ? 0 : head(Head.kind),
    trace_state: text(Head.traceState),
    flags: head(Head.flags),
    start_ns: head(Head.startFrom) === 0 ? '0' : ascii(head(Head.startFrom), head(Head.startTo)),
    end_ns: head(Head.endFrom) === 0 ? '0' : ascii(head(Head.endFrom), head(Head.endTo)),
    events: events.items,
    links: links.items,
    status_code: (head(Head.statusCode) > statusMax ? 0 : head(Head.statusCode)) as 0 | 1 | 2,
    status_message: text(Head.statusMessage),
    dropped_attributes: head(Head.droppedAttributes),
    dropped_events: head(Head.droppedEvents) + events.cut,
    dropped_links: head(Head.droppedLinks) + links.cut,
  };
  return new TapeSpan(fields, bytes, cells, head(Head.cells), shapes[index] as AttributeShape);
}

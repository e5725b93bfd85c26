/**
 * ExportTraceServiceRequest as protobuf (opentelemetry-proto, trace.proto). Written from the last byte to the first, so that the length of a
 * message is known when its length prefix is written.
 */
import type { Attribute, Sender, Span, SpanEvent, Value } from './span.ts';

const wire = { varint: 0, fixed64: 1, bytes: 2 } as const;

class BackwardWriter {
  #bytes = Buffer.allocUnsafe(1 << 20);
  /** Where the written bytes begin. */
  #at = this.#bytes.length;

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(this.#at));
  }

  /** A field with a message: `write` writes the message's fields, last first. */
  message(field: number, write: () => void): void {
    const end = this.#bytes.length - this.#at;
    write();
    this.#varint(this.#bytes.length - this.#at - end);
    this.#varint(field * 8 + wire.bytes);
  }

  text(field: number, text: string): void {
    const size = Buffer.byteLength(text);
    this.#ensureCapacity(size);
    this.#at -= size;
    this.#bytes.write(text, this.#at, 'utf8');
    this.#varint(size);
    this.#varint(field * 8 + wire.bytes);
  }

  hex(field: number, digits: string): void {
    const size = digits.length / 2;
    this.#ensureCapacity(size);
    this.#at -= size;
    this.#bytes.write(digits, this.#at, 'hex');
    this.#varint(size);
    this.#varint(field * 8 + wire.bytes);
  }

  number(field: number, value: number): void {
    this.#varint(value);
    this.#varint(field * 8 + wire.varint);
  }

  double(field: number, value: number): void {
    this.#ensureCapacity(8);
    this.#at -= 8;
    this.#bytes.writeDoubleLE(value, this.#at);
    this.#varint(field * 8 + wire.fixed64);
  }

  nanoseconds(field: number, decimal: string): void {
    this.#ensureCapacity(8);
    this.#at -= 8;
    this.#bytes.writeBigUInt64LE(BigInt(decimal), this.#at);
    this.#varint(field * 8 + wire.fixed64);
  }

  /** Non-negative; may exceed 32 bits. */
  #varint(value: number): void {
    this.#ensureCapacity(10);
    let size = 1;
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) size++;
    this.#at -= size;
    const last = this.#at + size - 1;
    let rest = value;
    for (let at = this.#at; at < last; at++) {
      this.#bytes[at] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[last] = rest;
  }

  #ensureCapacity(size: number): void {
    if (size <= this.#at) return;
    const used = this.#bytes.length - this.#at;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, used + size));
    this.#bytes.copy(larger, larger.length - used, this.#at);
    this.#at = larger.length - used;
    this.#bytes = larger;
  }
}

export function encodeProtobuf(spans: readonly Span[], { resource, scope }: Sender): Buffer {
  const writer = new BackwardWriter();
  writer.message(1, () => {
    writer.message(2, () => {
      for (const span of spans.toReversed()) writer.message(2, () => writeSpan(writer, span));
      writer.message(1, () => {
        writer.text(2, scope.version);
        writer.text(1, scope.name);
      });
    });
    writer.message(1, () => writeAttributes(writer, 1, resource));
  });
  return writer.finish();
}

function writeSpan(writer: BackwardWriter, span: Span): void {
  writer.message(15, () => {
    writer.number(3, span.status_code);
    if (span.status_message !== '') writer.text(2, span.status_message);
  });
  for (const event of span.events.toReversed()) writer.message(11, () => writeEvent(writer, event));
  writeAttributes(writer, 9, span.attributes);
  writer.nanoseconds(8, span.end_ns);
  writer.nanoseconds(7, span.start_ns);
  writer.number(6, span.kind);
  writer.text(5, span.name);
  if (span.parent_id !== '') writer.hex(4, span.parent_id);
  writer.hex(2, span.span_id);
  writer.hex(1, span.trace_id);
}

function writeEvent(writer: BackwardWriter, { name, time_ns, attributes }: SpanEvent): void {
  writeAttributes(writer, 3, attributes);
  writer.text(2, name);
  writer.nanoseconds(1, time_ns);
}

function writeAttributes(writer: BackwardWriter, field: number, attributes: readonly Attribute[]): void {
  for (let index = attributes.length - 1; index >= 0; index--) {
    const [key, value] = attributes[index] as Attribute;
    writer.message(field, () => {
      writer.message(2, () => writeValue(writer, value));
      writer.text(1, key);
    });
  }
}

function writeValue(writer: BackwardWriter, value: Value): void {
  if (typeof value === 'string') writer.text(1, value);
  else if (typeof value === 'boolean') writer.number(2, value ? 1 : 0);
  else if (Number.isInteger(value)) writer.number(3, value);
  else writer.double(4, value);
}

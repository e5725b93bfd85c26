/** Checks the OTLP fields of a span, exact to the nanosecond and to the last attribute. */

import type { Expect } from '../comparison.ts';
import type { ExpectedSpan } from '../expectation.ts';
import { sameNumber, sameText, sameValue } from '../same.ts';
import type { ShownSpan } from '../shown.ts';
import { eventsOf, linksOf, plainAttributes } from './raw-facts.ts';

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

export function checkProtocol(expect: Expect, expected: ExpectedSpan, shown: ShownSpan): void {
  const { wire, item, sent } = shown;
  const { span } = sent;
  expect('names.raw', span.name === expected.name, expected.name, span.name);
  // A tool execution is shown by the name of its tool.
  const names = [expected.name, expected.tool?.name];
  expect('names.shown', names.includes(wire.name), names, wire.name);
  expect('tree.parent', wire.parent_id === expected.parent_id, expected.parent_id, wire.parent_id);
  expect('times.start', span.start_ns === expected.start_time_unix_nano, expected.start_time_unix_nano, span.start_ns);
  expect('times.end', span.end_ns === expected.end_time_unix_nano, expected.end_time_unix_nano, span.end_ns);
  expect('times.timestamp', wire.timestamp === isoOf(expected.start_time_unix_nano), isoOf(expected.start_time_unix_nano), wire.timestamp);
  expect('times.duration', sameNumber(expected.duration_ms, wire.duration_ms), expected.duration_ms, wire.duration_ms);
  expect('kinds.otel', kinds[span.kind] === expected.otel_kind, expected.otel_kind, kinds[span.kind]);
  expect('scopes', sent.scope.name === expected.scope, expected.scope, sent.scope.name);
  expect('services', item?.service_name === (expected.service_name ?? ''), expected.service_name, item?.service_name);
  checkStatus(expect, expected, shown);
  checkAttributes(expect, expected, shown);
  checkEvents(expect, expected, shown);
}

/** Rounded down to the millisecond, as every time of the contract. */
export const isoOf = (nanoseconds: string): string => new Date(Number(BigInt(nanoseconds) / 1_000_000n)).toISOString();

/** A vendor's own error marker gives the status ERROR where OTLP has none, and must not hide the OTLP status. */
function checkStatus(expect: Expect, expected: ExpectedSpan, { wire, sent }: ShownSpan): void {
  const raw = ['UNSET', 'OK', 'ERROR'][sent.span.status_code];
  expect('status.raw', raw === expected.status, expected.status, raw);
  const status = expected.vendor_error ? 'ERROR' : expected.status;
  expect(expected.vendor_error ? 'vendor error.status' : 'status.shown', wire.status === status, status, wire.status);
  if (expected.status_message !== undefined) {
    const { status_message } = sent.span;
    expect('status.message', status_message === expected.status_message, expected.status_message, status_message);
  }
  if (!expected.vendor_error) return;
  const { message } = expected.vendor_error;
  // Where the sender gives no message, the expectation has a text of its own.
  if (!JSON.stringify(sent.span).includes(JSON.stringify(message).slice(1, -1))) return;
  const shown = wire.status_message ?? '';
  // With or without the name of the error's class before it.
  expect('vendor error.message', shown !== '' && (shown.includes(message) || message.includes(shown)), message, shown);
}

function checkAttributes(expect: Expect, expected: ExpectedSpan, { sent }: ShownSpan): void {
  const { attributes } = sent.span;
  expect('attributes.count', attributes.length === expected.attribute_count, expected.attribute_count, attributes.length);
  if (!expected.attributes) return;
  const got = plainAttributes(attributes);
  for (const [key, value] of Object.entries(expected.attributes))
    expect(`attributes.${key}`, sameValue(wellFormed(value), got[key]), value, got[key]);
}

/** JSON can encode a lone surrogate, UTF-8 cannot; the protobuf capture of the same span has U+FFFD already. */
const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

function checkEvents(expect: Expect, expected: ExpectedSpan, { sent }: ShownSpan): void {
  const events = eventsOf(sent.span);
  const thrown = events.filter(({ name }) => name === 'exception');
  expect('exceptions.count', thrown.length >= expected.exceptions.length, expected.exceptions.length, thrown.length);
  expected.exceptions.forEach(({ type, message }, index) => {
    const { attributes = {} } = thrown[index] ?? {};
    expect('exceptions.type', (attributes['exception.type'] ?? null) === type, type, attributes['exception.type']);
    expect('exceptions.message', sameText(message, attributes['exception.message']), message, attributes['exception.message']);
  });
  const others = events.filter(({ name }) => name !== 'exception');
  (expected.events ?? []).forEach((event, index) => {
    expect('events.name', others[index]?.name === event.name, event.name, others[index]?.name);
    expect('events.attributes', sameValue(event.attributes, others[index]?.attributes), event.attributes, others[index]?.attributes);
  });
  if (expected.links) expect('links', sameValue(expected.links, linksOf(sent.span)), expected.links, linksOf(sent.span));
}

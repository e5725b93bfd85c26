/** ExportTraceServiceRequest as OTLP/JSON, in the layout of the JavaScript exporters. */
import type { Attribute, Sender, Span, Value } from './span.ts';

export function encodeJson(spans: readonly Span[], { resource, scope }: Sender): Buffer {
  const scopeSpans = `{"scope":{"name":${quote(scope.name)},"version":${quote(scope.version)}},"spans":[${spans.map(spanJson).join(',')}]}`;
  return Buffer.from(
    `{"resourceSpans":[{"resource":{"attributes":[${resource.map(attributeJson).join(',')}],"droppedAttributesCount":0},"scopeSpans":[${scopeSpans}]}]}`,
  );
}

const quote = (text: string): string => JSON.stringify(text);

function spanJson(span: Span): string {
  const parent = span.parent_id === '' ? '' : `"parentSpanId":"${span.parent_id}",`;
  const message = span.status_message === '' ? '' : `,"message":${quote(span.status_message)}`;
  const events = span.events.map(
    ({ name, time_ns, attributes }) =>
      `{"attributes":[${attributes.map(attributeJson).join(',')}],"name":${quote(name)},"timeUnixNano":"${time_ns}","droppedAttributesCount":0}`,
  );
  return (
    `{"traceId":"${span.trace_id}","spanId":"${span.span_id}",${parent}"name":${quote(span.name)},"kind":${span.kind},` +
    `"startTimeUnixNano":"${span.start_ns}","endTimeUnixNano":"${span.end_ns}",` +
    `"attributes":[${span.attributes.map(attributeJson).join(',')}],"droppedAttributesCount":0,` +
    `"events":[${events.join(',')}],"droppedEventsCount":0,` +
    `"status":{"code":${span.status_code}${message}},"links":[],"droppedLinksCount":0}`
  );
}

const attributeJson = ([key, value]: Attribute): string => `{"key":${quote(key)},"value":${valueJson(value)}}`;

function valueJson(value: Value): string {
  if (typeof value === 'string') return `{"stringValue":${quote(value)}}`;
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`;
}

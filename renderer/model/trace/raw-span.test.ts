import { expect, it } from 'vitest';
import { attributes, formatValue, otlpValue } from './otlp-value.ts';
import { droppedBySender, spanEvents, spanLinks } from './span-events.ts';

it('reads every OTLP value, null included', () => {
  expect(otlpValue({ stringValue: 'a' })).toBe('a');
  expect(otlpValue({ intValue: '12' })).toBe(12);
  expect(otlpValue({ intValue: '9007199254740993' })).toBe('9007199254740993');
  expect(otlpValue({ doubleValue: null })).toBeNull();
  expect(otlpValue({})).toBeNull();
  expect(otlpValue({ arrayValue: { values: [{ boolValue: true }, {}] } })).toEqual([true, null]);
  expect(formatValue(otlpValue({ arrayValue: {} }))).toBe('[]');
});

it('treats hostile keys as ordinary keys', () => {
  const value = otlpValue({ kvlistValue: { values: [{ key: '__proto__', value: { stringValue: 'x' } }] } }) as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(attributes('nonsense')).toEqual([]);
  expect(attributes([null, { key: 'a', value: null }])).toEqual([{ key: 'a', value: null }]);
});

it('finds exceptions with their stack and their time in the span', () => {
  const exception = [
    { key: 'exception.type', value: { stringValue: 'TypeError' } },
    { key: 'exception.message', value: { stringValue: 'no' } },
    { key: 'exception.stacktrace', value: { stringValue: 'at a' } },
  ];
  const [first, second] = spanEvents({
    startTimeUnixNano: '1763733801000000000',
    events: [{ name: 'exception', timeUnixNano: '1763733801250000000', attributes: exception }, { name: 'retry' }],
  });
  expect(first).toMatchObject({ after: 250, exception: { type: 'TypeError', message: 'no', stack: 'at a' } });
  expect(second).toMatchObject({ name: 'retry', after: null, exception: null });
});

it('reads links and what the sender dropped', () => {
  expect(spanLinks({ links: [{ traceId: 't', spanId: 's' }] })).toEqual([{ trace_id: 't', span_id: 's', attributes: [] }]);
  expect(droppedBySender({ droppedAttributesCount: 3, droppedEventsCount: 0 })).toEqual([{ what: 'attributes', count: 3 }]);
});

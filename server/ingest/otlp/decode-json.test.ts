import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { aRequest, aSpan, attributeList } from '../../../shared/fixtures/otlp.ts';
import { span as anySpan } from '../../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { decodeJson } from './decode-json.ts';
import { UnreadableRequest } from './decoded.ts';
import { otlpLimits } from './limits.ts';
import type { RawSpan } from './raw-span.ts';

const decode = (request: unknown) => decodeJson(Buffer.from(typeof request === 'string' ? request : JSON.stringify(request)));

/** Decodes a request with one span: a plausible one with these fields replaced. */
function spanWith(fields: object): { span: RawSpan; warnings: string[] } {
  const { spans, rejected } = decode(aRequest([{ ...aSpan(), ...fields }]));
  expect(rejected).toEqual([]);
  return spans[0] as never;
}

function refusal(request: unknown): string {
  try {
    decode(request);
  } catch (error) {
    if (error instanceof UnreadableRequest) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'read';
}

describe('the envelope', () => {
  test.each(['', '{}', '{"resourceSpans":[]}', '{"resourceSpans":[{}]}', '{"resourceSpans":[{"scopeSpans":[{}]}]}', '\ufeff{}', ' {} '])(
    '%j is an empty request',
    (text) => {
      expect(decode(text)).toEqual({ spans: [], rejected: [] });
    },
  );

  test.each<[sent: string, why: string]>([
    ['{', 'not JSON'],
    ['{"resourceSpans":[}', 'not JSON'],
    ['{}{}', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['"spans"', 'not a JSON object'],
    ['42', 'not a JSON object'],
    ['{"resourceSpans":{}}', 'not an array'],
    ['{"resourceSpans":"x"}', 'not an array'],
    ['{"spans":[]}', 'no resourceSpans'],
    ['{"resourceLogs":[]}', 'logs request'],
    ['{"resource_metrics":[]}', 'metrics request'],
  ])('%s cannot be read: %s', (sent, why) => {
    expect(refusal(sent)).toMatch(new RegExp(`^invalid_otlp_payload: .*${why}`));
  });

  it('with more spans than the limit is too large', () => {
    const spans = new Array(otlpLimits.spansMax + 1).fill(null);
    expect(refusal({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).toMatch(/^payload_too_large/);
  });

  it('quotes no more of the body than the parser’s message does', () => {
    expect(refusal(`{"secret${'x'.repeat(5000)}`).length).toBeLessThan(300);
  });
});

describe('an invalid item in place of a span', () => {
  test.each<[request: object, refused: string]>([
    [{ resourceSpans: [null] }, 'resourceSpans[0]: is not an object'],
    [{ resourceSpans: ['x'] }, 'resourceSpans[0]: is not an object'],
    [{ resourceSpans: [{ scopeSpans: { spans: [aSpan()] } }] }, 'scopeSpans[0]: is not an array'],
    [{ resourceSpans: [{ scopeSpans: 'x' }] }, 'scopeSpans[0]: is not an array'],
    [{ resourceSpans: [{ scopeSpans: [7] }] }, 'scopeSpans[0]: is not an object'],
    [{ resourceSpans: [{ scopeSpans: [{ spans: { 0: aSpan() } }] }] }, 'spans[0]: is not an array'],
    [{ resourceSpans: [{ scopeSpans: [{ spans: [[]] }] }] }, 'spans[0]: is not an object'],
  ])('%j is counted as rejected, with its position', (request, refused) => {
    expect(decode(request)).toEqual({ spans: [], rejected: [refused] });
    const [first] = (aRequest([aSpan()]) as { resourceSpans: object[] }).resourceSpans;
    const beside = { resourceSpans: [first, ...(request as { resourceSpans: object[] }).resourceSpans] };
    expect([decode(beside).spans.length, decode(beside).rejected.length]).toEqual([1, 1]);
  });

  test.each<[field: string, value: unknown]>([
    ['traceId', ''],
    ['traceId', 5],
    ['spanId', null],
    ['spanId', '0'.repeat(16)],
    ['startTimeUnixNano', 'soon'],
    ['endTimeUnixNano', -1],
    ['attributes', { a: 1 }],
    ['events', {}],
    ['links', 'x'],
    ['events', [{ timeUnixNano: 'soon' }]],
    ['attributes', [{ key: 'a\0b', value: {} }]],
  ])('a span whose %s is %j is rejected alone', (field, value) => {
    const { spans, rejected } = decode(aRequest([aSpan(), { ...aSpan(), [field]: value }, aSpan()]));
    expect(spans).toHaveLength(2);
    expect(rejected).toEqual([expect.stringMatching(/^spans\[1\]: /)]);
  });
});

describe('sloppy senders', () => {
  it('may spell every field in snake_case', () => {
    const request = {
      resource_spans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { string_value: 'snake' } }] },
          scope_spans: [
            {
              spans: [
                {
                  trace_id: 'a'.repeat(32),
                  span_id: 'b'.repeat(16),
                  parent_span_id: 'c'.repeat(16),
                  name: 'work',
                  start_time_unix_nano: '1',
                  end_time_unix_nano: '2',
                  trace_state: 'x=1',
                  dropped_attributes_count: 3,
                  events: [{ time_unix_nano: '5', name: 'e' }],
                  links: [{ trace_id: 'd'.repeat(32), span_id: 'e'.repeat(16) }],
                },
              ],
            },
          ],
        },
      ],
    };
    const { spans, rejected } = decode(request);
    expect(rejected).toEqual([]);
    expect(spans[0]?.resource.attributes).toEqual([['service.name', 'snake']]);
    expect(spans[0]?.span).toMatchObject({
      trace_id: 'a'.repeat(32),
      parent_id: 'c'.repeat(16),
      start_ns: '1',
      end_ns: '2',
      trace_state: 'x=1',
      dropped_attributes: 3,
    });
    expect(spans[0]?.span.events[0]).toMatchObject({ time_ns: '5', name: 'e' });
    expect(spans[0]?.span.links[0]).toMatchObject({ trace_id: 'd'.repeat(32), span_id: 'e'.repeat(16) });
  });

  it('may call scopes by their name before 1.0', () => {
    const { spans } = decode({
      resourceSpans: [{ instrumentationLibrarySpans: [{ instrumentationLibrary: { name: 'old', version: '0' }, spans: [aSpan()] }] }],
    });
    expect(spans[0]?.scope).toMatchObject({ name: 'old', version: '0' });
  });

  it('may add unknown fields', () => {
    const request = aRequest([{ ...aSpan(), later: { deep: [1] } }]) as { resourceSpans: object[] };
    expect(decode({ ...request, extra: 1 }).spans).toHaveLength(1);
  });

  test.each<[sent: unknown, kind: number, warned: boolean]>([
    [3, 3, false],
    ['3', 3, false],
    ['SPAN_KIND_CLIENT', 3, true],
    ['server', 2, true],
    [9, 0, false],
    [1.5, 0, false],
    ['no kind', 0, false],
    [{ toString: 1 }, 0, false],
  ])('a kind sent as %j is %d', (sent, kind, warned) => {
    const { span, warnings } = spanWith({ kind: sent });
    expect([span.kind, warnings.length > 0]).toEqual([kind, warned]);
  });

  test.each<[sent: unknown, code: number, warned: boolean]>([
    [2, 2, false],
    ['2', 2, false],
    ['STATUS_CODE_ERROR', 2, true],
    ['Ok', 1, true],
    [7, 0, false],
    [{ valueOf: 1 }, 0, false],
  ])('a status code sent as %j is %d', (sent, code, warned) => {
    const { span, warnings } = spanWith({ status: { code: sent } });
    expect([span.status_code, warnings.length > 0]).toEqual([code, warned]);
  });

  it('may write nanoseconds and int64 as bare numbers without losing a digit, in resources and scopes too', () => {
    const text = JSON.stringify(aRequest([{ ...aSpan(), startTimeUnixNano: '@1', attributes: [{ key: 'n', value: { intValue: '@2' } }] }]))
      .replace('"@1"', '1768471200123456789')
      .replace('"@2"', '9007199254740993')
      .replace('{"stringValue":"test-service"}', '{"intValue": 9007199254740995 }');
    const { spans } = decode(text);
    expect(spans[0]?.span.start_ns).toBe('1768471200123456789');
    expect(spans[0]?.span.attributes).toEqual([['n', { int: '9007199254740993' }]]);
    expect(spans[0]?.resource.attributes).toEqual([['service.name', { int: '9007199254740995' }]]);
    const alone = decode(JSON.stringify(aRequest([aSpan()])).replace('{"stringValue":"test-service"}', '{"intValue":9007199254740995}'));
    expect(alone.spans[0]?.resource.attributes).toEqual([['service.name', { int: '9007199254740995' }]]);
  });

  it('that quote such a number in a string keep the string unchanged', () => {
    const payload = '{"startTimeUnixNano": 1768471200123456789}';
    const text = JSON.stringify(aRequest([{ ...aSpan({ attributes: { payload } }), endTimeUnixNano: '@' }])).replace(
      '"@"',
      '1768471200123456789',
    );
    expect(decode(text).spans[0]?.span.attributes).toEqual([['payload', payload]]);
  });
});

describe('what a span may hold', () => {
  it('is cut at the limits, counted and reported in warnings', () => {
    const many = (length: number) =>
      Array.from({ length }, (_, index) => ({ key: `k${index}`, name: `e${index}`, value: { intValue: index } }));
    const { span, warnings } = spanWith({
      name: 'n'.repeat(otlpLimits.nameLengthMax + 1),
      attributes: many(otlpLimits.attributesMax + 2),
      events: many(otlpLimits.eventsMax + 3),
      links: many(otlpLimits.linksMax + 4).map(() => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) })),
      droppedAttributesCount: 10,
    });
    expect(span.name).toHaveLength(otlpLimits.nameLengthMax);
    expect([span.attributes.length, span.dropped_attributes]).toEqual([otlpLimits.attributesMax, 12]);
    expect([span.events.length, span.dropped_events]).toEqual([otlpLimits.eventsMax, 3]);
    expect([span.links.length, span.dropped_links]).toEqual([otlpLimits.linksMax, 4]);
    expect(warnings).toHaveLength(4);
  });

  it('keeps every repeat of a key in order, with a warning', () => {
    const { span, warnings } = spanWith({ attributes: [...attributeList({ a: 1, b: 2 }), ...attributeList({ a: 3 })] });
    expect(span.attributes).toEqual([
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ]);
    expect(warnings).toEqual(['an attribute key repeats: the last one counts']);
  });

  it('is read or rejected, whatever JSON replaces one of its fields; the span beside it is untouched', () => {
    const beside = aSpan();
    const field = fc.constantFrom(...Object.keys(aSpan()), 'flags', 'links', 'droppedEventsCount', 'traceState', 'trace_id');
    const junk = fc.oneof(fc.jsonValue(), fc.constantFrom({ toString: 1, valueOf: 1 }, { data: null }, { length: 9 }, [[]], '\ud800'));
    fc.assert(
      fc.property(anySpan, field, junk, (span, name, value) => {
        const { spans, rejected } = decode(aRequest([{ ...span, [name]: value }, beside]));
        expect(spans.length + rejected.length).toBe(2);
        expect(spans.at(-1)?.span.span_id).toBe(beside['spanId']);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('a resource or scope', () => {
  const withAttributes = (attributes: unknown) => {
    const resource = { attributes, droppedAttributesCount: 2 };
    return decode({ resourceSpans: [{ resource, scopeSpans: [{ scope: resource, spans: [aSpan()] }] }] }).spans[0];
  };
  const good = attributeList({ 'service.name': 'svc' });

  it('loses the one attribute that cannot be read, never its spans', () => {
    const span = withAttributes([...good, { key: 'a\0b', value: {} }]);
    expect(span?.resource).toMatchObject({ attributes: [['service.name', 'svc']], dropped: 3 });
    expect(span?.scope).toMatchObject({ attributes: [['service.name', 'svc']], dropped: 3 });
  });

  test.each([{ a: 1 }, 'x', 5])('whose attributes are %j has none', (attributes) => {
    expect(withAttributes(attributes)?.resource).toMatchObject({ attributes: [], dropped: 3 });
  });

  test.each([null, 'x', 5, []])('that is %j is an empty one', (resource) => {
    const { spans } = decode({ resourceSpans: [{ resource, scopeSpans: [{ scope: resource, spans: [aSpan()] }] }] });
    expect(spans[0]).toMatchObject({ resource: { attributes: [], dropped: 0 }, scope: { name: '', attributes: [] } });
  });
});

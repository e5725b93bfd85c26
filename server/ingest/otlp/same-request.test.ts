/** JSON and protobuf of one request decode to equal values: with the official serialisers, and for generated requests. */
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aChat, anyValue, aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { requestBytes } from '../../../shared/fixtures/otlp-protobuf.ts';
import { request as anyRequest } from '../../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { decodeJson } from './decode-json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { otlpJsonOf } from './encode-json.ts';
import { otlpLimits } from './limits.ts';

const fromJson = (request: object) => decodeJson(Buffer.from(JSON.stringify(request)));

type SdkSpan = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number];

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((list) => Buffer.from(list).toString('hex').replace(/^00/, 'f0'));
const text = fc.string({ unit: 'binary', maxLength: 15 });
const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }).map((name) => name.replaceAll('\0', '0'));
/** Past 2^53 and for infinities the JSON serialiser itself loses digits, so there is nothing to compare. */
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
);
const scalar = fc.oneof(text, number, fc.boolean());
const value = fc.oneof(
  scalar,
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 4 }),
  fc.uint8Array({ maxLength: 8 }),
  fc.dictionary(key, scalar, { maxKeys: 3 }),
);
const attributes = fc.dictionary(key, value, { maxKeys: 5 });
const time = fc.tuple(fc.nat(4_000_000_000), fc.nat(999_999_999));
const context = fc
  .record({ traceId: hex(16), spanId: hex(8), traceFlags: fc.nat(255), isRemote: fc.boolean(), state: text })
  .map(({ state, ...ids }) => ({ ...ids, traceState: { serialize: () => state } }));
const resource = fc.record({ name: text, version: text, schemaUrl: text, attributes });

/** What the SDK hands to its serialisers. */
const sdkSpan = fc.record({
  name: text,
  kind: fc.nat(4),
  own: context,
  parentSpanContext: fc.option(context, { nil: undefined }),
  startTime: time,
  endTime: time,
  status: fc.record({ code: fc.nat(2), message: text }),
  attributes,
  events: fc.array(fc.record({ name: text, time, attributes, droppedAttributesCount: fc.nat(9) }), { maxLength: 3 }),
  links: fc.array(fc.record({ context, attributes, droppedAttributesCount: fc.nat(9) }), { maxLength: 3 }),
  droppedAttributesCount: fc.nat(9),
  droppedEventsCount: fc.nat(9),
  droppedLinksCount: fc.nat(9),
  resource,
  instrumentationScope: resource,
});
const sdkSpans = fc
  .array(sdkSpan, { maxLength: 4 })
  .map((spans) => spans.map(({ own, ...span }) => ({ ...span, spanContext: () => own }) as unknown as SdkSpan));

describe('a request of the official SDK', () => {
  it('decodes to the same spans from JSON and from protobuf', () => {
    fc.assert(
      fc.property(sdkSpans, (spans) => {
        const json = JsonTraceSerializer.serializeRequest(spans) as Uint8Array;
        const protobuf = ProtobufTraceSerializer.serializeRequest(spans) as Uint8Array;
        const decoded = decodeJson(json);
        expect(decoded.rejected).toEqual([]);
        expect(decoded.spans).toHaveLength(spans.length);
        expect(decodeProtobuf(protobuf)).toEqual(decoded);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is written by our test encoder as the SDK writes it', () => {
    fc.assert(
      fc.property(sdkSpans, (spans) => {
        const json = JSON.parse(Buffer.from(JsonTraceSerializer.serializeRequest(spans) as Uint8Array).toString()) as object;
        // A NaN has no JSON form but null.
        const ours = JSON.parse(JSON.stringify(json), (name, found: unknown) => (name === 'doubleValue' && found === null ? 'NaN' : found));
        const theirs = ProtobufTraceSerializer.serializeRequest(spans) as Uint8Array;
        expect(decodeProtobuf(requestBytes(ours as object))).toEqual(decodeProtobuf(theirs));
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('any request', () => {
  it('decodes to the same spans, rejections and warnings from JSON and from protobuf', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(decodeProtobuf(requestBytes(request))).toEqual(fromJson(request));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('can be written back to OTLP/JSON, and is then the same again', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { span, resource, scope } of fromJson(request).spans) {
          const json = otlpJsonOf({ span, resource, scope });
          const { schemaUrl: resourceUrl = '', ...resourceJson } = json.resource;
          const { schemaUrl: scopeUrl = '', ...scopeJson } = json.scope;
          const again = fromJson({
            resourceSpans: [
              {
                resource: resourceJson,
                schemaUrl: resourceUrl,
                scopeSpans: [{ scope: scopeJson, schemaUrl: scopeUrl, spans: [json.span] }],
              },
            ],
          });
          expect(again.spans.map(({ warnings: _, ...sent }) => sent)).toEqual([{ span, resource, scope }]);
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('of the shapes senders use most is the same in both forms', () => {
    const request = aRequest([
      aChat({ attributes: { list: ['a', 1, 1.5, true, null], nested: { deep: { deeper: [{ x: 1 }] } } } }),
      aSpan({ status: 'ERROR', statusMessage: 'no', events: [{ name: 'exception', attributes: { 'exception.message': 'no' } }] }),
    ]);
    expect(decodeProtobuf(requestBytes(request))).toEqual(fromJson(request));
    expect(fromJson(request).spans[0]?.span.attributes.at(-1)).toEqual([
      'nested',
      { map: [['deep', { map: [['deeper', [{ map: [['x', 1]] }]]] }]] },
    ]);
  });

  it.each([
    ['lists', (value: object) => ({ arrayValue: { values: [value] } })],
    ['maps', (value: object) => ({ kvlistValue: { values: [{ key: 'k', value }] } })],
  ])('may nest %s to the limit in either form; one level more rejects only the span', (_, wrap) => {
    let value: object = { stringValue: 'x' };
    for (let level = 1; level <= otlpLimits.valueDepthMax + 2; level++) {
      value = wrap(value);
      const request = aRequest([{ ...aSpan(), attributes: [{ key: 'deep', value }] }, aSpan()]);
      const decoded = fromJson(request);
      expect(decoded.spans).toHaveLength(level <= otlpLimits.valueDepthMax ? 2 : 1);
      expect(decodeProtobuf(requestBytes(request))).toEqual(decoded);
    }
  });

  it('keeps every 64-bit integer and every double apart and exact', () => {
    const exact = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((int) => ({ intValue: String(int) })),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => ({ doubleValue: Object.is(double, -0) ? '-0' : double })),
    );
    fc.assert(
      fc.property(exact, (sent) => {
        const request = aRequest([{ ...aSpan(), attributes: [{ key: 'x', value: sent }] }]);
        const decoded = fromJson(request);
        expect(decodeProtobuf(requestBytes(request))).toEqual(decoded);
        const raw = decoded.spans[0]?.span.attributes[0]?.[1];
        const [kind, written] = Object.entries(sent)[0] as [string, string | number];
        if (kind === 'intValue') expect(typeof raw === 'number' ? String(raw) : (raw as { int: string }).int).toBe(written);
        else expect(typeof raw === 'number' ? raw : Number((raw as { double: string }).double)).toBe(Number(written));
      }),
    );
    expect(anyValue(3)).toEqual({ intValue: '3' });
  });
});

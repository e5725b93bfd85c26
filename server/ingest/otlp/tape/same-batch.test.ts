/** A span that is read where it lies is stored as the general decoders have it, byte for byte. White space is what those alone accept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan } from '../../../../shared/fixtures/otlp.ts';
import { requestBytes } from '../../../../shared/fixtures/otlp-protobuf.ts';
import { request as anyRequest } from '../../../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { noOverrides } from '../../cost/own-prices.ts';
import { createPricing } from '../../cost/pricing.ts';
import { BatchBuilder } from '../../prepare/prepare.ts';
import { eachJsonSpan } from '../decode-json.ts';
import { eachProtobufSpan } from '../decode-protobuf.ts';
import { TapeSpan } from './tape-span.ts';

const pricing = createPricing(noOverrides);
const received_ms = Date.UTC(2026, 0, 1);

type Each = typeof eachJsonSpan;

/** What a request comes to: the rows with their records and texts in full. */
function batchOf(each: Each, body: Uint8Array) {
  const builder = new BatchBuilder(pricing, received_ms);
  const rejected = each(body, (span) => builder.add(span));
  const { spans, resources, bytes, evaluations } = builder.finish();
  const text = ({ at, size }: { at: number; size: number }) => Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString();
  const rows = spans.map(({ record, texts, resource, instrumentation, ...row }) => ({
    ...row,
    record: text(record),
    texts: texts.map(text),
    resource: resources[resource],
    instrumentation: resources[instrumentation],
  }));
  return { rows, rejected, evaluations, spanCounts: builder.spanCounts };
}

function inPlace(each: Each, body: Uint8Array): boolean[] {
  const found: boolean[] = [];
  each(body, ({ span }) => found.push(span instanceof TapeSpan));
  return found;
}

/** JSON in a text, long enough to be cut at its elements. */
const longList = fc
  .array(fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string({ maxLength: 900 }) }), { maxLength: 6 })
  .map((list) => JSON.stringify(list));

const compact = (request: object): Buffer => Buffer.from(JSON.stringify(request));
const spaced = (request: object): Buffer => Buffer.from(JSON.stringify(request, null, 1));

describe('a span read where it lies', () => {
  it('is stored as one that was parsed, from JSON and from protobuf', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const general = batchOf(eachJsonSpan, spaced(request));
        expect(batchOf(eachJsonSpan, compact(request))).toEqual(general);
        expect(batchOf(eachProtobufSpan, requestBytes(request))).toEqual(general);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is stored so whatever its texts hold', () => {
    const attributes = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.string({ unit: 'binary', maxLength: 2000 }),
        longList,
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
        fc.integer(),
      ),
    );
    fc.assert(
      fc.property(fc.array(attributes, { minLength: 1, maxLength: 4 }), (each) => {
        const request = aRequest(each.map((one) => aSpan({ attributes: one })));
        const general = batchOf(eachJsonSpan, spaced(request));
        expect(batchOf(eachJsonSpan, compact(request))).toEqual(general);
        expect(batchOf(eachProtobufSpan, requestBytes(request))).toEqual(general);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each(['NaN', 'Infinity', '-Infinity', '-0', '3', '1e308', '5e-324'])('is stored so with the double %s', (doubleValue) => {
    const span = { ...aSpan({}), attributes: [{ key: 'score', value: { doubleValue } }] };
    const request = aRequest([span]);
    const general = batchOf(eachJsonSpan, spaced(request));
    expect(batchOf(eachJsonSpan, compact(request))).toEqual(general);
    expect(batchOf(eachProtobufSpan, requestBytes(request))).toEqual(general);
  });

  it('is what exporters send, in both formats', () => {
    const request = aRequest([aChat(), aSpan({ attributes: { list: ['a', 'b'], flag: true, share: 0.5, count: 12 } })]);
    expect(inPlace(eachJsonSpan, compact(request))).toEqual([true, true]);
    expect(inPlace(eachProtobufSpan, requestBytes(request))).toEqual([true, true]);
    expect(inPlace(eachJsonSpan, spaced(request))).toEqual([false, false]);
  });
});

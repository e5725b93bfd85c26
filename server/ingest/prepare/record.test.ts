import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { request as anyRequest } from '../../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { decodeJson } from '../otlp/decode-json.ts';
import type { RawAttribute, RawSpan, RawValue } from '../otlp/raw-span.ts';
import { decodeRecord, encodeRecord } from './record.ts';
import { pieceLengthMin } from './split-text.ts';

/** Encodes and decodes a span; also returns the texts that were stored separately. */
function roundTrip(span: RawSpan, warnings: string[] = []): { span: RawSpan; warnings: string[]; texts: string[]; json: string } {
  const texts: string[] = [];
  const json = encodeRecord(span, warnings, (text) => texts.push(text) - 1);
  const { trace_id, span_id, parent_id } = span;
  return { ...decodeRecord(json, { trace_id, span_id, parent_id }, (place) => texts[place] as string), texts, json };
}

const bare: RawSpan = {
  trace_id: 'a'.repeat(32),
  span_id: 'b'.repeat(16),
  parent_id: null,
  name: '',
  kind: 0,
  trace_state: '',
  flags: 0,
  start_ns: '0',
  end_ns: '0',
  attributes: [],
  events: [],
  links: [],
  status_code: 0,
  status_message: '',
  dropped_attributes: 0,
  dropped_events: 0,
  dropped_links: 0,
};

const long = (letter: string) => letter.repeat(pieceLengthMin);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'binary', minLength: pieceLengthMin - 2, maxLength: pieceLengthMin + 2 }),
  fc.array(fc.string({ maxLength: 700 }), { maxLength: 6 }).map((list) => JSON.stringify(list)),
  fc.constantFrom('', '[', '{"$":[0]}', `[${'"x",'.repeat(600)}`, `{"a":"${long('\\\\')}`),
);
const value: fc.Arbitrary<RawValue> = fc.letrec<{ value: RawValue; pair: RawAttribute }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((double) => !Number.isInteger(double)),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }).map((int): RawValue => ({ int: String(int) })),
    fc.constantFrom<RawValue>({ double: 'NaN' }, { double: '-Infinity' }, { double: '-0' }, { double: '3' }),
    fc.base64String({ maxLength: 3000 }).map((bytes): RawValue => ({ bytes })),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(tie('pair'), { maxLength: 5 }).map((map): RawValue => ({ map })),
  ),
  pair: fc.tuple(
    fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }), fc.constantFrom('__proto__', '$', 't', 'j')),
    tie('value'),
  ),
})).value;
const attributes = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 9 }), value), { maxLength: 5 }) as fc.Arbitrary<RawAttribute[]>;

describe('a span after a round trip through its record', () => {
  it('is restored unchanged, with every value of the protocol in its attributes and events', () => {
    const event = fc.record({
      name: text,
      time_ns: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
      attributes,
      dropped: fc.nat(9),
    });
    fc.assert(
      fc.property(attributes, fc.array(event, { maxLength: 3 }), fc.array(text, { maxLength: 3 }), (list, events, warnings) => {
        const span = { ...bare, attributes: list, events };
        const back = roundTrip(structuredClone(span), warnings);
        expect(back.span).toEqual(span);
        expect(back.warnings).toEqual(warnings);
        for (const piece of back.texts) expect(piece.length).toBeGreaterThanOrEqual(pieceLengthMin);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is restored unchanged, whatever a request holds', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { span, warnings } of decodeJson(Buffer.from(JSON.stringify(request))).spans)
          expect(roundTrip(structuredClone(span), warnings)).toMatchObject({ span, warnings });
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('stores long texts separately and short ones inside the record', () => {
    const { texts, json } = roundTrip({
      ...bare,
      attributes: [
        ['short', 'x'.repeat(pieceLengthMin - 1)],
        ['long', long('y')],
      ],
    });
    expect(texts).toEqual([long('y')]);
    expect(json).not.toContain('yyy');
  });

  it('stores long lists and maps separately too', () => {
    const list: RawValue = Array.from({ length: 300 }, (_, index) => ({ map: [['n', index]] }));
    const { texts, span } = roundTrip({
      ...bare,
      attributes: [
        ['list', list],
        ['map', { map: [['inner', list]] }],
      ],
    });
    expect(texts.length).toBeGreaterThan(2);
    expect(span.attributes).toEqual([
      ['list', list],
      ['map', { map: [['inner', list]] }],
    ]);
  });

  test.each<[name: string, attribute: RawAttribute]>([
    ['a text that looks like a reference', ['a', '{"$":[0]}']],
    ['a map with the key of a reference', ['a', { map: [['$', [0]]] }]],
    ['a key that is __proto__', ['__proto__', 'x']],
  ])('does not mistake %s', (_, attribute) => {
    expect(roundTrip({ ...bare, attributes: [attribute] }).span.attributes).toEqual([attribute]);
  });

  it('does not change its argument', () => {
    const span: RawSpan = {
      ...bare,
      attributes: [
        ['long', long('z')],
        ['list', [1, [2]]],
      ],
    };
    const before = structuredClone(span);
    encodeRecord(span, [], () => 0);
    expect(span).toEqual(before);
  });

  it('uses no space for absent values', () => {
    expect(JSON.parse(roundTrip(bare).json)).toEqual({ n: '', t: ['0', '0'], a: [] });
  });
});

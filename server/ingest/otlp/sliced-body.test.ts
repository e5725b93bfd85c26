import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { span as anySpan } from '../../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { decodeJson } from './decode-json.ts';
import { UnreadableRequest } from './decoded.ts';
import { SlicedBody } from './sliced-body.ts';

/** Equal JSON in which the spans are not found, so that it is parsed as a whole. */
const asWhole = (text: string) => text.replaceAll('"spans"', '"sp\\u0061ns"');

function outcomeOf(text: string): unknown {
  try {
    return decodeJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof UnreadableRequest) return error.code;
    throw error;
  }
}

const scopeWith = (spans: unknown) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

describe('a request whose spans are parsed one by one', () => {
  it('finds every span under keys without escapes', () => {
    const { body } = new SlicedBody(Buffer.from(JSON.stringify(aRequest([aSpan(), aSpan()]))));
    expect(body).toMatchObject({ resourceSpans: [{ scopeSpans: [{ spans: [expect.any(String), expect.any(String)] }] }] });
  });

  it('is read as the whole would be', () => {
    const item = fc.oneof({ weight: 6, arbitrary: anySpan }, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 5 }), { maxLength: 3 }), (lists) => {
        const text = JSON.stringify({ resourceSpans: lists.map((spans) => ({ scopeSpans: [{ spans }] })) });
        expect(decodeJson(Buffer.from(text))).toEqual(decodeJson(Buffer.from(asWhole(text))));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each(['events', 'links', 'attributes'])('is refused when its list of %s closes with a brace', (list) => {
    const text = JSON.stringify(aRequest([{ ...aSpan(), [list]: [] }])).replace(`"${list}":[]`, `"${list}":[}`);
    expect(outcomeOf(text)).toBe('invalid_otlp_payload');
  });

  it('is refused as the whole would be, wherever it was cut or damaged', () => {
    const text = JSON.stringify(aRequest([aSpan({ name: 'é "quoted" \\' }), aSpan()]));
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', 'x', '0'), (at, damage) => {
        for (const damaged of [text.slice(0, at) + damage, text.slice(0, at) + damage + text.slice(at + 1)]) {
          expect(outcomeOf(damaged)).toEqual(outcomeOf(asWhole(damaged)));
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it.each([
    ['spans twice under one key', '{"resourceSpans":[{"scopeSpans":[{"spans":[{}],"spans":[{"name":"x"}]}]}]}'],
    ['an object of spans', JSON.stringify(scopeWith({ a: aSpan() }))],
    ['lists in a list', JSON.stringify(scopeWith([[aSpan()], aSpan()]))],
    ['spans where none belong', JSON.stringify({ resourceSpans: [[[[{ spans: [aSpan()] }]]]], scopeSpans: [aSpan()] })],
    ['texts and numbers for spans', JSON.stringify(scopeWith(['0', 0, null, aSpan()]))],
  ])('reads %s as a JSON parser does', (_, text) => {
    expect(outcomeOf(text)).toEqual(outcomeOf(asWhole(text)));
  });

  it('keeps every digit of a number without quotes, in a span and in its resource', () => {
    const long = '"intValue":1234567890123456789';
    const text = JSON.stringify(aRequest([aSpan({ attributes: { n: 7 } })])).replaceAll(/"intValue":"?7"?/g, long);
    expect(text).toContain(long);
    const { spans } = decodeJson(Buffer.from(text));
    expect(spans[0]?.span.attributes).toContainEqual(['n', { int: '1234567890123456789' }]);
    expect(decodeJson(Buffer.from(asWhole(text)))).toEqual({ spans, rejected: [] });
  });
});

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { UnreadableSpan } from './decoded.ts';
import { cutText, type Notes, readAttributes, readKey, readValue } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import type { RawValue } from './raw-span.ts';

function collectNotes(): Notes & { warnings: string[]; lost: number } {
  const notes = {
    warnings: [] as string[],
    lost: 0,
    warn: (message: string) => void notes.warnings.push(message),
    lostDigits: () => void notes.lost++,
  };
  return notes;
}

/** The value, and whether reading it gave a warning. */
function read(sent: unknown): [value: RawValue, warned: boolean] {
  const notes = collectNotes();
  return [readValue(sent, notes), notes.warnings.length > 0];
}

const kvlist = (values: unknown) => ({ kvlistValue: { values } });

describe('an AnyValue', () => {
  test.each<[sent: unknown, value: RawValue]>([
    [{ stringValue: 'text' }, 'text'],
    [{ stringValue: '' }, ''],
    [{ stringValue: 'a\0b' }, 'a\0b'],
    [{ boolValue: true }, true],
    [{ boolValue: false }, false],
    [{ boolValue: 'true' }, true],
    [{ intValue: '42' }, 42],
    [{ intValue: 42 }, 42],
    [{ intValue: '-0' }, 0],
    [{ intValue: -0 }, 0],
    [{ intValue: '+7' }, 7],
    [{ intValue: '9007199254740991' }, 9007199254740991],
    [{ intValue: '9007199254740992' }, { int: '9007199254740992' }],
    [{ intValue: '9223372036854775807' }, { int: '9223372036854775807' }],
    [{ intValue: '-9223372036854775808' }, { int: '-9223372036854775808' }],
    [{ intValue: 1.5 }, 1.5],
    [{ doubleValue: 1.5 }, 1.5],
    [{ doubleValue: '1.5' }, 1.5],
    [{ doubleValue: 3 }, { double: '3' }],
    [{ doubleValue: -0 }, { double: '-0' }],
    [{ doubleValue: 1e300 }, { double: '1e+300' }],
    [{ bytesValue: 'AAEC/w==' }, { bytes: 'AAEC/w==' }],
    [{ bytesValue: 'AAEC_w' }, { bytes: 'AAEC/w==' }],
    [{ arrayValue: {} }, []],
    [{ arrayValue: { values: [{ intValue: 1 }, {}, { stringValue: 'x' }] } }, [1, null, 'x']],
    [kvlist([{ key: 'a', value: kvlist([{ key: 'b', value: { intValue: '1' } }]) }]), { map: [['a', { map: [['b', 1]] }]] }],
    [kvlist(undefined), { map: [] }],
    [{ string_value: 'snake' }, 'snake'],
    [{ int_value: '42' }, 42],
    [{ double_value: 1.5 }, 1.5],
    [{ bool_value: true }, true],
    [{ array_value: { values: [{ string_value: 'x' }] } }, ['x']],
    [{ kvlist_value: { values: [{ key: 'a', value: { int_value: 1 } }] } }, { map: [['a', 1]] }],
    [{ bytes_value: 'AA==' }, { bytes: 'AA==' }],
    [{ stringValue: 5 }, '5'],
    [{ stringValue: { toString: 1 } }, '{"toString":1}'],
    [{ stringValue: null }, null],
    [{}, null],
    [{ unknownValue: 1 }, null],
    [null, null],
    ['bare text', null],
    [[], null],
  ])('%j is read as %j', (sent, value) => {
    expect(read(sent)).toEqual([value, false]);
  });

  test.each<[sent: unknown, value: RawValue]>([
    [{ doubleValue: 'NaN' }, { double: 'NaN' }],
    [{ doubleValue: null }, { double: 'NaN' }],
    [{ doubleValue: 'Infinity' }, { double: 'Infinity' }],
    [{ doubleValue: '-Infinity' }, { double: '-Infinity' }],
    [{ doubleValue: Number.POSITIVE_INFINITY }, { double: 'Infinity' }],
    [{ doubleValue: 'much' }, null],
    [{ doubleValue: '' }, null],
    [{ doubleValue: { toString: 1, valueOf: 1 } }, null],
    [{ intValue: 'much' }, null],
    [{ intValue: { toString: 1 } }, null],
    [{ intValue: '9223372036854775808' }, '9223372036854775808'],
    [{ intValue: '-9223372036854775809' }, '-9223372036854775809'],
    [{ intValue: '99999999999999999999' }, '99999999999999999999'],
    [{ stringValue: 'a\ud800b' }, 'a\ufffdb'],
  ])('%j is read as %j, with a warning', (sent, value) => {
    expect(read(sent)).toEqual([value, true]);
  });

  it('reports an integer without quotes that lost digits', () => {
    const notes = collectNotes();
    readValue({ intValue: 2 ** 53 + 2 }, notes);
    expect(notes.lost).toBe(1);
  });

  it('may nest to the limit; one level more rejects the span', () => {
    const nested = (levels: number): unknown => (levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [nested(levels - 1)] } });
    expect(readValue(nested(otlpLimits.valueDepthMax), collectNotes())).toBeTruthy();
    expect(() => readValue(nested(otlpLimits.valueDepthMax + 1), collectNotes())).toThrow(UnreadableSpan);
  });

  it('is read or rejects the span, whatever JSON it is', () => {
    const field = fc.constantFrom(
      'stringValue',
      'intValue',
      'boolValue',
      'doubleValue',
      'arrayValue',
      'kvlistValue',
      'bytesValue',
      'values',
    );
    const hostile = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom({ toString: 1 }, { valueOf: null, toString: [] }, { toJSON: 1 }, { length: -1 }, { __proto__: null }),
        fc.dictionary(field, tie('any')),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(hostile, (sent) => {
        try {
          const value = readValue(sent, collectNotes());
          expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableSpan);
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('a list of attributes', () => {
  const attribute = (key: unknown) => ({ key, value: { intValue: 1 } });

  it('keeps order, repeats and dangerous names', () => {
    const { attributes } = readAttributes(
      ['b', '__proto__', 'b', 'constructor', 'a.__proto__.b'].map(attribute),
      'attributes',
      collectNotes(),
    );
    expect(attributes.map(([key]) => key)).toEqual(['b', '__proto__', 'b', 'constructor', 'a.__proto__.b']);
    expect(({} as Record<string, unknown>)['b']).toBeUndefined();
  });

  it('keeps as many as the limit and counts the rest', () => {
    const list = Array.from({ length: otlpLimits.attributesMax + 5 }, (_, index) => attribute(`k${index}`));
    const notes = collectNotes();
    const { attributes, cut } = readAttributes(list, 'attributes', notes);
    expect([attributes.length, cut, notes.warnings.length]).toEqual([otlpLimits.attributesMax, 5, 1]);
  });

  it.each([[{ a: 1 }], ['text'], [5], [true]])('rejects the span when it is %j instead', (list) => {
    expect(() => readAttributes(list, 'attributes', collectNotes())).toThrow('attributes is not a list of {key, value}');
  });

  it.each([[null], [5], [''], [undefined]])('skips a key that is %j', (key) => {
    expect(readAttributes([attribute(key), attribute('a')], 'attributes', collectNotes()).attributes).toEqual([['a', 1]]);
  });
});

describe('a key', () => {
  it('with NUL rejects the span', () => {
    expect(() => readKey('a\0b', 'attributes', collectNotes())).toThrow('attributes has a key with a NUL character');
  });

  it('that is too long is cut, never inside a character', () => {
    const notes = collectNotes();
    const key = readKey(`${'k'.repeat(otlpLimits.keyLengthMax - 1)}😀`, 'attributes', notes);
    expect(key).toBe('k'.repeat(otlpLimits.keyLengthMax - 1));
    expect(notes.warnings).toHaveLength(1);
  });

  it('cut anywhere stays well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, length) => {
        const cut = cutText(text, length);
        expect(cut.isWellFormed()).toBe(true);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
      }),
    );
  });
});

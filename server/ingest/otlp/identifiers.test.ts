import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type IdBytes, readId, readParentId } from './identifiers.ts';

const traceHex = '5b8aa5a2d2c872e8321cf37308d69df2';
const spanHex = '051581bf3cb55c13';
const traceBytes = [...Buffer.from(traceHex, 'hex')];
const spanBytes = [...Buffer.from(spanHex, 'hex')];
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('accepted forms of ids', () => {
  test.each<[spelling: string, sent: unknown, size: IdBytes, read: string]>([
    ['hex of a trace', traceHex, 16, traceHex],
    ['hex of a span', spanHex, 8, spanHex],
    ['upper-case hex', traceHex.toUpperCase(), 16, traceHex],
    ['mixed-case hex', '051581BF3cb55c13', 8, spanHex],
    ['a UUID', '5b8aa5a2-d2c8-72e8-321c-f37308d69df2', 16, traceHex],
    ['an upper-case UUID', '5B8AA5A2-D2C8-72E8-321C-F37308D69DF2', 16, traceHex],
    ['padded base64 of a trace', base64(traceHex), 16, traceHex],
    ['padded base64 of a span', base64(spanHex), 8, spanHex],
    ['bare base64 of a trace', base64(traceHex).slice(0, 22), 16, traceHex],
    ['bare base64 of a span', base64(spanHex).slice(0, 11), 8, spanHex],
    ['a Buffer as JSON', { type: 'Buffer', data: traceBytes }, 16, traceHex],
    ['a list of bytes', spanBytes, 8, spanHex],
    ['an object keyed by index', { ...traceBytes }, 16, traceHex],
    ['a readable id', 'trace-of-user-42', 16, 'trace-of-user-42'],
    ['a readable id of one character', 'a', 8, 'a'],
    ['a readable id of 128 characters', 'x'.repeat(128), 16, 'x'.repeat(128)],
    ['a readable id beyond ASCII', 'Größe→1', 8, 'Größe→1'],
    ['hex of another length, as it is', 'ABCDEF', 8, 'ABCDEF'],
    ['a UUID where a span id belongs, as it is', '5b8aa5a2-d2c8-72e8-321c-f37308d69df2', 8, '5b8aa5a2-d2c8-72e8-321c-f37308d69df2'],
    ['eleven lower-case letters, which are not taken for base64', 'my-span-idx', 8, 'my-span-idx'],
  ])('%s is read', (_, sent, size, read) => {
    expect(readId(sent, size)).toBe(read);
  });

  test.each<[why: string, sent: unknown, size: IdBytes]>([
    ['absent', undefined, 16],
    ['null', null, 16],
    ['empty', '', 16],
    ['a number', 42, 8],
    ['a boolean', true, 8],
    ['all zero', '0'.repeat(32), 16],
    ['all zero, any length', '000', 8],
    ['an all-zero UUID', '00000000-0000-0000-0000-000000000000', 16],
    ['all-zero base64', base64('00'.repeat(16)), 16],
    ['all-zero bytes', new Array(8).fill(0), 8],
    ['longer than 128 characters', 'x'.repeat(129), 16],
    ['with a space', 'a b', 16],
    ['with a no-break space', 'a\u00a0b', 16],
    ['with a line separator', 'a\u2028b', 16],
    ['with a slash', 'a/b', 16],
    ['with NUL', 'a\0b', 16],
    ['with a C1 control character', 'a\u0085b', 16],
    ['with an unpaired surrogate', 'a\ud800', 16],
    ['bytes of the wrong number', spanBytes, 16],
    ['bytes out of range', [256, 1, 2, 3, 4, 5, 6, 7], 8],
    ['fractional bytes', [0.5, 1, 2, 3, 4, 5, 6, 7], 8],
    ['bytes as text', ['1', '2', '3', '4', '5', '6', '7', '8'], 8],
    ['a Buffer without data', { type: 'Buffer', data: null }, 8],
    ['an object that shadows toString', { toString: 1 }, 8],
  ])('a value that is %s is no id', (_, sent, size) => {
    expect(readId(sent, size)).toBeNull();
  });

  it('reads 32 hex digits as hex even where they are also base64', () => {
    expect(readId('deadbeefdeadbeefdeadbeefdeadbeef', 16)).toBe('deadbeefdeadbeefdeadbeefdeadbeef');
    expect(readId('deadbeefdeadbeef', 8)).toBe('deadbeefdeadbeef');
  });
});

describe('any id', () => {
  const size = fc.constantFrom<IdBytes>(16, 8);
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).filter((list) => list.some((byte) => byte !== 0));

  it('reads the same from each spelling of its bytes', () => {
    fc.assert(
      fc.property(
        size.chain((count) => fc.tuple(fc.constant(count), bytes(count))),
        ([count, list]) => {
          const hex = Buffer.from(list).toString('hex');
          for (const sent of [hex, hex.toUpperCase(), Buffer.from(list).toString('base64'), [...list], Buffer.from(list).toJSON()])
            expect(readId(sent, count)).toBe(hex);
        },
      ),
    );
  });

  it('reads its own result unchanged, so a URL finds its record', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), size, (sent, count) => {
        const read = readId(sent, count);
        if (read !== null) expect(readId(read, count)).toBe(read);
      }),
    );
  });

  it('never throws, whatever JSON holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), size, (sent, count) => {
        readId(sent, count);
        readParentId(sent);
      }),
    );
  });
});

describe('a parent id', () => {
  test.each<[sent: unknown]>([
    [undefined],
    [null],
    [''],
    ['0'.repeat(16)],
    [new Array(8).fill(0)],
    [{ type: 'Buffer', data: new Array(8).fill(0) }],
  ])('%j means a root', (sent) => {
    expect(readParentId(sent)).toEqual({ id: null, isInvalid: false });
  });

  test.each<[sent: unknown]>([['a b'], [7], [true], [{ data: null }], [{ data: 0, a: 1 }], [{ toString: 1 }]])(
    '%j makes the span a root, with a warning',
    (sent) => {
      expect(readParentId(sent)).toEqual({ id: null, isInvalid: true });
    },
  );

  it('accepts the same forms', () => {
    expect(readParentId(spanHex.toUpperCase())).toEqual({ id: spanHex, isInvalid: false });
    expect(readParentId(base64(spanHex))).toEqual({ id: spanHex, isInvalid: false });
  });
});

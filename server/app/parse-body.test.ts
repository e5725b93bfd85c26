/** How JSON bodies are parsed, and why they are refused. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { bodyLimitOf, bodyLimits } from '../../shared/contract/core/body-limit.ts';
import { Failure } from './fail.ts';
import { parseBody } from './parse-body.ts';

const most = bodyLimitOf({ permission: 'score.write', bodyMax: bodyLimits.maximum });
const parse = (body: string | Uint8Array, limit = most) => parseBody({ bytes: Buffer.from(body as string), gzip: false }, limit);
const parseGzipped = (body: string | Uint8Array, limit = most) => parseBody({ bytes: gzipSync(body), gzip: true }, limit);

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return 'read';
}

describe('a JSON body', () => {
  test.each<[body: string, value: unknown]>([
    ['', {}],
    ['null', {}],
    ['{"a":[1,null]}', { a: [1, null] }],
    ['[1]', [1]],
    ['"text"', 'text'],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
  ])('%j is read', (body, value) => {
    expect(parse(body)).toEqual(value);
    expect(parseGzipped(body)).toEqual(value);
  });

  it.each([
    ['cut short', '{"a":'],
    ['with more behind it', '{} {}'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['nested past the limit', '['.repeat(5000)],
    ['with a million keys', `{${'"k":1,'.repeat(1_000_000)}"k":1}`],
  ])('%s is invalid_request_body', (_, body) => {
    expect(codeOf(() => parse(body))).toBe('invalid_request_body');
  });

  it('keeps __proto__ as a name, and pollutes nothing', () => {
    const body = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object;
    expect(Object.keys(body)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('may inflate to what its route takes and not to a byte more', () => {
    const sized = (size: number) => `"${'x'.repeat(size - 2)}"`;
    expect(codeOf(() => parseGzipped(sized(most.bytes)))).toBe('read');
    expect(codeOf(() => parseGzipped(sized(most.bytes + 1)))).toBe('payload_too_large');
  });

  it.each<[form: string, item: string, perItem: number]>([
    ['numbers', '0', 1],
    ['texts', '""', 1],
    ['objects', '{}', 2],
    ['objects with a key', '{"a":0}', 3],
  ])('may hold as many %s as its route allows values and keys, and no more', (_, item, perItem) => {
    const usual = bodyLimitOf({ permission: 'trace.read' });
    // The list is a value too, and every item but the first follows a comma.
    const count = Math.floor(usual.values / perItem);
    const list = (items: number) => `[${Array(items).fill(item).join(',')}]`;
    expect(codeOf(() => parse(list(count), usual))).toBe('read');
    expect(codeOf(() => parse(list(count + 1), usual))).toBe('invalid_request_body');
  });
});

import { describe, expect, it, test } from 'vitest';
import type { RawValue } from '../otlp/raw-span.ts';
import { AttributeView, parseJson, plainValue } from './attributes.ts';
import { sample } from './summary/sample-span.ts';

describe('plain', () => {
  test.each<[RawValue, unknown]>([
    ['text', 'text'],
    [3, 3],
    [true, true],
    [null, null],
    [{ int: '9007199254740993' }, '9007199254740993'],
    [{ double: '3' }, 3],
    [{ double: '-0' }, -0],
    [{ double: 'NaN' }, Number.NaN],
    [{ double: '-Infinity' }, Number.NEGATIVE_INFINITY],
    [{ bytes: 'AAE=' }, 'AAE='],
    [
      [1, { double: '2' }, [null]],
      [1, 2, [null]],
    ],
  ])('%j becomes %j', (raw, value) => {
    expect(plainValue(raw)).toEqual(value);
  });

  it('makes maps objects without a prototype, the last of equal keys counting', () => {
    const value = plainValue({
      map: [
        ['a', 1],
        ['b', { map: [['c', 'x']] }],
        ['a', 2],
      ],
    }) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(JSON.parse(JSON.stringify(value))).toEqual({ a: 2, b: { c: 'x' } });
  });

  test.each(['__proto__', 'constructor', 'prototype'])('drops %s at every level', (key) => {
    const value = plainValue([
      {
        map: [
          [key, 1],
          ['in', { map: [[key, { map: [['polluted', 1]] }]] }],
        ],
      },
    ]);
    expect(JSON.stringify(value)).toBe('[{"in":{}}]');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('survives any depth', () => {
    let value: RawValue = 1;
    for (let depth = 0; depth < 50_000; depth++) value = [value];
    expect(() => plainValue(value)).not.toThrow();
  });
});

describe('parseJson', () => {
  it('is undefined for what is not JSON', () => {
    for (const text of ['', '{"cut":"in the mid', 'None', 'text']) expect(parseJson(text)).toBeUndefined();
  });

  it('is undefined for excessive nesting, and ignores brackets inside strings', () => {
    expect(parseJson(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toBeUndefined();
    expect(parseJson(`${'["]\\\\",'.repeat(5000)}1${']'.repeat(5000)}`)).toBeUndefined();
    expect(parseJson(JSON.stringify({ a: '['.repeat(5000), b: '\\"{'.repeat(5000) }))).toHaveProperty('a');
  });

  it('drops forbidden keys, also when they hide behind escapes', () => {
    expect(JSON.stringify(parseJson('{"__proto__":{"a":1},"b":{"constructor":1,"c":2}}'))).toBe('{"b":{"c":2}}');
    expect(JSON.stringify(parseJson('{"\\u005f_proto__":{"a":1},"b":2}'))).toBe('{"b":2}');
    expect(parseJson('{"text":"caf\\u00e9 __proto__"}')).toEqual({ text: 'café __proto__' });
  });
});

describe('AttributeView', () => {
  const spanData = sample({
    resource: { a: 'resource', b: 'resource', 'service.name': 'shop' },
    scopeAttributes: { a: 'scope', b: 'scope' },
    attributes: { a: 'span', 'p.x': 1, 'p.y': '{"k":[1]}', 'p.cut': '{"k":', none: null },
    more: [['a', 'span again']],
  });
  const view = new AttributeView(spanData);

  it('overlays the resource by the scope and both by the span, the last duplicate counting', () => {
    expect(view.get('a')).toBe('span again');
    expect(view.get('b')).toBe('scope');
    expect(view.get('service.name')).toBe('shop');
    expect(view.get('nowhere')).toBeUndefined();
    expect(view.spanData).toBe(spanData);
  });

  it('gives text for every value', () => {
    expect(view.text('p.x')).toBe('1');
    expect(view.text('none')).toBe('');
    expect(view.text('nowhere')).toBe('');
    expect(new AttributeView(sample({ attributes: { m: { map: [['k', [1]]] } } })).text('m')).toBe('{"k":[1]}');
  });

  it('parses JSON text, and returns other text unchanged', () => {
    expect(view.json('p.y')).toEqual({ k: [1] });
    expect(view.json('p.cut')).toBe('{"k":');
    expect(view.json('p.x')).toBe(1);
    expect(view.json('nowhere')).toBeUndefined();
  });

  it('walks all keys, or those with a prefix', () => {
    expect([...view.withPrefix('p.')].map(([rest]) => rest)).toEqual(['x', 'y', 'cut']);
    expect([...view.entries()].map(([key]) => key)).toEqual(['a', 'b', 'service.name', 'p.x', 'p.y', 'p.cut', 'none']);
    expect(view.has('none')).toBe(true);
    expect(view.has('nowhere')).toBe(false);
  });
});

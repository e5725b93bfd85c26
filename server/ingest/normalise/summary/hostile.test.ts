import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { RawAttribute, RawValue } from '../../otlp/raw-span.ts';
import { explain, summarise } from './index.ts';
import { rankedSources } from './key-index.ts';
import { type Sample, sample } from './sample-span.ts';

const of = (fields: Sample) => summarise(sample(fields));

describe('invalid numbers', () => {
  test.each<[RawValue, number | null]>([
    [12, 12],
    ['12', 12],
    [' 12 ', 12],
    ['12.0', 12],
    [{ double: '12' }, 12],
    [0, 0],
    [-1, null],
    ['-1', null],
    [1.5, null],
    ['1.5', null],
    [{ double: 'NaN' }, null],
    [{ double: 'Infinity' }, null],
    [{ double: '-0' }, 0],
    [{ int: '9007199254740993' }, null],
    ['1e3', null],
    ['0x10', null],
    [true, null],
    [[5], null],
    [{ map: [] }, null],
    [{ bytes: 'AA==' }, null],
    ['many', null],
  ])('tokens %j count as %j', (value, tokens) => {
    const summary = of({ attributes: { 'gen_ai.usage.input_tokens': value } });
    expect(summary.usage.input_tokens).toBe(tokens);
    expect(summary.warnings).toHaveLength(tokens === null ? 1 : 0);
  });

  it('reads the next source when one is unusable', () => {
    expect(of({ attributes: { 'gen_ai.usage.input_tokens': -5, 'llm.token_count.prompt': 7 } }).usage.input_tokens).toBe(7);
  });

  test.each<[RawValue, number | null]>([
    ['0.002', 0.002],
    [{ double: '3' }, 3],
    ['1e-5', 0.00001],
    [-0.1, null],
    [{ double: 'NaN' }, null],
    ['free', null],
  ])('a cost of %j is %j', (value, cost) => {
    expect(of({ attributes: { 'gen_ai.usage.cost': value } }).reported_cost).toBe(cost);
  });
});

describe('values that are missing', () => {
  test.each<RawValue>(['', '   ', null, 'null'])('session %j does not count', (value) => {
    expect(of({ attributes: { 'session.id': value, 'gen_ai.conversation.id': 'next' } }).session_id).toBe('next');
  });

  it('truncates identifiers to 512 characters and trims them', () => {
    expect(of({ attributes: { 'session.id': `  ${'x'.repeat(600)}` } }).session_id).toBe('x'.repeat(512));
    expect(of({ attributes: { 'user.id': 42 } }).user_id).toBe('42');
  });

  it('prefers the span over scope and resource, and the last duplicate over the first', () => {
    const layered = { resource: { 'session.id': 'r', 'user.id': 'r' }, scopeAttributes: { 'session.id': 's', 'user.id': 's' } };
    expect(of({ ...layered, attributes: { 'session.id': 'a' } })).toMatchObject({ session_id: 'a', user_id: 's' });
    expect(of({ ...layered, attributes: { 'session.id': '' } }).session_id).toBe('');
    const twice = of({
      more: [
        ['user.id', 'first'],
        ['user.id', 'last'],
      ],
    });
    expect(twice.user_id).toBe('last');
  });

  it('reads the service from the resource only', () => {
    expect(of({ resource: { 'service.name': 'shop' }, attributes: { 'service.name': 'other' } }).service_name).toBe('shop');
    expect(of({}).service_name).toBe('');
  });
});

describe('metadata', () => {
  it('keeps an empty text, omits null, and writes the rest as text', () => {
    const attributes: Record<string, RawValue> = {
      'agentmark.metadata.empty': '',
      'agentmark.metadata.none': null,
      'agentmark.metadata.number': 3,
      'agentmark.metadata.double': { double: '3' },
      'agentmark.metadata.int': { int: '9007199254740993' },
      'agentmark.metadata.truth': false,
      'agentmark.metadata.list': [1, 'a', null],
      'agentmark.metadata.map': { map: [['a', { map: [['b', 1]] }]] },
    };
    expect({ ...of({ attributes }).metadata }).toEqual({
      empty: '',
      number: '3',
      double: '3',
      int: '9007199254740993',
      truth: 'false',
      list: '[1,"a",null]',
      map: '{"a":{"b":1}}',
    });
  });

  it("prefers AgentMark's over every other family's", () => {
    const attributes = {
      'agentmark.metadata.k': 'a',
      metadata: '{"k":"oi","l":"oi"}',
      'ai.telemetry.metadata.k': 'ai',
      'ai.telemetry.metadata.l': 'ai',
    };
    expect({ ...of({ attributes }).metadata }).toEqual({ k: 'a', l: 'oi' });
    const reversed = Object.fromEntries(Object.entries(attributes).reverse());
    expect({ ...of({ attributes: reversed }).metadata }).toEqual({ k: 'a', l: 'oi' });
  });

  test.each(['__proto__', 'constructor', 'prototype'])('drops the key %s at every level', (key) => {
    const attributes: RawAttribute[] = [
      [`agentmark.metadata.${key}`, 'x'],
      ['metadata', `{"${key}":{"polluted":1},"deep":{"${key}":{"polluted":1},"fine":1}}`],
      ['agentmark.metadata.map', { map: [[key, { map: [['polluted', true]] }]] }],
    ];
    const { metadata } = of({ more: attributes });
    expect(Object.getPrototypeOf(metadata)).toBeNull();
    expect({ ...metadata }).toEqual({ deep: '{"fine":1}', map: '{}' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('ignores JSON that is not an object', () => {
    for (const metadata of ['[1]', '"text"', '{broken', '12', 'null']) expect({ ...of({ attributes: { metadata } }).metadata }).toEqual({});
  });
});

describe('status', () => {
  it('uses the newest exception as the message of a failed span', () => {
    const events = [
      { name: 'exception', time_ns: '30', attributes: { 'exception.message': 'newest' } },
      { name: 'exception', time_ns: '9', attributes: { 'exception.message': 'older' } },
    ];
    expect(of({ status_code: 2, events }).status_message).toBe('newest');
    expect(of({ status_code: 2, status_message: 'said', events }).status_message).toBe('said');
    expect(of({ status_code: 0, events })).toMatchObject({ status: 'UNSET', status_message: '' });
  });

  it('falls back to the error attributes', () => {
    expect(of({ status_code: 2, attributes: { 'error.message': 'm', 'error.type': 't' } }).status_message).toBe('m');
    expect(of({ status_code: 2, attributes: { 'error.type': 't' } }).status_message).toBe('t');
    expect(of({ status_code: 2, events: [{ name: 'exception', attributes: { 'exception.type': 'E' } }] }).status_message).toBe('E');
    expect(of({ status_code: 2 }).status_message).toBe('');
  });
});

describe('clocks', () => {
  it('warns of a span that ends before it starts, or that starts before 2000', () => {
    expect(of({ start_ns: '1795226857000000000', end_ns: '1795226856999999999' }).warnings).toHaveLength(1);
    expect(of({ start_ns: '0', end_ns: '5' }).warnings).toHaveLength(1);
  });

  it('reads a span without an end as pending', () => {
    expect(of({ end_ns: '0' })).toMatchObject({ pending: true, placeholder: false, warnings: [] });
  });
});

const rawValue: fc.Arbitrary<RawValue> = fc.letrec<{ value: RawValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.json(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.record({ int: fc.bigInt().map(String) }),
    fc.record({ double: fc.constantFrom('NaN', 'Infinity', '-0', '3') }),
    fc.record({ bytes: fc.base64String() }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.record({ map: fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }) }),
  ) as fc.Arbitrary<RawValue>,
})).value;

describe('any value under any known key', () => {
  const keys = [
    ...new Set(rankedSources.flat().map(({ key }) => key)),
    'metadata.k',
    'agentmark.metadata.graph.node.parent_ids',
    'agentmark.tags',
  ];

  it('never throws, never changes its input, and gives the same result twice', () => {
    const attributes = fc.array(fc.tuple(fc.constantFrom(...keys), rawValue), { maxLength: 25 });
    const scope = fc.constantFrom(
      'ai',
      'litellm',
      'langsmith',
      'com.anthropic.claude_code.tracing',
      'pydantic-ai',
      'genkit-tracer',
      'default-tracer',
      '',
    );
    fc.assert(
      fc.property(attributes, scope, (more, scopeName) => {
        const span = sample({ more, scope: scopeName });
        const before = JSON.stringify(span);
        const summary = summarise(span);
        expect(JSON.stringify(span)).toBe(before);
        expect(summarise(span)).toEqual(summary);
        for (const count of Object.values(summary.usage)) expect(count === null || (Number.isInteger(count) && count >= 0)).toBe(true);
        for (const text of Object.values(summary.metadata)) expect(typeof text).toBe('string');
        for (const reason of Object.values(explain(span))) expect(typeof reason).toBe('string');
      }),
      { numRuns: 400 },
    );
  });

  it('is read when JSON is nested a hundred thousand levels deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect({ ...of({ attributes: { metadata: `{"a":${deep},"b":1}` } }).metadata }).toEqual({});
    for (const key of ['metadata', 'agentmark.tags', 'genkit:output', 'ai.response.providerMetadata', 'gen_ai.response.finish_reasons']) {
      expect(() => of({ attributes: { [key]: deep } })).not.toThrow();
    }
  });
});

/** What readers of the document trip over: it must say of a request what the server does with it, in words that do not contradict. */
import { describe, expect, it } from 'vitest';
import { bodyLimitOf } from '../../shared/contract/body-limit.ts';
import { codesOf } from './declared-answers.ts';
import { describeApi, everyRoute } from './openapi.ts';

interface Described {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; schema: Record<string, unknown> }[] }>>;
}

const operations = Object.values((describeApi() as Described).paths).flatMap((methods) => Object.values(methods));
const parameter = (id: string, name: string) =>
  operations.find(({ operationId }) => operationId === id)?.parameters?.find((each) => each.name === name)?.schema;

describe('a parameter of the document', () => {
  it('that is a number does not also say that it is a text', () => {
    const numbers = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ schema }) => String(schema['type']).includes('integer'));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(({ schema }) => 'anyOf' in schema)).toEqual([]);
  });

  it('has the bounds that the server holds it to', () => {
    expect(parameter('list-traces', 'offset')).toEqual({ type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31, default: 0 });
    expect(parameter('list-spans', 'min_duration')).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });
    expect(new RegExp(String(parameter('get-template', 'path')?.['pattern'])).test('a.txt')).toBe(false);
  });
});

it('a route says that its body may be packed wrongly if, and only if, it takes packed ones', () => {
  const wrong = everyRoute.filter(
    (route) => route.body && !route.takes && codesOf(route).includes('invalid_content_encoding') !== bodyLimitOf(route).gzip,
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

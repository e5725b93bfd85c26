/** Messages of the validation library never reach a user: every parameter and field of every route is tried with values of every kind. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Route } from '../../shared/contract/core/route.ts';
import { badDates, badLimits, badMoments } from '../fixtures/bad-values.ts';
import { Failure } from './fail.ts';
import { everyRoute } from './openapi.ts';
import { validate } from './validate.ts';

const zodMessage =
  /invalid (input|option|string|number|uuid|url|email|iso|date|discriminator|key in|value in)|too (big|small):|expected .*received|unrecognized key|undefined|\[object|^Required$/i;

const texts = [...badLimits(1000), ...badDates, ...badMoments, 'dsc', 'TRUE', '\ud800', 'x'.repeat(5000), '[]', '__proto__'];
const values = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  'x'.repeat(5000),
  '\ud800',
  [],
  [null],
  [{}],
  ['x'],
  {},
  { x: 1 },
  [[]],
  { or: [] },
];

type Def = {
  type?: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
};
const defOf = (schema: z.ZodType): Def => schema._zod.def as Def;

/** The object shape of a schema, without what is wrapped around it. */
function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (!schema) return {};
  const { shape, innerType, in: input, out, type } = defOf(schema);
  return shape ?? shapeOf(innerType ?? (type === 'pipe' ? (defOf(input as z.ZodType).type === 'transform' ? out : input) : undefined));
}

/** Bodies that are wrong in one place, at any depth. */
function* wrongIn(schema: z.ZodType, depth = 0): Generator<unknown> {
  yield* values;
  const { element, innerType } = defOf(schema);
  if (depth > 4) return;
  if (element) for (const wrong of wrongIn(element, depth + 1)) yield [wrong];
  if (innerType) yield* wrongIn(innerType, depth + 1);
  for (const [name, field] of Object.entries(shapeOf(schema))) for (const wrong of wrongIn(field, depth + 1)) yield { [name]: wrong };
}

/** Error messages for a value; none when it is accepted. */
function errorMessages(schema: z.ZodType, value: unknown, code: Parameters<typeof validate>[2]): string[] {
  try {
    validate(schema, value, code);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message, ...Object.values((error.extras['details'] as Record<string, string> | undefined) ?? {})];
  }
}

/** Messages that come from the library, each once. */
function libraryMessages(schema: z.ZodType | undefined, candidates: Iterable<unknown>, code: Parameters<typeof validate>[2]): string[] {
  if (!schema) return [];
  const all = new Set<string>();
  for (const value of candidates) for (const sentence of errorMessages(schema, value, code)) all.add(sentence);
  // The envelope's own names for a part of the request.
  return [...all].filter((sentence) => zodMessage.test(sentence.replace(/^Invalid (path|query) parameters$|^Invalid request body$/, '')));
}

const routeCases = everyRoute.map((route): [string, Route] => [`${route.method} ${route.path}`, route]);

describe.each(routeCases)('%s', (_, { query, params, body }) => {
  const parameterValues = (schema: z.ZodType | undefined) =>
    Object.keys(shapeOf(schema)).flatMap((name) => [...texts, ['a', 'b']].map((value) => ({ [name]: value })));

  it('has messages of its own', () => {
    expect(libraryMessages(query, [{}, ...parameterValues(query)], 'invalid_query_params')).toEqual([]);
    expect(libraryMessages(params, [{}, ...parameterValues(params)], 'invalid_path_params')).toEqual([]);
    expect(libraryMessages(body, body ? wrongIn(body) : [], 'invalid_request_body')).toEqual([]);
  });
});

it('reports a missing time as required, like any other field', () => {
  const missing = (id: string) => {
    const { query, body } = everyRoute.find((route) => route.id === id) as Route;
    return new Set(errorMessages((body ?? query) as z.ZodType, {}, 'invalid_request_body').slice(1));
  };
  for (const id of ['ingest-agent-session', 'get-metrics', 'create-score']) expect(missing(id), id).toEqual(new Set(['is required']));
});

it('covers queries and bodies', () => {
  const schemas = everyRoute.flatMap(({ query, body }) => [query, body]).filter((schema) => Object.keys(shapeOf(schema)).length > 0);
  expect(schemas.length).toBeGreaterThan(100);
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemsIn } from './issue-words.ts';

/** The messages for a refused value; empty for a valid one. */
function messagesFor(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error ? problemsIn(error).map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' ')) : [];
}

const fields = z.strictObject({ name: z.string(), operator: z.enum(['equals', 'contains']).optional() });
const alternatives = z.strictObject({ or: z.array(fields).min(1) });
const entries = z.array(z.union([fields, alternatives]));
const kinds = z.discriminatedUnion('kind', [z.object({ kind: z.literal('cat') }), z.object({ kind: z.literal('dog') })]);

type Code = z.core.$ZodIssue['code'];

const words: [Code, z.ZodType, unknown, string[]][] = [
  ['invalid_type', z.string(), undefined, ['is required']],
  ['invalid_type', z.string(), 5, ['must be a string, not a number']],
  ['invalid_type', z.int(), 1.5, ['must be a whole number, not 1.5']],
  ['invalid_type', z.number(), Number.NaN, ['must be a number, not NaN']],
  ['invalid_type', z.boolean(), 'yes', ['must be true or false, not a string']],
  ['invalid_type', z.object({ a: z.object({}) }), { a: [] }, ['a must be an object, not a list']],
  ['invalid_type', z.array(z.string()), null, ['must be a list, not null']],
  ['invalid_type', z.never(), 1, ['must be left out']],
  ['invalid_value', z.enum(['asc', 'desc']), 'dsc', ['must be one of asc, desc, not "dsc", did you mean desc?']],
  ['invalid_value', z.enum(['asc', 'desc']), 7, ['must be one of asc, desc, not a number']],
  ['invalid_value', z.enum(['asc', 'desc']), undefined, ['is required']],
  ['invalid_value', z.literal('x'), 'y'.repeat(60), [`must be x, not "${'y'.repeat(40)}…"`]],
  ['too_small', z.string().min(1), '', ['must not be empty']],
  ['too_small', z.string().min(12), 'x', ['must have at least 12 characters']],
  ['too_small', z.array(z.int()).min(2), [], ['must have at least 2 items']],
  ['too_small', z.number().min(1), 0, ['must be at least 1']],
  ['too_small', z.number().positive(), 0, ['must be more than 0']],
  ['too_big', z.string().max(1), 'ab', ['must have at most 1 character']],
  ['too_big', z.array(z.int()).length(1), [1, 2], ['must have exactly 1 item']],
  ['too_big', z.number().lt(5), 5, ['must be less than 5']],
  ['not_multiple_of', z.number().multipleOf(5), 7, ['must be a multiple of 5']],
  ['invalid_format', z.uuid(), 'x', ['must be a UUID']],
  ['invalid_format', z.url(), 'x', ['must be a URL']],
  ['invalid_format', z.email(), 'x', ['must be an e-mail address']],
  ['invalid_format', z.iso.datetime(), 'x', ['must be a date-time such as 2026-01-15T10:30:00.000Z']],
  ['invalid_format', z.string().startsWith('a'), 'x', ['must begin with a']],
  ['invalid_format', z.string().endsWith('a'), 'x', ['must end with a']],
  ['invalid_format', z.string().includes('a'), 'x', ['must contain a']],
  ['invalid_format', z.string().regex(/^a$/), 'x', ['must match /^a$/']],
  ['unrecognized_keys', fields, { name: 'a', opertor: 'x' }, ['has no field "opertor", did you mean operator?']],
  ['unrecognized_keys', fields, { name: 'a', x: 1, y: 2 }, ['has no field "x"; has no field "y"']],
  ['invalid_key', z.record(z.string().min(2), z.int()), { a: 1 }, ['a has a key that is not allowed']],
  ['invalid_element', z.map(z.object({}), z.int()), new Map([[{}, 'x']]), ['has an element that is not allowed']],
  ['invalid_union', z.union([z.string(), z.number()]), true, ['must be a string or a number']],
  ['invalid_union', z.union([z.string(), z.number()]), undefined, ['is required']],
  ['invalid_union', z.union([z.int(), z.string().regex(/^\d+$/, 'must be digits')]), 'abc', ['must be digits']],
  ['invalid_union', z.union([z.string(), z.int()], 'must be a name or its number'), true, ['must be a name or its number']],
  ['invalid_union', entries, [{ name: 'a', op: 'equals' }], ['0 has no field "op", did you mean operator?']],
  [
    'invalid_union',
    entries,
    [{ name: 'a', operator: 'equal' }],
    ['0.operator must be one of equals, contains, not "equal", did you mean equals?'],
  ],
  ['invalid_union', entries, [{}], ['0.name is required']],
  ['invalid_union', entries, [{ or: [] }], ['0.or must not be empty']],
  ['invalid_union', entries, [{ or: [{ name: 1 }] }], ['0.or.0.name must be a string, not a number']],
  ['invalid_union', entries, ['x'], ['0 must be an object']],
  ['invalid_union', kinds, { kind: 'dgo' }, ['kind must be one of cat, dog, not "dgo", did you mean dog?']],
  ['invalid_union', kinds, {}, ['kind is required']],
  ['custom', z.string().refine(() => false), 'x', ['is not valid here']],
  ['custom', z.string().refine(() => false, 'is not for you'), 'x', ['is not for you']],
];

it.each(words)('%s, case %#, has its message', (_, schema, value, expected) => expect(messagesFor(schema, value)).toEqual(expected));

describe('every issue code of zod', () => {
  const all: Record<Code, true> = {
    ...{ invalid_type: true, too_big: true, too_small: true, invalid_format: true, not_multiple_of: true, unrecognized_keys: true },
    ...{ invalid_union: true, invalid_key: true, invalid_element: true, invalid_value: true, custom: true },
  };

  it('has a case above', () => {
    const codes = words.flatMap(([, schema, value]) => schema.safeParse(value).error?.issues.map(({ code }) => code) ?? []);
    expect([...new Set(codes)].sort()).toEqual(Object.keys(all).sort());
  });
});

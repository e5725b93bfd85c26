/**
 * Query parameters arrive as text. These schemas define which text is valid and what it means;
 * out of range is an error, never silently corrected (docs/reference/http-api.md#paging).
 */
import { z } from 'zod';

const decimal = /^-?\d{1,15}$/;

/** A whole number in plain decimal: no plus sign, exponent, hex or empty text. */
const whole = z.union([z.int(), z.string().regex(decimal, 'must be a whole number').transform(Number)]);

/**
 * How the API document describes a value that arrives as text. Without it the document would keep the `anyOf` of a number or a string beside
 * the declared type, and hardly any value would satisfy both.
 */
export const describedAs = (schema: Record<string, unknown>) => ({
  override: ({ jsonSchema }: { jsonSchema: { anyOf?: unknown; enum?: unknown } }) => {
    delete jsonSchema.anyOf;
    delete jsonSchema.enum;
    Object.assign(jsonSchema, schema);
  },
});

const integer = (min: number, max: number) => whole.pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** `limit`, 1 to `max`. */
export const limit = (fallback: number, max: number) =>
  integer(1, max)
    .default(fallback)
    .meta(describedAs({ type: 'integer', minimum: 1, maximum: max, default: fallback }));

/** `offset`; absent, empty and the literal `null` mean 0. */
export const offset = z
  .preprocess((value) => (value === '' || value === 'null' || value === null ? 0 : value), integer(0, 2 ** 31).default(0))
  .meta(describedAs({ type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31, default: 0 }));

/** As many digits as `whole` reads. */
const millisecondsMax = 1e15 - 1;

/** A bound in whole milliseconds. */
export const milliseconds = integer(0, millisecondsMax).meta(describedAs({ type: 'integer', minimum: 0, maximum: millisecondsMax }));

/** Place in a list, as an earlier answer gave it. Only the store that made it can read it. */
export const cursor = z.string().regex(/^[\w-]{1,200}$/, 'must be a cursor from an earlier answer');

/** Free text that is safe to store and compare: no unpaired surrogates. */
export const text = z.string().refine((value) => value.isWellFormed(), 'contains an unpaired surrogate');

const epochMsMin = Date.UTC(1970, 0, 1);
const epochMsMax = Date.UTC(2200, 0, 1);
const inRange = (ms: number) => ms >= epochMsMin && ms <= epochMsMax;

/** `YYYY-MM-DD`, a day that exists between 1970 and 2200. Parsed to itself: the store decides which end of the day. */
export const date = z.iso.date().refine((value) => inRange(Date.parse(`${value}T00:00:00.000Z`)), 'must lie between 1970 and 2200');

/** RFC 3339 date-time with `Z` or an offset, in capitals or small letters, between 1970 and 2200. A bare date is refused. */
export const dateTime = z
  .string()
  .toUpperCase()
  .datetime({ offset: true })
  .refine((value) => inRange(Date.parse(value)), 'must lie between 1970 and 2200')
  .meta({ override: { type: 'string', format: 'date-time' } });

/** Adds the rule that a range must not end before it starts. */
export const ordered = <T extends z.ZodType<{ start_date?: string | undefined; end_date?: string | undefined }>>(query: T) =>
  query.refine(({ start_date, end_date }) => !start_date || !end_date || Date.parse(start_date) <= Date.parse(end_date), {
    error: 'must not be before start_date',
    path: ['end_date'],
  });

/** Ids in one parameter, separated by commas. */
export const idList = (max: number, of: 'span' | 'trace') =>
  z
    .string()
    .min(1)
    .transform((list) => list.split(','))
    .refine((list) => list.length <= max, `at most ${max} ids`)
    .meta({ override: { type: 'string', description: `Comma-separated list of at most ${max} ${of} ids.` } });

export const sortOrder = z.enum(['asc', 'desc']);

/** The page of most lists, to be spread into a query. */
export const paging = { limit: limit(50, 1000), offset };

/** Exactly `true` or `false`: truthiness would take "false" for yes. */
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')
  .meta(describedAs({ type: 'boolean', default: false }));

/** Text of a bounded length, counted after U+0000 was dropped. */
export const bounded = (min: number, max: number) =>
  z.preprocess(
    (value: string) => (typeof value === 'string' ? value.replaceAll('\0', '') : value),
    text.min(min, min === 1 ? 'must not be empty' : `must not be shorter than ${min}`).max(max, `must not be longer than ${max}`),
  );

/** Text that is sent in a request header as it is: visible ASCII, no blanks. */
export const headerText = (min: number, max: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`), `must be ${min} to ${max} visible ASCII characters, without blanks`);

/** An object with a maximum size as JSON, so that lists of such records fit into memory. */
export const objectUpToKiB = (kilobytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine((value) => JSON.stringify(value).length <= kilobytes * 1024, `must not be larger than ${kilobytes} KiB as JSON`);

/** Coding agents trace their own runtime as well; lists leave such traces out unless they are asked for. */
export const bookkeeping = z
  .enum(['include', 'exclude'])
  .optional()
  .meta({ description: "Whether to list traces of a coding agent's own runtime, such as reading its settings. Left out by default." });

import { z } from 'zod';

export const totalIsLowerBound = z
  .literal(true)
  .optional()
  .meta({ description: 'There may be more than `total`: counting all rows with this content would have taken too long.' });

export const pagination = z
  .object({ limit: z.int(), offset: z.int(), total: z.int(), total_is_lower_bound: totalIsLowerBound })
  .meta({ id: 'Pagination', description: '`total` counts every row that matches, before the page is cut.' });

/** One record: `{data}`. */
export const one = <T extends z.ZodType>(data: T) => z.object({ data });

/** A page of records: `{data, pagination}`. */
export const many = <T extends z.ZodType>(data: T) => z.object({ data: z.array(data), pagination });

/** A list that is never paged: `{data}`. */
export const all = <T extends z.ZodType>(data: T) => z.object({ data: z.array(data) });

/** The reply of a 204: no body at all. */
export const nothing = z.undefined();

/**
 * Any JSON value. A body is parsed as JSON before it is validated, so a value in it can only be missing. `z.json()` would be a schema that
 * refers to itself, from which client generators make types that do not compile.
 */
export const json = z.unknown().refine((value) => value !== undefined, 'is required');

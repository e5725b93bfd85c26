/** Schemas of search parameters. URLs are typed by hand, shared and outlive versions: only the invalid parameter is dropped. */
import { z } from 'zod';

export const urlText = z.string().trim().min(1).max(1000).optional().catch(undefined);
export const urlTexts = z
  .union([
    z
      .string()
      .min(1)
      .transform((value) => [value]),
    z.array(z.string().min(1)).nonempty(),
  ])
  .optional()
  .catch(undefined);
export const urlPage = z.coerce.number().int().min(2).max(1_000_000).optional().catch(undefined);
export const urlNumber = (min: number) => z.coerce.number().int().min(min).max(100_000).optional().catch(undefined);
/** Milliseconds since the epoch. */
export const urlMoment = z.coerce.number().int().min(0).max(8e15).optional().catch(undefined);
/** As long as the gateway takes. */
export const urlFilter = z.string().trim().min(1).max(32_768).optional().catch(undefined);
export const urlDate = z.iso.date().optional().catch(undefined);
/** A range in milliseconds, `12.5-380`. */
export const urlRange = z
  .string()
  .regex(/^\d+(\.\d+)?-\d+(\.\d+)?$/)
  .optional()
  .catch(undefined);
export const urlOneOf = <const T extends readonly string[]>(options: T) => z.enum(options).optional().catch(undefined);

/** Reads search parameters without empty ones, so that equal views have equal URLs. */
export function readUrl<T extends z.ZodType<object>>(shape: T, search: unknown): z.output<T> {
  const view = shape.parse(typeof search === 'object' && search !== null ? search : {});
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined)) as z.output<T>;
}

/**
 * Search parameters as validated by the screen's own schema. The router merges the result over the raw parameters, so invalid ones must be
 * removed explicitly.
 */
export const ownSearch =
  <S, V extends object>(read: (search: S) => V) =>
  (search: S): V => ({
    ...Object.fromEntries(Object.keys(search ?? {}).map((key) => [key, undefined])),
    ...read(search),
  });

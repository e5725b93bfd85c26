import type { RawValue } from '../../otlp/raw-span.ts';
import { textOf } from '../attributes.ts';

/** Converts single attribute values to text, token counts or amounts. Undefined means that there is no usable value. */

/** Longer identifiers are truncated (docs/reference/ingest.md#text). */
const IDENTIFIER_CHARACTERS_MAX = 512;

const WHOLE_TEXT = /^\d{1,15}(?:\.0+)?$/;
const NUMBER_TEXT = /^\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

export function textValue(value: RawValue): string | undefined {
  const text = (typeof value === 'string' ? value : textOf(value)).trim();
  return text === '' ? undefined : text;
}

export function identifierValue(value: RawValue): string | undefined {
  return textValue(value)?.slice(0, IDENTIFIER_CHARACTERS_MAX).trim();
}

/** Tokens: whole and not negative, as a number or as text. Not rounded: a fraction of a token is an error. */
export function countValue(value: unknown): number | undefined {
  const number = numberOf(value, WHOLE_TEXT);
  // `+ 0` turns the -0 that a double can carry into 0.
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number + 0 : undefined;
}

/** Money or time: finite and not negative. */
export function amountValue(value: unknown): number | undefined {
  const number = numberOf(value, NUMBER_TEXT);
  return number !== undefined && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function numberOf(value: unknown, pattern: RegExp): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return pattern.test(value.trim()) ? Number(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('double' in value) return Number(value.double);
  if ('int' in value) return Number(value.int);
  return undefined;
}

/** A time as milliseconds since the epoch, from ISO text, which may be quoted as JSON (Langfuse). */
export function timeValue(value: RawValue): number | undefined {
  if (typeof value !== 'string') return undefined;
  const milliseconds = Date.parse(value.startsWith('"') ? value.slice(1, -1) : value);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Milliseconds from the start of a span to a time; exact enough for display (a double holds the epoch to about 0.2 µs in ms). */
export function millisecondsSince(startNs: string, timeMs: number): number {
  return timeMs - nanosecondsToMilliseconds(startNs);
}

function nanosecondsToMilliseconds(nanoseconds: string): number {
  return Number(nanoseconds) / 1e6;
}

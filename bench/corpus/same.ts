/** When two values count as the same. Every tolerance has a comment with its reason; there are no others. */
import { createHash } from 'node:crypto';
import type { LongText, Text } from './expectation.ts';

const isLongText = (value: unknown): value is LongText => typeof value === 'object' && value !== null && '$text' in value;

export function sameText(expected: Text, got: unknown): boolean {
  if (typeof got !== 'string') return false;
  if (!isLongText(expected)) return expected === got;
  const { chars, utf8_bytes, sha256 } = expected.$text;
  const bytes = Buffer.from(got);
  return [...got].length === chars && bytes.length === utf8_bytes && createHash('sha256').update(bytes).digest('hex') === sha256;
}

/** Deep equality. A described long text equals the text that it describes, at any depth. */
export function sameValue(expected: unknown, got: unknown): boolean {
  if (typeof expected === 'string' || isLongText(expected)) return sameText(expected, got);
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, got);
  if (typeof got !== 'object' || got === null || Array.isArray(expected) !== Array.isArray(got)) return false;
  const keys = Object.keys(expected);
  if (keys.length !== Object.keys(got).length) return false;
  return keys.every((key) => sameValue((expected as Record<string, unknown>)[key], (got as Record<string, unknown>)[key]));
}

/** The gateway keeps structured payloads as JSON text, so the text of an equal value is the value. */
export function sameJson(expected: unknown, got: unknown): boolean {
  if (sameValue(expected, got)) return true;
  return typeof got === 'string' && typeof expected !== 'undefined' && parses(got) && sameValue(expected, JSON.parse(got));
}

/**
 * A payload that is text on the wire. Some senders quote a text (Traceloop, AgentMark) and some do not (Langfuse), and each formats JSON
 * in its own way: the text inside the quotes and the value of the JSON are compared.
 */
export function samePayload(expected: Text, got: unknown): boolean {
  if (sameText(expected, got)) return true;
  if (typeof expected !== 'string' || !parses(expected)) return false;
  const value: unknown = JSON.parse(expected);
  return typeof value === 'string' ? value === got : sameJson(value, got);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Tolerates rounding of doubles: a nanosecond in a millisecond, a picodollar in a dollar. */
export function sameNumber(expected: number, got: unknown, tolerance = 1e-6): boolean {
  return typeof got === 'number' && Math.abs(expected - got) <= tolerance;
}

/** Compares as texts in any order. */
export function sameSet(expected: readonly unknown[], got: readonly unknown[]): boolean {
  return JSON.stringify(expected.map(String).sort()) === JSON.stringify(got.map(String).sort());
}

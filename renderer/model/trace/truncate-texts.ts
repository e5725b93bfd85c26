/** A response of the gateway with very long texts truncated, so that it fits into the page; the truncated paths are listed. */
import type { JsonPath } from '../text/json-tree.ts';

export interface TruncatedText {
  path: JsonPath;
  /** Characters of the full text. */
  size: number;
}

export interface Truncated<T> {
  value: T;
  cuts: TruncatedText[];
}

const headChars = 4000;

/** Truncates texts of more than `textMax` characters. */
export function truncateTexts<T>(value: T, textMax: number): Truncated<T> {
  const cuts: TruncatedText[] = [];
  const truncate = (current: unknown, path: JsonPath): unknown => {
    if (typeof current === 'string') {
      if (current.length <= textMax) return current;
      cuts.push({ path, size: current.length });
      return `${current.slice(0, headChars).toWellFormed()}…`;
    }
    if (Array.isArray(current)) return current.map((item, i) => truncate(item, [...path, i]));
    if (typeof current !== 'object' || current === null) return current;
    return Object.fromEntries(Object.entries(current).map(([key, item]) => [key, truncate(item, [...path, key])]));
  };
  return { value: truncate(value, []) as T, cuts };
}

export const at = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined),
    value,
  );

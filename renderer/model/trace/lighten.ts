/** Answer of the gateway with very long texts truncated, so that the page can hold it; the truncated paths are listed. */
import type { JsonPath } from '../text/json-tree.ts';

export interface Cut {
  path: JsonPath;
  /** Characters of the whole text. */
  size: number;
}

export interface Light<T> {
  value: T;
  cuts: Cut[];
}

const headChars = 4000;

/** Texts of more than `textMax` characters keep their beginning. */
export function lighten<T>(value: T, textMax: number): Light<T> {
  const cuts: Cut[] = [];
  const light = (each: unknown, path: JsonPath): unknown => {
    if (typeof each === 'string') {
      if (each.length <= textMax) return each;
      cuts.push({ path, size: each.length });
      return `${each.slice(0, headChars).toWellFormed()}…`;
    }
    if (Array.isArray(each)) return each.map((item, i) => light(item, [...path, i]));
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, light(item, [...path, key])]));
  };
  return { value: light(value, []) as T, cuts };
}

export const at = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined),
    value,
  );

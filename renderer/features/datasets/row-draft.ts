/** Parses the form fields of a dataset row. */
import type { DatasetRow } from '../../../shared/contract/projects/datasets.ts';

type Json = DatasetRow['input'];

/** The parsed value if the text is JSON, otherwise the text itself. */
export function readValue(typed: string): Json {
  try {
    return JSON.parse(typed) as Json;
  } catch {
    return typed;
  }
}

/** A value as it is typed: texts as they are, unless they would be read as another value. */
export const written = (value: Json): string =>
  typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value, null, 2);

/** Parses a JSON object; an empty text is an empty object. */
export function readMetadata(typed: string): { value: Record<string, Json>; problem?: string } {
  if (typed.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(typed);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as Record<string, Json> };
  } catch {
    // Reported below.
  }
  return { value: {}, problem: 'Must be a JSON object, such as {"source": "support"}' };
}

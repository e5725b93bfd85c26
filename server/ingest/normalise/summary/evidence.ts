import type { RawValue, SentSpan } from '../../otlp/raw-span.ts';
import type { AmountField, CountField, Field, Sign, TextField } from './fields.ts';

/** What a span says, asked field by field. Every answer comes from the first source of the field's table that has one. */
export interface Evidence {
  readonly sent: SentSpan;
  /** '' when no source has one. */
  text(field: TextField | Sign): string;
  number(field: CountField | AmountField): number | null;
  /** The attribute that answered `text` or `number`; '' before the question or without an answer. */
  winner(field: Field): string;
  /** JSON text or a structured value as plain values; undefined when it is neither. Parsed once per span. */
  json(value: RawValue): unknown;
  /** Notes why a field that no single attribute gives has its value. */
  because(field: string, reason: string): void;
  /** Records something that was adjusted or ignored, in words for a developer. */
  warn(text: string): void;
}

/** What one attribute says about one field, or undefined when it says nothing usable. */
export type Reader = (value: RawValue, evidence: Evidence) => string | number | undefined;

/** An attribute that answers a field: by its plain value, or through a reader of its own. */
export type Source = string | { key: string; read: Reader };

export function from(key: string, read: Reader): Source {
  return { key, read };
}

/** Reads what lies inside a JSON attribute. A text without `hint` is not parsed: such attributes can be megabytes. */
export function inside(key: string, hint: string, read: (json: Record<string, unknown>) => unknown): Source {
  return {
    key,
    read: (value, evidence) => {
      if (typeof value === 'string' && !value.includes(hint)) return undefined;
      const json = evidence.json(value);
      const found = isRecord(json) ? read(json) : undefined;
      return typeof found === 'string' || typeof found === 'number' ? found : undefined;
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a path of keys, undefined as soon as one is missing. */
export function dig(value: unknown, ...path: string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

import type { RawValue, SpanData } from '../../otlp/raw-span.ts';
import type { AmountField, CountField, Field, Indicator, TextField } from './fields.ts';

/** Resolves the fields of a span. Each value comes from the first source in the field's table that has one. */
export interface FieldResolver {
  readonly spanData: SpanData;
  /** '' when no source has one. */
  text(field: TextField | Indicator): string;
  number(field: CountField | AmountField): number | null;
  /** The attribute that gave the value of `text` or `number`; '' without a value, or before the field was resolved. */
  sourceOf(field: Field): string;
  /** JSON text or a structured value as plain values; undefined when it is neither. Parsed once per span. */
  json(value: RawValue): unknown;
  /** Notes the source of a field whose value does not come from a single attribute. */
  noteSource(field: string, reason: string): void;
  /** Records an adjusted or ignored value, as a message for developers. */
  warn(text: string): void;
}

/** Reads the value of a field from an attribute. Undefined when it has no usable value. */
export type Reader = (value: RawValue, resolver: FieldResolver) => string | number | undefined;

/** An attribute with the value of a field: the plain value, or read by a reader. */
export type Source = string | { key: string; read: Reader };

export function from(key: string, read: Reader): Source {
  return { key, read };
}

/** Reads a value in a JSON attribute. Text without `hint` is not parsed, because such attributes can be megabytes. */
export function fromJson(key: string, hint: string, read: (json: Record<string, unknown>) => unknown): Source {
  return {
    key,
    read: (value, resolver) => {
      if (typeof value === 'string' && !value.includes(hint)) return undefined;
      const json = resolver.json(value);
      const found = isRecord(json) ? read(json) : undefined;
      return typeof found === 'string' || typeof found === 'number' ? found : undefined;
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a path of keys, undefined as soon as one is missing. */
export function valueAt(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

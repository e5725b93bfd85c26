import type { RawValue, SpanData } from '../../otlp/raw-span.ts';
import { parseJson, plainValue } from '../attributes.ts';
import type { FieldResolver } from './field-resolver.ts';
import { type AmountField, amountFields, type CountField, countFields, type Field, type Indicator, type TextField } from './fields.ts';
import { fieldNumbers, type RankedSource } from './key-index.ts';
import type { MetadataTarget } from './metadata-sources.ts';
import { amountValue, countValue, textValue } from './values.ts';

/** One metadata entry of a span as sent; `metadataFamilies` defines the rank. */
export interface MetadataEntry {
  target: MetadataTarget;
  value: RawValue;
}

/** Texts of absent values by LiteLLM, which writes every value as text. */
const ABSENT_TEXTS = new Set(['None', 'null', 'Unknown', 'none', 'undefined']);

const counts = new Set<Field>(countFields);
const amounts = new Set<Field>(amountFields);

/** Resolves the fields of a span, however its attributes are held. A field is resolved, and JSON parsed, on request. */
export abstract class SpanFieldResolver implements FieldResolver {
  readonly spanData: SpanData;
  readonly metadata: MetadataEntry[] = [];
  readonly tags: RawValue[] = [];
  readonly warnings: string[] = [];
  /** Resolved fields by number, and the key that each value came from. */
  readonly #resolved: number[] = [];
  readonly #sourceKeys: string[] = [];
  readonly #isStringified: boolean;
  readonly #notes: Map<string, string> | null;
  #parsed: [RawValue, unknown][] | null = null;

  /** @param notes collects sources that are not attributes, for `explain`; null to discard them */
  constructor(spanData: SpanData, notes: Map<string, string> | null) {
    this.spanData = spanData;
    this.#notes = notes;
    this.#isStringified = spanData.scope.name.includes('litellm');
  }

  /** The value of a field from the first of its sources that has a usable one, by `read`. */
  protected abstract resolve(field: Field, number: number): string | number | undefined;

  text(field: TextField | Indicator): string {
    return (this.resolve(field, fieldNumbers[field]) as string | undefined) ?? '';
  }

  number(field: CountField | AmountField): number | null {
    return (this.resolve(field, fieldNumbers[field]) as number | undefined) ?? null;
  }

  sourceOf(field: Field): string {
    return this.#sourceKeys[this.#resolved.indexOf(fieldNumbers[field])] ?? '';
  }

  noteSource(field: string, reason: string): void {
    this.#notes?.set(field, reason);
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  /** Null, or the text that this sender writes for an absent value. */
  isAbsent(value: RawValue): boolean {
    return value === null || (this.#isStringified && ABSENT_TEXTS.has(value as string));
  }

  json(value: RawValue): unknown {
    const cached = this.#parsed?.find(([parsed]) => parsed === value);
    if (cached !== undefined) return cached[1];
    const result = typeof value === 'string' ? parseJson(value) : plainValue(value);
    this.#parsed ??= [];
    this.#parsed.push([value, result]);
    return result;
  }

  /** The value of a field from one source; undefined when it is not usable. */
  protected read(
    field: Field,
    number: number,
    { key, read }: Pick<RankedSource, 'key' | 'read'>,
    value: RawValue,
  ): string | number | undefined {
    const result = read === null ? this.#readPlain(field, key, value) : read(value, this);
    if (result === undefined || this.isAbsent(result)) return undefined;
    if (!this.#resolved.includes(number)) {
      this.#resolved.push(number);
      this.#sourceKeys.push(key);
    }
    return result;
  }

  #readPlain(field: Field, key: string, value: RawValue): string | number | undefined {
    const isCount = counts.has(field);
    if (!isCount && !amounts.has(field)) return textValue(value);
    const result = isCount ? countValue(value) : amountValue(value);
    if (result === undefined && !this.isAbsent(value)) {
      this.warn(`${key} is not ${isCount ? 'a whole number of tokens' : 'a number of zero or more'}: ignored.`);
    }
    return result;
  }
}

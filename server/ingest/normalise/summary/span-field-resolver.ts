import type { RawAttribute, RawValue, SpanData } from '../../otlp/raw-span.ts';
import { parseJson, plainValue } from '../attributes.ts';
import { isClaudeCode } from './families/claude-code.ts';
import type { FieldResolver } from './field-resolver.ts';
import { type AmountField, amountFields, type CountField, countFields, type Field, type Indicator, type TextField } from './fields.ts';
import { fieldCount, fieldNumbers, keyCount, planFor, rankedSources } from './key-index.ts';
import { claudeTargetOf, type MetadataTarget } from './metadata-sources.ts';
import { amountValue, countValue, textValue } from './values.ts';

/** One metadata entry of a span as sent; `metadataFamilies` defines the rank. */
export interface MetadataEntry {
  target: MetadataTarget;
  value: RawValue;
}

/** Events whose attributes are read like those of their span: details of a model call, from the span or from a log record. */
const DETAIL_EVENTS = new Set(['gen_ai.client.inference.operation.details', 'claude_code.api_request']);

/** Texts of absent values by LiteLLM, which writes every value as text. */
const ABSENT_TEXTS = new Set(['None', 'null', 'Unknown', 'none', 'undefined']);

const counts = new Set<Field>(countFields);
const amounts = new Set<Field>(amountFields);

/**
 * Reads the attributes of a span in one pass, which only records the available sources of each field (a bit each) and their values.
 * A field is resolved, and JSON parsed, on request.
 */
export class SpanFieldResolver implements FieldResolver {
  readonly spanData: SpanData;
  readonly metadata: MetadataEntry[] = [];
  readonly tags: RawValue[] = [];
  readonly warnings: string[] = [];
  readonly #masks: number[] = new Array<number>(fieldCount).fill(0);
  readonly #values: (RawValue | undefined)[] = new Array<RawValue | undefined>(keyCount);
  readonly #sources: (string | undefined)[] = new Array<string | undefined>(fieldCount);
  readonly #isClaudeCode: boolean;
  readonly #isStringified: boolean;
  readonly #notes: Map<string, string> | null;
  #parsed: [RawValue, unknown][] | null = null;

  /** @param notes collects sources that are not attributes, for `explain`; null to discard them */
  constructor(spanData: SpanData, notes: Map<string, string> | null) {
    this.spanData = spanData;
    this.#notes = notes;
    this.#isClaudeCode = isClaudeCode(spanData);
    this.#isStringified = spanData.scope.name.includes('litellm');
    // In increasing precedence: operation details in events, resource, scope, span.
    const events = spanData.span.name === 'claude_code.interaction' ? [] : spanData.span.events;
    for (const event of events) if (DETAIL_EVENTS.has(event.name)) this.#collect(event.attributes, false);
    this.#collect(spanData.resource.attributes, false);
    this.#collect(spanData.scope.attributes, false);
    this.#collect(spanData.span.attributes, this.#isClaudeCode);
  }

  #collect(attributes: RawAttribute[], claude: boolean): void {
    for (let index = 0; index < attributes.length; index++) {
      const attribute = attributes[index] as RawAttribute;
      const value = attribute[1];
      const plan = planFor(attribute[0]);
      if (plan.id >= 0) {
        // An empty value counts as absent, and overrides the value of the same key in the scope or resource.
        this.#values[plan.id] = value === null || value === '' ? undefined : value;
        for (let use = 0; use < plan.uses.length; use++) {
          const { field, bit } = plan.uses[use] as { field: number; bit: number };
          (this.#masks[field] as number) |= bit;
        }
        if (plan.tags) this.tags.push(value);
      }
      if (plan.metadata !== null) this.metadata.push({ target: plan.metadata, value });
      else if (claude && plan.id < 0) this.#addClaudeMetadata(attribute[0], value);
    }
  }

  #addClaudeMetadata(key: string, value: RawValue): void {
    const target = claudeTargetOf(key);
    if (target !== null) this.metadata.push({ target, value });
  }

  text(field: TextField | Indicator): string {
    const number = fieldNumbers[field];
    return this.#masks[number] === 0 ? '' : ((this.#resolve(field, number) as string | undefined) ?? '');
  }

  number(field: CountField | AmountField): number | null {
    const number = fieldNumbers[field];
    return this.#masks[number] === 0 ? null : ((this.#resolve(field, number) as number | undefined) ?? null);
  }

  sourceOf(field: Field): string {
    return this.#sources[fieldNumbers[field]] ?? '';
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

  #resolve(field: Field, number: number): string | number | undefined {
    const ranked = rankedSources[number] ?? [];
    let mask = this.#masks[number] ?? 0;
    while (mask !== 0) {
      const bit = mask & -mask;
      const source = ranked[31 - Math.clz32(bit)];
      const value = source === undefined ? undefined : this.#values[source.id];
      if (source !== undefined && value !== undefined) {
        const result = source.read === null ? this.#readPlain(field, source.key, value) : source.read(value, this);
        if (result !== undefined && !this.isAbsent(result)) {
          this.#sources[number] = source.key;
          return result;
        }
      }
      mask ^= bit;
    }
    return undefined;
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

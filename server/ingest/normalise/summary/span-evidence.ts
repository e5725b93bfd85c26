import type { RawAttribute, RawValue, SentSpan } from '../../otlp/raw-span.ts';
import { parseJson, plain } from '../attributes.ts';
import type { Evidence } from './evidence.ts';
import { isClaudeCode } from './families/claude-code.ts';
import { type AmountField, amountFields, type CountField, countFields, type Field, type Sign, type TextField } from './fields.ts';
import { fieldCount, fieldNumbers, keyCount, planFor, rankedSources } from './key-index.ts';
import { claudePlaceOf, type MetadataPlace } from './metadata-sources.ts';
import { amountValue, countValue, textValue } from './values.ts';

/** One entry of a span's metadata as it was sent; see `metadataFamilies` for the meaning of the rank. */
export interface MetadataEntry {
  place: MetadataPlace;
  value: RawValue;
}

/** Events that say of their span what attributes would: the details of a model call, on the span or in a log record. */
const DETAIL_EVENTS = new Set(['gen_ai.client.inference.operation.details', 'claude_code.api_request']);

/** What LiteLLM writes for a value it does not have: it stringifies everything. */
const STRINGIFIED_NOTHING = new Set(['None', 'null', 'Unknown', 'none', 'undefined']);

const counts = new Set<Field>(countFields);
const amounts = new Set<Field>(amountFields);

/**
 * A span's attributes walked once. The walk only notes which sources of which field are there (a bit each) and keeps their values;
 * a field is read, and JSON parsed, when it is asked for.
 */
export class SpanEvidence implements Evidence {
  readonly sent: SentSpan;
  readonly metadata: MetadataEntry[] = [];
  readonly tags: RawValue[] = [];
  readonly warnings: string[] = [];
  readonly #masks: number[] = new Array<number>(fieldCount).fill(0);
  readonly #values: (RawValue | undefined)[] = new Array<RawValue | undefined>(keyCount);
  readonly #winners: (string | undefined)[] = new Array<string | undefined>(fieldCount);
  readonly #claude: boolean;
  readonly #stringified: boolean;
  readonly #notes: Map<string, string> | null;
  #parsed: [RawValue, unknown][] | null = null;

  /** With `notes`, reasons that are rules rather than attributes are kept for `explain`. */
  constructor(sent: SentSpan, notes: Map<string, string> | null) {
    this.sent = sent;
    this.#notes = notes;
    this.#claude = isClaudeCode(sent);
    this.#stringified = sent.scope.name.includes('litellm');
    // Resource < scope < span; an operation's details may also come as an event, and count least.
    const details = sent.span.name === 'claude_code.interaction' ? [] : sent.span.events;
    for (const event of details) if (DETAIL_EVENTS.has(event.name)) this.#walk(event.attributes, false);
    this.#walk(sent.resource.attributes, false);
    this.#walk(sent.scope.attributes, false);
    this.#walk(sent.span.attributes, this.#claude);
  }

  #walk(attributes: RawAttribute[], claude: boolean): void {
    for (let index = 0; index < attributes.length; index++) {
      const attribute = attributes[index] as RawAttribute;
      const value = attribute[1];
      const plan = planFor(attribute[0]);
      if (plan.id >= 0) {
        // An empty value says nothing, and takes back what the same key said further out.
        this.#values[plan.id] = value === null || value === '' ? undefined : value;
        for (let use = 0; use < plan.uses.length; use++) {
          const { field, bit } = plan.uses[use] as { field: number; bit: number };
          (this.#masks[field] as number) |= bit;
        }
        if (plan.tags) this.tags.push(value);
      }
      if (plan.metadata !== null) this.metadata.push({ place: plan.metadata, value });
      else if (claude && plan.id < 0) this.#addClaudeMetadata(attribute[0], value);
    }
  }

  #addClaudeMetadata(key: string, value: RawValue): void {
    const place = claudePlaceOf(key);
    if (place !== null) this.metadata.push({ place, value });
  }

  text(field: TextField | Sign): string {
    const number = fieldNumbers[field];
    return this.#masks[number] === 0 ? '' : ((this.#resolve(field, number) as string | undefined) ?? '');
  }

  number(field: CountField | AmountField): number | null {
    const number = fieldNumbers[field];
    return this.#masks[number] === 0 ? null : ((this.#resolve(field, number) as number | undefined) ?? null);
  }

  winner(field: Field): string {
    return this.#winners[fieldNumbers[field]] ?? '';
  }

  because(field: string, reason: string): void {
    this.#notes?.set(field, reason);
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  /** Null, or a word that this sender writes for it. */
  isNothing(value: RawValue): boolean {
    return value === null || (this.#stringified && STRINGIFIED_NOTHING.has(value as string));
  }

  json(value: RawValue): unknown {
    const known = this.#parsed?.find(([parsed]) => parsed === value);
    if (known !== undefined) return known[1];
    const result = typeof value === 'string' ? parseJson(value) : plain(value);
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
        const answer = source.read === null ? this.#plainly(field, source.key, value) : source.read(value, this);
        if (answer !== undefined && !this.isNothing(answer)) {
          this.#winners[number] = source.key;
          return answer;
        }
      }
      mask ^= bit;
    }
    return undefined;
  }

  #plainly(field: Field, key: string, value: RawValue): string | number | undefined {
    const isCount = counts.has(field);
    if (!isCount && !amounts.has(field)) return textValue(value);
    const answer = isCount ? countValue(value) : amountValue(value);
    if (answer === undefined && !this.isNothing(value)) {
      this.warn(`${key} is not ${isCount ? 'a whole number of tokens' : 'a number of zero or more'}: ignored.`);
    }
    return answer;
  }
}

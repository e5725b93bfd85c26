import type { RawAttribute, RawValue, SpanData } from '../../otlp/raw-span.ts';
import { isClaudeCode } from './families/claude-code.ts';
import type { Field } from './fields.ts';
import { fieldCount, keyCount, planFor, rankedSources } from './key-index.ts';
import { claudeTargetOf } from './metadata-sources.ts';
import { SpanFieldResolver } from './span-field-resolver.ts';

/** Events whose attributes are read like those of their span: details of a model call, from the span or from a log record. */
export const DETAIL_EVENTS = new Set(['gen_ai.client.inference.operation.details', 'claude_code.api_request']);

/** Reads lists of attributes in one pass, which only records the available sources of each field (a bit each) and their values. */
export class ListFieldResolver extends SpanFieldResolver {
  /** Available sources, by the number of the field. */
  readonly masks: number[] = new Array<number>(fieldCount).fill(0);
  /** By the id of the key. */
  readonly values: (RawValue | undefined)[] = new Array<RawValue | undefined>(keyCount);

  constructor(spanData: SpanData, notes: Map<string, string> | null) {
    super(spanData, notes);
    // In increasing precedence: operation details in events, resource, scope, span.
    const events = spanData.span.name === 'claude_code.interaction' ? [] : spanData.span.events;
    for (const event of events) if (DETAIL_EVENTS.has(event.name)) this.#collect(event.attributes, false);
    this.#collect(spanData.resource.attributes, false);
    this.#collect(spanData.scope.attributes, false);
    this.#collect(spanData.span.attributes, isClaudeCode(spanData));
  }

  #collect(attributes: RawAttribute[], claude: boolean): void {
    for (let index = 0; index < attributes.length; index++) {
      const attribute = attributes[index] as RawAttribute;
      const value = attribute[1];
      const plan = planFor(attribute[0]);
      if (plan.id >= 0) {
        // An empty value counts as absent, and overrides the value of the same key in the scope or resource.
        this.values[plan.id] = value === null || value === '' ? undefined : value;
        for (let use = 0; use < plan.uses.length; use++) {
          const { field, bit } = plan.uses[use] as { field: number; bit: number };
          (this.masks[field] as number) |= bit;
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

  protected resolve(field: Field, number: number): string | number | undefined {
    let mask = this.masks[number] as number;
    while (mask !== 0) {
      const bit = mask & -mask;
      const source = rankedSources[number]?.[31 - Math.clz32(bit)];
      const value = source === undefined ? undefined : this.values[source.id];
      const result = source === undefined || value === undefined ? undefined : this.read(field, number, source, value);
      if (result !== undefined) return result;
      mask ^= bit;
    }
    return undefined;
  }
}

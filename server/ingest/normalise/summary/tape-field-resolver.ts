import { emptySpan, type RawResource, type RawScope, type RawValue, type SpanData } from '../../otlp/raw-span.ts';
import type { AttributeShape } from '../../otlp/tape/attribute-shapes.ts';
import type { TapeSpan } from '../../otlp/tape/tape-span.ts';
import type { Field } from './fields.ts';
import { fieldCount, planFor, type RankedSource, rankedSources } from './key-index.ts';
import { ListFieldResolver } from './list-field-resolver.ts';
import type { MetadataTarget } from './metadata-sources.ts';
import { type MetadataEntry, SpanFieldResolver } from './span-field-resolver.ts';

/** A source that a span has: the value, or the number of the attribute that has it. */
interface PlannedSource extends Pick<RankedSource, 'key' | 'read'> {
  value: RawValue;
  index: number;
}

/** What the tables make of a sequence of keys under a resource and a scope: worked out once, for every span that comes so. */
interface Plan {
  /** By the number of the field, best source first. Null: the field has none. */
  sources: readonly (readonly PlannedSource[] | null)[];
  /** Of the resource and the scope. */
  metadata: readonly MetadataEntry[];
  tags: readonly RawValue[];
  /** Of the span, by the numbers of its attributes. */
  ownMetadata: readonly { target: MetadataTarget; index: number }[];
  ownTags: readonly number[];
}

/** A span on a tape: its attributes are read as fields are asked for. */
export class TapeFieldResolver extends SpanFieldResolver {
  readonly #plan: Plan;
  readonly #span: TapeSpan;

  constructor(spanData: SpanData, span: TapeSpan, notes: Map<string, string> | null) {
    super(spanData, notes);
    const plan = planOf(spanData.resource, spanData.scope, span.shape);
    this.#plan = plan;
    this.#span = span;
    for (const entry of plan.metadata) this.metadata.push(entry);
    for (const { target, index } of plan.ownMetadata) this.metadata.push({ target, value: span.value(index) });
    for (const value of plan.tags) this.tags.push(value);
    for (const index of plan.ownTags) this.tags.push(span.value(index));
  }

  protected resolve(field: Field, number: number): string | number | undefined {
    const sources = this.#plan.sources[number] as readonly PlannedSource[] | null;
    if (sources === null) return undefined;
    for (const source of sources) {
      const value = source.index === -1 ? source.value : this.#span.value(source.index);
      if (value === null || value === '') continue;
      const result = this.read(field, number, source, value);
      if (result !== undefined) return result;
    }
    return undefined;
  }
}

/** Resources and scopes that are the same for many requests are the same object (`decode-json.ts`). */
const plans = new WeakMap<RawResource, WeakMap<RawScope, WeakMap<AttributeShape, Plan>>>();

function planOf(resource: RawResource, scope: RawScope, shape: AttributeShape): Plan {
  const ofResource = existing(plans, resource, () => new WeakMap<RawScope, WeakMap<AttributeShape, Plan>>());
  const ofScope = existing(ofResource, scope, () => new WeakMap<AttributeShape, Plan>());
  return existing(ofScope, shape, () => makePlan(resource, scope, shape));
}

function existing<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function makePlan(resource: RawResource, scope: RawScope, { keys }: AttributeShape): Plan {
  const outer = new ListFieldResolver({ span: emptySpan(), resource, scope }, null);
  const masks = [...outer.masks];
  const indexes = new Map<number, number>();
  const ownMetadata: Plan['ownMetadata'][number][] = [];
  const ownTags: number[] = [];
  for (const [index, key] of keys.entries()) {
    const plan = planFor(key);
    if (plan.id >= 0) indexes.set(plan.id, index);
    for (const { field, bit } of plan.uses) masks[field] = (masks[field] as number) | bit;
    if (plan.tags) ownTags.push(index);
    if (plan.metadata !== null) ownMetadata.push({ target: plan.metadata, index });
  }
  const sources = Array.from({ length: fieldCount }, (_, number) => {
    const planned = (rankedSources[number] ?? []).flatMap(({ key, id, read }, rank): PlannedSource[] => {
      if (((masks[number] as number) & (1 << rank)) === 0) return [];
      const index = indexes.get(id) ?? -1;
      return [{ key, read, value: outer.values[id] ?? null, index }];
    });
    return planned.length === 0 ? null : planned;
  });
  return { sources, metadata: outer.metadata, tags: outer.tags, ownMetadata, ownTags };
}

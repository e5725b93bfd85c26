import { amountSources, callSources } from './call-sources.ts';
import type { Reader, Source } from './field-resolver.ts';
import { amountFields, countFields, type Field, indicators, textFields } from './fields.ts';
import { identitySources } from './identity-sources.ts';
import { indicatorSources } from './indicator-sources.ts';
import { type MetadataTarget, metadataTargetOf } from './metadata-sources.ts';
import { usageSources } from './usage-sources.ts';

/**
 * The source tables inverted: a map from an attribute key to the fields that it may provide. A span is then read in one pass over its
 * twenty or so attributes, instead of looking up the three hundred keys of the tables in it.
 */

/** The uses of an attribute key. */
export interface KeyPlan {
  /** Index of the value of the key in the values of a span; -1 for a key in no table. */
  id: number;
  /** The fields that the key provides, each with a bit for its rank among the sources of the field. */
  uses: readonly { field: number; bit: number }[];
  metadata: MetadataTarget | null;
  tags: boolean;
}

export interface RankedSource {
  key: string;
  id: number;
  /** Null: the value is used as it is. */
  read: Reader | null;
}

const sources: Record<Field, Source[]> = {
  ...identitySources,
  ...callSources,
  ...amountSources,
  ...usageSources,
  ...indicatorSources,
};

const fields: readonly Field[] = [...textFields, ...countFields, ...amountFields, ...indicators];

/** The tags of all these keys are joined. */
const tagKeys = new Set([
  'agentmark.tags',
  'langfuse.trace.tags',
  'tag.tags',
  'langsmith.span.tags',
  'ai.telemetry.metadata.tags',
  'lmnr.association.properties.tags',
  'mastra.tags',
  'logfire.tags',
]);

/** The sources of a field that a span has are a mask of 31 bits. */
const SOURCES_MAX = 31;

const plans = new Map<string, KeyPlan>();

const NO_USES: KeyPlan = { id: -1, uses: [], metadata: null, tags: false };

export const fieldCount: number = fields.length;

export const fieldNumbers = Object.fromEntries(fields.map((field, number) => [field, number])) as Record<Field, number>;

export const rankedSources: readonly (readonly RankedSource[])[] = fields.map((field, number) => {
  const ranked = sources[field];
  if (ranked.length > SOURCES_MAX) throw new Error(`${field} has more than ${SOURCES_MAX} sources`);
  return ranked.map((source, rank) => {
    const { key, read } = typeof source === 'string' ? { key: source, read: null } : source;
    const plan = addKey(key);
    (plan.uses as { field: number; bit: number }[]).push({ field: number, bit: 1 << rank });
    return { key, id: plan.id, read };
  });
});

for (const key of tagKeys) addKey(key);

export const keyCount: number = plans.size;

function addKey(key: string): KeyPlan {
  let plan = plans.get(key);
  if (plan === undefined) {
    plan = { id: plans.size, uses: [], metadata: metadataTargetOf(key), tags: tagKeys.has(key) };
    plans.set(key, plan);
  }
  return plan;
}

/** Plans of keys outside the tables: an honest application has few, a hostile one may send any number, so their number is bounded. */
const cachedPlans = new Map<string, KeyPlan>();
const CACHED_MAX = 4096;
const CACHED_CHARACTERS_MAX = 128;

export function planFor(key: string): KeyPlan {
  return plans.get(key) ?? cachedPlans.get(key) ?? cachePlan(key);
}

function cachePlan(key: string): KeyPlan {
  const metadata = metadataTargetOf(key);
  const plan = metadata === null ? NO_USES : { ...NO_USES, metadata };
  if (cachedPlans.size < CACHED_MAX && key.length <= CACHED_CHARACTERS_MAX) cachedPlans.set(key, plan);
  return plan;
}

import { amountSources, callSources } from './call-sources.ts';
import type { Reader, Source } from './evidence.ts';
import { amountFields, countFields, type Field, signs, textFields } from './fields.ts';
import { identitySources } from './identity-sources.ts';
import { type MetadataPlace, metadataPlaceOf } from './metadata-sources.ts';
import { signSources } from './sign-sources.ts';
import { usageSources } from './usage-sources.ts';

/**
 * The source tables turned inside out, once: from an attribute key to the fields it can answer. A span is then read in one walk over
 * its own twenty or so attributes instead of asking it for the three hundred keys that the tables know.
 */

/** What an attribute key is good for. */
export interface KeyPlan {
  /** Position of the key's value in a span's values; -1 when no table knows the key. */
  id: number;
  /** Which fields the key answers, and how early in their lists. */
  uses: readonly { field: number; bit: number }[];
  metadata: MetadataPlace | null;
  tags: boolean;
}

interface RankedSource {
  key: string;
  id: number;
  /** Null for a plain value of the field's own sort. */
  read: Reader | null;
}

const sources: Record<Field, Source[]> = {
  ...identitySources,
  ...callSources,
  ...amountSources,
  ...usageSources,
  ...signSources,
};

const fields: readonly Field[] = [...textFields, ...countFields, ...amountFields, ...signs];

/** Tags of all these keys are joined. */
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

/** A mask of 31 bits says which of a field's sources a span has. */
const SOURCES_MAX = 31;

const plans = new Map<string, KeyPlan>();

const NOTHING: KeyPlan = { id: -1, uses: [], metadata: null, tags: false };

export const fieldCount: number = fields.length;

export const fieldNumbers = Object.fromEntries(fields.map((field, number) => [field, number])) as Record<Field, number>;

export const rankedSources: readonly (readonly RankedSource[])[] = fields.map((field, number) => {
  const ranked = sources[field];
  if (ranked.length > SOURCES_MAX) throw new Error(`${field} has more than ${SOURCES_MAX} sources`);
  return ranked.map((source, rank) => {
    const { key, read } = typeof source === 'string' ? { key: source, read: null } : source;
    const plan = planted(key);
    (plan.uses as { field: number; bit: number }[]).push({ field: number, bit: 1 << rank });
    return { key, id: plan.id, read };
  });
});

for (const key of tagKeys) planted(key);

export const keyCount: number = plans.size;

function planted(key: string): KeyPlan {
  let plan = plans.get(key);
  if (plan === undefined) {
    plan = { id: plans.size, uses: [], metadata: metadataPlaceOf(key), tags: tagKeys.has(key) };
    plans.set(key, plan);
  }
  return plan;
}

/** Keys outside the tables that were seen already: few in an honest application, and bounded for the others. */
const learned = new Map<string, KeyPlan>();
const LEARNED_MAX = 4096;
const LEARNED_CHARACTERS_MAX = 128;

export function planFor(key: string): KeyPlan {
  return plans.get(key) ?? learned.get(key) ?? learn(key);
}

function learn(key: string): KeyPlan {
  const metadata = metadataPlaceOf(key);
  const plan = metadata === null ? NOTHING : { ...NOTHING, metadata };
  if (learned.size < LEARNED_MAX && key.length <= LEARNED_CHARACTERS_MAX) learned.set(key, plan);
  return plan;
}

import { isClaudeMetadata } from './families/claude-code.ts';
import { isMastraPayload } from './families/mastra.ts';

/** Where custom metadata is found. Position is precedence: the first family that has a key wins it (docs/reference/ingest.md#metadata). */
interface MetadataFamily {
  /** Keys `prefix + name` are one entry each. */
  prefix?: string;
  /** A key whose value is an object, or JSON text of one, with an entry per property. */
  object?: string;
  /** Leaves out the keys that became fields of their own. */
  promotes?: true;
  skips?: (name: string) => boolean;
}

/** Settings of LangSmith itself, which it copies out of the environment of the process, and usage, which is read elsewhere. */
const LANGSMITH_NOISE = /^(?:LANGSMITH_|LANGCHAIN_|usage_metadata$)/;

const metadataFamilies: MetadataFamily[] = [
  { prefix: 'agentmark.metadata.', promotes: true },
  // The user's own object, in which a key such as `session_id` is theirs: OpenInference has `session.id` beside it.
  { object: 'metadata' },
  { object: 'langfuse.trace.metadata' },
  { prefix: 'langfuse.trace.metadata.' },
  { object: 'langfuse.observation.metadata' },
  { prefix: 'langfuse.observation.metadata.' },
  { prefix: 'ai.telemetry.metadata.', promotes: true },
  { prefix: 'vercel.ai.telemetry.metadata.', promotes: true },
  { prefix: 'ai.settings.context.' },
  { prefix: 'traceloop.association.properties.', promotes: true },
  { prefix: 'langsmith.metadata.', skips: (name) => LANGSMITH_NOISE.test(name) },
  { prefix: 'mastra.metadata.', skips: isMastraPayload },
  { prefix: 'lmnr.association.properties.metadata.' },
  { object: 'braintrust.metadata' },
  { prefix: 'metadata.' },
];

/** Claude Code has no prefix: its spans carry the user's resource attributes beside its own. Last in precedence. */
const claudeRank: number = metadataFamilies.length;

const PROMOTED = new Set([
  'session_id',
  'session_name',
  'user_id',
  'trace_name',
  'dataset_run_id',
  'dataset_run_name',
  'dataset_path',
  'dataset_item_name',
  'dataset_expected_output',
  'dataset_input',
  'prompt_name',
  'props',
]);

/** Which entry of the metadata a key is. `name` is null when the value is an object of entries. */
export interface MetadataPlace {
  rank: number;
  name: string | null;
}

/** Only keys that begin like one of the families are compared with them. */
const FIRST_LETTERS = new Set(metadataFamilies.map(({ prefix, object }) => (prefix ?? object ?? '').charCodeAt(0)));

export function metadataPlaceOf(key: string): MetadataPlace | null {
  if (!FIRST_LETTERS.has(key.charCodeAt(0))) return null;
  for (let rank = 0; rank < metadataFamilies.length; rank++) {
    const family = metadataFamilies[rank];
    if (family === undefined) continue;
    if (family.object === key) return { rank, name: null };
    if (family.prefix === undefined || !key.startsWith(family.prefix)) continue;
    const name = key.slice(family.prefix.length);
    if (name === '' || (family.promotes && PROMOTED.has(name)) || family.skips?.(name)) return null;
    return { rank, name };
  }
  return null;
}

export function claudePlaceOf(key: string): MetadataPlace | null {
  return isClaudeMetadata(key) ? { rank: claudeRank, name: key } : null;
}

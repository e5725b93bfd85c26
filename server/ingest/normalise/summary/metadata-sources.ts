import { isClaudeMetadata } from './families/claude-code.ts';
import { isMastraPayload } from './families/mastra.ts';

/** Sources of custom metadata, in order of precedence: the first family that has a key wins (docs/reference/ingest.md#metadata). */
interface MetadataFamily {
  /** Each key `prefix + name` is one entry. */
  prefix?: string;
  /** The value of this key is an object, or JSON text of one, with an entry per property. */
  object?: string;
  /** Leaves out the keys that are promoted to fields. */
  promotes?: true;
  skips?: (name: string) => boolean;
}

/** Settings of LangSmith itself, which it copies from the environment of the process, and usage, which is read elsewhere. */
const LANGSMITH_NOISE = /^(?:LANGSMITH_|LANGCHAIN_|usage_metadata$)/;

const metadataFamilies: MetadataFamily[] = [
  { prefix: 'agentmark.metadata.', promotes: true },
  // The user's own object: a key such as `session_id` is theirs, since OpenInference sends `session.id` as an attribute.
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

/** Claude Code has no prefix: its spans have the user's resource attributes besides its own. Last in precedence. */
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

/** The metadata entry of a key. `name` is null when the value is an object of entries. */
export interface MetadataTarget {
  rank: number;
  name: string | null;
}

/** Only keys that begin with one of these letters are compared with the families. */
const FIRST_LETTERS = new Set(metadataFamilies.map(({ prefix, object }) => (prefix ?? object ?? '').charCodeAt(0)));

export function metadataTargetOf(key: string): MetadataTarget | null {
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

export function claudeTargetOf(key: string): MetadataTarget | null {
  return isClaudeMetadata(key) ? { rank: claudeRank, name: key } : null;
}

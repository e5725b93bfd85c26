/** Numeric codes of enumerated values in rows. A code is never reused or renumbered, because stores outlive versions. */

import { type SemanticKind, semanticKinds } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanStatus, SpanType } from '../../../../shared/contract/tracing/spans.ts';

export const statuses: readonly SpanStatus[] = ['UNSET', 'OK', 'ERROR'];
export const types: readonly SpanType[] = ['SPAN', 'GENERATION', 'EVENT'];
export const kinds: readonly SemanticKind[] = semanticKinds;
export const costSources = ['none', 'reported', 'computed'] as const;

/** Bits of `span.flags`. */
export const flag = {
  pending: 1,
  placeholder: 2,
  hasInput: 4,
  hasOutput: 8,
  aggregate: 16,
  clockSuspect: 32,
  hasPreview: 64,
  hasLogs: 128,
  bookkeeping: 256,
} as const;

/** Keys of the term dictionary. A metadata key follows its prefix. */
export const termKey = {
  name: 'name',
  model: 'model',
  service: 'service_name',
  session: 'session_id',
  sessionName: 'session_name',
  user: 'user_id',
  prompt: 'prompt_name',
  traceName: 'trace_name',
  finishReason: 'finish_reason',
  kind: 'semantic_kind',
  tag: 'tag',
  /** All tags of a span, as a sorted JSON list. */
  tagSet: 'tag_set',
  datasetRun: 'dataset_run_id',
  commit: 'commit_sha',
  environment: 'environment',
  metadata: (key: string) => `metadata.${key}`,
  /** Names of metadata keys with a value that is empty or too long for a term. */
  unindexedMetadata: 'unposted_metadata',
} as const;

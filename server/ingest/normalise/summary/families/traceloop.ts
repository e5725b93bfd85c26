import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import type { Evidence } from '../evidence.ts';
import { textValue } from '../values.ts';

/** OpenLLMetry / Traceloop. Real senders write the kinds in lower case. */

const kinds = new Map<string, SemanticKind>([
  ['llm', 'llm'],
  ['tool', 'tool'],
  ['agent', 'agent'],
  ['workflow', 'function'],
  ['task', 'function'],
]);

export function kindOfTraceloop(kind: string): SemanticKind | undefined {
  return kinds.get(kind.toLowerCase());
}

/** The entity is a tool, an agent, ... as its kind says. */
export function entityOfKind(kind: string) {
  return (value: RawValue, evidence: Evidence): string | undefined =>
    evidence.text('traceloop_kind').toLowerCase() === kind ? textValue(value) : undefined;
}

/** Nested spans carry the name of the workflow around them, which is not the name of their trace. */
export function onRootOnly(value: RawValue, evidence: Evidence): string | undefined {
  return evidence.sent.span.parent_id === null ? textValue(value) : undefined;
}

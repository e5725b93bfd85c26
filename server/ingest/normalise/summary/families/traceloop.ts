import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import type { FieldResolver } from '../field-resolver.ts';
import { textValue } from '../values.ts';

/** OpenLLMetry / Traceloop. Actual senders use lower-case kinds. */

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

/** The name of the entity if it has this kind: a tool, an agent, … */
export function entityOfKind(kind: string) {
  return (value: RawValue, resolver: FieldResolver): string | undefined =>
    resolver.text('traceloop_kind').toLowerCase() === kind ? textValue(value) : undefined;
}

/** Nested spans have the name of their workflow, which is not the name of their trace. */
export function onRootOnly(value: RawValue, resolver: FieldResolver): string | undefined {
  return resolver.spanData.span.parent_id === null ? textValue(value) : undefined;
}

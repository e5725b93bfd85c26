import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import { fromJson, type Source } from '../field-resolver.ts';
import { amountValue, countValue } from '../values.ts';

/** Braintrust: JSON attributes. */

const kindsOfBraintrust = new Map<string, SemanticKind>([
  ['llm', 'llm'],
  ['tool', 'tool'],
  ['task', 'function'],
  ['function', 'function'],
  ['score', 'function'],
  ['eval', 'function'],
]);

export function kindOfBraintrust(type: string): SemanticKind | undefined {
  return kindsOfBraintrust.get(type);
}

export const braintrustType = fromJson('braintrust.span_attributes', 'type', (attributes) => attributes.type);

export function braintrustCount(name: string): Source {
  return fromJson('braintrust.metrics', name, (metrics) => countValue(metrics[name]));
}

export const braintrustModel = fromJson('braintrust.metadata', 'model', (metadata) => metadata.model);

export const braintrustFirstToken = fromJson('braintrust.metrics', 'time_to_first_token', (metrics) => {
  const seconds = amountValue(metrics.time_to_first_token);
  return seconds === undefined ? undefined : seconds * 1000;
});

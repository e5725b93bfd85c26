import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import { from, type Source } from '../field-resolver.ts';
import { textValue } from '../values.ts';

/** Pydantic AI and Logfire. */

/** Generic keys, which are read in these scopes only. */
export function pydanticText(key: string): Source {
  return from(key, (value, resolver) => (/^(?:pydantic|logfire)/.test(resolver.spanData.scope.name) ? textValue(value) : undefined));
}

const kindsOfName: [RegExp, SemanticKind][] = [
  [/^agent run$/, 'agent'],
  [/^running \d+ tools?$/, 'function'],
  [/^running tools?$/, 'function'],
  [/^running tool:? /, 'tool'],
];

/** Names of the first two versions; the third follows the conventions. A single `running tool` names its tool in an attribute. */
export function kindOfPydantic(name: string, toolName: string): SemanticKind | undefined {
  if (name === 'running tool' && toolName !== '') return 'tool';
  return kindsOfName.find(([pattern]) => pattern.test(name))?.[1];
}

/** Logfire sends a span also when it starts, with another id and as a child of the actual span. */
export function isLogfirePlaceholder(spanType: string): boolean {
  return spanType === 'pending_span';
}

/** Zero-length records. */
export function isLogfireLog(spanType: string): boolean {
  return spanType === 'log';
}

import type { RawAttribute, RawValue } from '../../otlp/raw-span.ts';
import { textOf } from '../attributes.ts';
import type { FieldResolver } from './field-resolver.ts';

/** Why the model stopped: from an attribute, else from the last `gen_ai.choice` event or log record. */
export function finishReasonOf(resolver: FieldResolver): string {
  const reportedReason = resolver.text('finish_reason');
  if (reportedReason !== '') return reportedReason;
  const choice = resolver.spanData.span.events.findLast(({ name }) => name === 'gen_ai.choice');
  if (choice === undefined) return '';
  const reason =
    attributeOf(choice.attributes, 'finish_reason') ?? attributeOf(mapOf(attributeOf(choice.attributes, 'body')), 'finish_reason');
  if (reason === undefined) return '';
  resolver.noteSource('finish_reason', 'event gen_ai.choice');
  return textOf(reason);
}

const attributeOf = (attributes: RawAttribute[], key: string): RawValue | undefined => attributes.findLast(([name]) => name === key)?.[1];

function mapOf(value: RawValue | undefined): RawAttribute[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'map' in value ? value.map : [];
}

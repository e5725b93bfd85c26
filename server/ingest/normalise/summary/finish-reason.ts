import type { RawAttribute, RawValue } from '../../otlp/raw-span.ts';
import { textOf } from '../attributes.ts';
import type { Evidence } from './evidence.ts';

/** Why the model stopped: an attribute, else what the newest `gen_ai.choice` event or log record says. */
export function finishReasonOf(evidence: Evidence): string {
  const said = evidence.text('finish_reason');
  if (said !== '') return said;
  const choice = evidence.sent.span.events.findLast(({ name }) => name === 'gen_ai.choice');
  if (choice === undefined) return '';
  const reason =
    attributeOf(choice.attributes, 'finish_reason') ?? attributeOf(mapOf(attributeOf(choice.attributes, 'body')), 'finish_reason');
  if (reason === undefined) return '';
  evidence.because('finish_reason', 'event gen_ai.choice');
  return textOf(reason);
}

const attributeOf = (attributes: RawAttribute[], key: string): RawValue | undefined => attributes.findLast(([name]) => name === key)?.[1];

function mapOf(value: RawValue | undefined): RawAttribute[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'map' in value ? value.map : [];
}

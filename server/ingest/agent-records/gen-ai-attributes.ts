/** Builds attributes of the GenAI conventions from the attributes that agents use in their log records. */
import type { RawAttribute, RawLog, RawValue } from '../otlp/raw-span.ts';
import { textIn } from './record-values.ts';

/** Leaves out absent and empty values. */
export const attributesOf = (values: Record<string, RawValue | undefined>): RawAttribute[] =>
  Object.entries(values).filter((entry): entry is RawAttribute => entry[1] !== undefined && entry[1] !== null && entry[1] !== '');

export const messagesOf = (role: string, text: string): string | undefined =>
  text === '' ? undefined : JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);

/** The last text under a key in the records of a name. */
export function lastText(logs: readonly RawLog[], name: string, key: string): string {
  const texts = logs.filter((log) => log.name === name).map(({ attributes }) => textIn(attributes, key));
  return texts.findLast((text) => text !== '') ?? '';
}

export const lastNamed = (logs: readonly RawLog[], name: string): RawLog | undefined => logs.findLast((log) => log.name === name);

/** Attributes of every span of a turn. */
export const identityOf = (log: RawLog, sessionKey: string): Record<string, RawValue | undefined> => ({
  'session.id': textIn(log.attributes, sessionKey),
  'user.id': textIn(log.attributes, 'user.id'),
});

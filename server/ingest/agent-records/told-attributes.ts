/** Attributes of the GenAI convention, for what records say in words of their own. */
import type { RawAttribute, RawLog, RawValue } from '../otlp/raw-span.ts';
import { textIn } from './record-values.ts';

/** Leaves out what is not known. */
export const attributesOf = (values: Record<string, RawValue | undefined>): RawAttribute[] =>
  Object.entries(values).filter((entry): entry is RawAttribute => entry[1] !== undefined && entry[1] !== null && entry[1] !== '');

export const messagesOf = (role: string, text: string): string | undefined =>
  text === '' ? undefined : JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);

/** The last text that any of these records has under a key. */
export function lastText(logs: readonly RawLog[], name: string, key: string): string {
  const texts = logs.filter((log) => log.name === name).map(({ attributes }) => textIn(attributes, key));
  return texts.findLast((text) => text !== '') ?? '';
}

export const named = (logs: readonly RawLog[], name: string): RawLog | undefined => logs.findLast((log) => log.name === name);

/** What every span of a turn says. */
export const identityOf = (log: RawLog, sessionKey: string): Record<string, RawValue | undefined> => ({
  'session.id': textIn(log.attributes, sessionKey),
  'user.id': textIn(log.attributes, 'user.id'),
});

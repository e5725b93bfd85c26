/** Attributes of a shared span, in every form that OTLP has. */
import { expect, it } from 'vitest';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { attributeList } from '../../../../shared/fixtures/otlp.ts';
import { sharedSpan, shownBy } from './shared-fields.ts';
import { sharedMetadata } from './shared-texts.ts';

const person = 'somebody-7';
const image = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(6000)}`, 'latin1').toString('base64');
const everything = shownBy({ contents: false, attributes: false, costs: false });

const attributes = {
  ...{ 'session.id': person, 'user.email': person, 'langfuse.user.id': person, 'llm.user': person },
  ...{ metadata: JSON.stringify({ user_id: person, deeper: { sessionId: person }, place: 'here' }) },
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'blob', mime_type: 'image/png', content: image }] }]),
  'llm.input_messages.0.message.contents.1.message_content.image.image.url': `data:image/png;base64,${image}`,
  plain: 'shown',
};
const structures = [
  {
    key: 'map',
    value: { kvlistValue: { values: attributeList({ user_id: person, list: [`data:image/png;base64,${image}`], sea: 'blue' }) } },
  },
  { key: 'bytes', value: { bytesValue: image } },
  { key: 'count', value: { intValue: '7' } },
];

const rawOf = (sent: object[]) => ({ span: { attributes: sent } }) as unknown as RawSpanReply;

it('attributes go out without media and without ids of sessions and users, and keep everything else', () => {
  const shared = sharedSpan({ io: undefined, raw: rawOf([...attributeList(attributes), ...structures]) }, everything);
  const text = JSON.stringify(shared);
  for (const secret of [person, image.slice(0, 12)]) expect(text).not.toContain(secret);
  for (const shown of ['shown', 'here', 'blue', '"7"']) expect(text).toContain(shown);
  expect(shared.attributes.map(({ key }) => key)).toEqual(['metadata', 'gen_ai.input.messages', 'plain', 'map', 'count']);
});

it('metadata go out without ids of sessions and users', () => {
  expect(sharedMetadata({ user_id: person, threadId: person, context: JSON.stringify({ userId: person }), place: 'here' })).toEqual({
    context: '{}',
    place: 'here',
  });
});

it('what is too large is told, and what is hidden is not called too large', () => {
  const flags = ({ contents_too_large, attributes_too_large }: ReturnType<typeof sharedSpan>) => [contents_too_large, attributes_too_large];
  expect(flags(sharedSpan({ io: null, raw: null }, everything))).toEqual([true, true]);
  expect(flags(sharedSpan({ io: undefined, raw: rawOf([]) }, everything))).toEqual([false, false]);
});

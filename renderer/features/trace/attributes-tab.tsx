import { useState } from 'react';
import type { RawSpanReply } from '../../../shared/contract/raw-span.ts';
import { count } from '../../model/format.ts';
import { type Attribute, attributes, inWords } from '../../model/otlp-value.ts';
import { SearchField } from '../../ui/field.tsx';
import { FoldLine } from '../../ui/long-text.tsx';
import { Text } from '../../ui/text.tsx';
import { AttributeList } from './attribute-list.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';

/** Flattened conventions write thousands of keys on one span: more than this are drawn only when asked for. */
const shownMax = 200;

const groups = (raw: RawSpanReply) => [
  { title: 'Span', list: attributes(raw.span.attributes) },
  { title: 'Resource', list: attributes(raw.resource.attributes) },
  { title: `Scope ${String(raw.scope.name ?? '')} ${String(raw.scope.version ?? '')}`, list: attributes(raw.scope.attributes) },
];

export const AttributesTab = ({ raw }: { raw: RawQuery }) => <RawAnswer raw={raw}>{(span) => <Groups raw={span} />}</RawAnswer>;

function Groups({ raw }: { raw: RawSpanReply }) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const fits = ({ key, value }: Attribute) => wanted === '' || `${key}\n${inWords(value)}`.toLowerCase().includes(wanted);
  return (
    <>
      <SearchField label="Filter keys and values" value={words} onChange={(event) => setWords(event.target.value)} />
      {groups(raw).map(({ title, list }) => (
        <Group key={title} title={title} all={list.length} list={list.filter(fits)} />
      ))}
    </>
  );
}

function Group({ title, all, list }: { title: string; all: number; list: Attribute[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? list : list.slice(0, shownMax);
  return (
    <section>
      <Text as="h3" size="label" tone="dim" className="pb-1">
        {`${title.trim()}, ${list.length === all ? count(all) : `${count(list.length)} of ${count(all)}`}`}
      </Text>
      <AttributeList list={shown} />
      {shown.length < list.length && (
        <FoldLine onClick={() => setWhole(true)}>{`${count(list.length - shown.length)} more — show`}</FoldLine>
      )}
    </section>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { count } from '../../../model/text/format.ts';
import { type Attribute, attributes, formatValue } from '../../../model/trace/otlp-value.ts';
import type { TruncatedText } from '../../../model/trace/truncate-texts.ts';
import { SearchField } from '../../../ui/primitives/field.tsx';
import { preference, usePreference } from '../../../ui/primitives/preferences.ts';
import { Text } from '../../../ui/primitives/text.tsx';
import { FoldLine } from '../../../ui/viewers/long-text.tsx';
import { tracesLike } from '../header/traces-like.ts';
import { AttributeList, type AttributeTools, type ShownAttribute } from './attribute-list.tsx';
import { LargeValue } from './large-value.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';
import { rawPath } from './span-query.ts';

/** Some conventions flatten messages into thousands of keys on one span; keys beyond this number are rendered on request. */
const shownMax = 200;

interface SpanIds {
  traceId: string;
  spanId: string;
}

interface AttributesTabProps extends SpanIds {
  raw: RawQuery;
  /** Normalised metadata of the span. */
  metadata: Record<string, string>;
}

export const AttributesTab = ({ raw, metadata, ...ids }: AttributesTabProps) => (
  <RawAnswer raw={raw}>{(span, cuts) => <Groups raw={span} cuts={cuts} ids={ids} metadata={metadata} />}</RawAnswer>
);

interface GroupsProps {
  raw: RawSpanReply;
  cuts: readonly TruncatedText[];
  ids: SpanIds;
  metadata: Record<string, string>;
}

function Groups({ raw, cuts, ids, metadata }: GroupsProps) {
  const [words, setWords] = useState('');
  const tools = useTools(raw, metadata);
  const query = words.trim().toLowerCase();
  const matches = ({ key, value }: Attribute) => query === '' || `${key}\n${formatValue(value)}`.toLowerCase().includes(query);
  const shown = (at: 'span' | 'resource' | 'scope') => withCuts(attributes(raw[at].attributes), at, cuts, rawPath(ids.traceId, ids.spanId));
  const groups = [
    { title: 'Span', list: shown('span') },
    { title: 'Resource', list: shown('resource') },
    { title: `Scope ${String(raw.scope.name ?? '')} ${String(raw.scope.version ?? '')}`, list: shown('scope') },
  ];
  return (
    <>
      <SearchField label="Filter keys and values" value={words} onChange={(event) => setWords(event.target.value)} />
      {groups.map(({ title, list }) => (
        <Group
          key={title}
          title={title}
          all={list.length}
          list={pinnedFirst(list.filter(matches), tools)}
          tools={tools}
          words={words.trim()}
        />
      ))}
    </>
  );
}

const pinnedFirst = (list: ShownAttribute[], { isPinned }: AttributeTools) => [
  ...list.filter(({ key }) => isPinned(key)),
  ...list.filter(({ key }) => !isPinned(key)),
];

/** Adds an action to truncated values that opens the full value. */
function withCuts(list: Attribute[], at: string, cuts: readonly TruncatedText[], path: string): ShownAttribute[] {
  return list.map((attribute, i) => {
    const cut = cuts.find(({ path: cutPath }) => cutPath[0] === at && cutPath[1] === 'attributes' && cutPath[2] === i);
    if (!cut) return attribute;
    return {
      ...attribute,
      cut: { size: cut.size, open: () => <LargeValue label={attribute.key} path={path} pick={cut.path} size={cut.size} /> },
    };
  });
}

function useTools(raw: RawSpanReply, metadata: Record<string, string>): AttributeTools {
  const navigate = useNavigate();
  const [pinned, setPinned] = usePreference(preference.pinnedAttributes);
  return {
    isPinned: (key) => pinned.includes(key),
    onPin: (key) => setPinned(pinned.includes(key) ? pinned.filter((other) => other !== key) : [...pinned, key].slice(-100)),
    filter: (attribute) => {
      const search = tracesLike(raw, attribute, metadata);
      return search && (() => void navigate({ to: '/traces', search }));
    },
  };
}

interface GroupProps {
  title: string;
  all: number;
  list: ShownAttribute[];
  tools: AttributeTools;
  words: string;
}

function Group({ title, all, list, tools, words }: GroupProps) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? list : list.slice(0, shownMax);
  return (
    <section>
      <Text as="h3" size="label" tone="dim" className="pb-1">
        {`${title.trim()}, ${list.length === all ? count(all) : `${count(list.length)} of ${count(all)}`}`}
      </Text>
      <AttributeList list={shown} tools={tools} words={words} />
      {shown.length < list.length && (
        <FoldLine onClick={() => setExpanded(true)}>{`${count(list.length - shown.length)} more — show`}</FoldLine>
      )}
    </section>
  );
}

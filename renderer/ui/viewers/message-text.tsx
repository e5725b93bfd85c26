import { lazy, Suspense, useMemo, useState } from 'react';
import { foldText } from '../../model/text/fold-text.ts';
import { bytes, plural } from '../../model/text/format.ts';
import { unquoted } from '../../model/trace/messages.ts';
import type { MessageForm } from '../primitives/preferences.ts';
import { Text } from '../primitives/text.tsx';
import { JsonView } from './json-view.tsx';
import { FoldLine, LongText } from './long-text.tsx';

const Markdown = lazy(() => import('./markdown.tsx').then((module) => ({ default: module.Markdown })));

/** Longer texts are not worth the moment it takes to lay them out. */
const markdownCharsMax = 150_000;
const foldOver = 12_000;

/** Words of a message in the form the reader chose; a form that does not fit says so and shows the words. */
export function MessageText({ text, form, dim }: { text: string; form: MessageForm; dim?: boolean }) {
  const value = useMemo(() => (form === 'json' ? unquoted(text) : text), [text, form]);
  if (form === 'json') {
    if (typeof value === 'object' && value !== null) return <JsonView value={value} open={3} />;
    return (
      <>
        <Text tone="dim">This message is not JSON.</Text>
        <LongText text={text} mono />
      </>
    );
  }
  if (form === 'plain' || dim) return <LongText text={text} {...(dim ? { dim } : {})} />;
  if (text.length > markdownCharsMax)
    return (
      <>
        <Text tone="dim">{`Shown as plain text: ${bytes(text.length)} are too much for Markdown.`}</Text>
        <LongText text={text} />
      </>
    );
  return <FoldedMarkdown text={text} />;
}

function FoldedMarkdown({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const folded = useMemo(() => (isWhole || text.length <= foldOver ? null : foldText(text)), [text, isWhole]);
  return (
    <Suspense fallback={<LongText text={text} />}>
      {folded ? (
        <>
          <Markdown text={folded.head} />
          <FoldLine onClick={() => setWhole(true)}>{`${plural(folded.hiddenChars, 'character')} hidden — show`}</FoldLine>
          <Markdown text={folded.tail} />
        </>
      ) : (
        <Markdown text={text} />
      )}
    </Suspense>
  );
}

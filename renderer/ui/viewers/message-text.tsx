import { lazy, Suspense, useMemo, useState } from 'react';
import { foldText } from '../../model/text/fold-text.ts';
import { bytes, plural } from '../../model/text/format.ts';
import { parseNestedJson } from '../../model/trace/messages.ts';
import type { MessageForm } from '../primitives/preferences.ts';
import { Text } from '../primitives/text.tsx';
import { JsonView } from './json-view.tsx';
import { FoldLine, LongText } from './long-text.tsx';

const Markdown = lazy(() => import('./markdown.tsx').then((module) => ({ default: module.Markdown })));

/** Longer texts take too long to lay out as Markdown. */
const markdownCharsMax = 150_000;
const foldCharsMin = 12_000;

interface MessageTextProps {
  text: string;
  form: MessageForm;
  dim?: boolean;
  /** Hides nothing of a long text. */
  isWhole?: boolean;
}

/** Text of a message in the selected form. If the form does not apply, it says so and shows the plain text. */
export function MessageText({ text, form, dim, isWhole = false }: MessageTextProps) {
  const value = useMemo(() => (form === 'json' ? parseNestedJson(text) : text), [text, form]);
  if (form === 'json') {
    if (typeof value === 'object' && value !== null) return <JsonView value={value} open={3} />;
    return (
      <>
        <Text tone="dim">This message is not JSON.</Text>
        <LongText text={text} mono isWhole={isWhole} />
      </>
    );
  }
  if (form === 'plain' || dim) return <LongText text={text} isWhole={isWhole} {...(dim ? { dim } : {})} />;
  if (text.length > markdownCharsMax)
    return (
      <>
        <Text tone="dim">{`Shown as plain text: ${bytes(text.length)} is too long for Markdown.`}</Text>
        <LongText text={text} isWhole={isWhole} />
      </>
    );
  return <FoldedMarkdown text={text} isWhole={isWhole} />;
}

function FoldedMarkdown({ text, isWhole }: { text: string; isWhole: boolean }) {
  const [isExpanded, setExpanded] = useState(isWhole);
  const folded = useMemo(() => (isExpanded || text.length <= foldCharsMin ? null : foldText(text)), [text, isExpanded]);
  return (
    <Suspense fallback={<LongText text={text} isWhole={isWhole} />}>
      {folded ? (
        <>
          <Markdown text={folded.head} />
          <FoldLine onClick={() => setExpanded(true)}>{`${plural(folded.hiddenChars, 'character')} hidden — show`}</FoldLine>
          <Markdown text={folded.tail} />
        </>
      ) : (
        <Markdown text={text} />
      )}
    </Suspense>
  );
}

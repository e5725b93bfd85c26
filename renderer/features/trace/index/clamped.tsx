import clsx from 'clsx';
import { lazy, type MouseEvent, Suspense, useState } from 'react';
import { startOf } from '../../../model/text/fold-text.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { preference, usePreference } from '../../../ui/primitives/preferences.ts';
import { MessageText } from '../../../ui/viewers/message-text.tsx';

const Markdown = lazy(() => import('../../../ui/viewers/markdown.tsx').then((module) => ({ default: module.Markdown })));

const clamps = { 2: 'line-clamp-2', 4: 'line-clamp-4', 8: 'line-clamp-8' } as const;
/** Blocks of different heights cannot be clamped by line: the last line that fits fades out. */
const heights = {
  4: 'max-h-[4lh] overflow-hidden mask-[linear-gradient(#000_3lh,transparent_4lh)]',
  8: 'max-h-[8lh] overflow-hidden mask-[linear-gradient(#000_7lh,transparent_8lh)]',
} as const;

/** Approximate characters per line; only decides whether a "more" button is shown. */
const lineChars = 70;
/** Markdown of a collapsed message is parsed up to here. In characters; more than eight lines on any screen. */
const parsedMax = 2400;

const isLonger = (text: string, lines: number) => text.length > lines * lineChars || text.split('\n', lines + 1).length > lines;

interface ClampedProps {
  text: string;
  lines: keyof typeof clamps;
  mono?: boolean;
  tone?: keyof typeof tones;
}

const tones = { fg: 'text-fg', quiet: 'text-fg-2', dim: 'text-fg-3', err: 'text-err' };

/** First lines of a text; the rest is shown on request. */
export function Clamped({ text, lines, mono, tone = 'fg' }: ClampedProps) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <div className="min-w-0">
      <p
        className={clsx(
          'wrap-anywhere whitespace-pre-wrap',
          mono ? 'font-mono text-row' : 'text-body',
          tones[tone],
          !isExpanded && clamps[lines],
        )}
      >
        {text.trim()}
      </p>
      {isLonger(text, lines) && <ShowMore isExpanded={isExpanded} onClick={() => setExpanded(!isExpanded)} />}
    </div>
  );
}

const ShowMore = ({ isExpanded, onClick }: { isExpanded: boolean; onClick: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-expanded={isExpanded}
    onClick={(event) => {
      event.stopPropagation();
      onClick();
    }}
    className="text-fg-3 text-label hover:text-fg"
  >
    {isExpanded ? 'Show less' : 'Show more'}
  </button>
);

interface ClampedMessageProps {
  text: string;
  /** Of the message; the form chosen for it in the detail applies here too. */
  role: string;
  lines: keyof typeof heights;
  tone?: keyof typeof tones;
}

/** First lines of a message, drawn as Markdown unless it is JSON or the reader prefers plain text. */
export function ClampedMessage({ text, role, lines, tone = 'fg' }: ClampedMessageProps) {
  const [isExpanded, setExpanded] = useState(false);
  const [forms] = usePreference(preference.messageForms);
  const isPlain = (Object.hasOwn(forms, role) && forms[role] === 'plain') || typeof parseNestedJson(text) === 'object';
  const plain = <Clamped text={text} lines={lines} tone={tone} />;
  if (isPlain) return plain;
  const isLong = isLonger(text, lines);
  return (
    <Suspense fallback={plain}>
      <div className="min-w-0">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keeps clicks on links from the row, adds none */}
        <div className={clsx('text-body', tones[tone], isLong && !isExpanded && heights[lines])} onClick={keepFromRow}>
          {isExpanded ? <MessageText text={text.trim()} form="markdown" /> : <Markdown text={startOf(text.trim(), parsedMax)} />}
        </div>
        {isLong && <ShowMore isExpanded={isExpanded} onClick={() => setExpanded(!isExpanded)} />}
      </div>
    </Suspense>
  );
}

/** A link, a copy button or the question before a link opens must not select the row as well. */
const keepFromRow = (event: MouseEvent) => {
  if (event.target instanceof Element && event.target.closest('button, dialog')) event.stopPropagation();
};

import clsx from 'clsx';
import { useMemo, useState } from 'react';
import { foldText } from '../../model/text/fold-text.ts';
import { plural } from '../../model/text/format.ts';

interface LongTextProps {
  text: string;
  mono?: boolean;
  dim?: boolean;
  isWhole?: boolean;
}

/** Untrusted text as plain text. A long one shows its start and end, and how much is hidden between. */
export function LongText({ text, mono, dim, isWhole: isWholeAtFirst = false }: LongTextProps) {
  const [isWhole, setWhole] = useState(isWholeAtFirst);
  const folded = useMemo(() => (isWhole ? null : foldText(text)), [text, isWhole]);
  const style = clsx('wrap-anywhere whitespace-pre-wrap', mono ? 'font-mono text-row' : 'text-body', dim ? 'text-fg-3' : 'text-fg');
  if (!folded) return <p className={style}>{text}</p>;
  return (
    <>
      <p className={style}>{folded.head}</p>
      <FoldLine onClick={() => setWhole(true)}>{`${plural(folded.hiddenChars, 'character')} hidden — show`}</FoldLine>
      <p className={style}>{folded.tail}</p>
    </>
  );
}

/** The line in place of hidden content; a click shows it. */
export const FoldLine = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button
    type="button"
    onClick={onClick}
    className="my-1 block w-full border-line-2 border-t border-dashed pt-1 text-center text-fg-3 text-label hover:text-fg"
  >
    {children}
  </button>
);

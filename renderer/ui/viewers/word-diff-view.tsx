import clsx from 'clsx';
import { useMemo, useState } from 'react';
import { plural } from '../../model/text/format.ts';
import { type DiffPiece, wordDiff } from '../../model/text/word-diff.ts';
import { FoldLine } from './long-text.tsx';

const unchangedMax = 240;
const contextChars = 100;
/** Two longer texts that share nothing are shown one below the other. */
const inlineMax = 40;

const styles = {
  same: 'text-fg-2',
  added: 'bg-added text-fg no-underline',
  removed: 'bg-removed text-fg-2 line-through',
};

/** The new text with removed and added parts; long unchanged parts are collapsed to a count. */
export function WordDiffView({ before, after }: { before: string; after: string }) {
  return <DiffView pieces={useMemo(() => wordDiff(before, after), [before, after])} />;
}

/** The same for pieces that are already computed. */
export function DiffView({ pieces }: { pieces: readonly DiffPiece[] }) {
  const [isWhole, setWhole] = useState(false);
  const areSeparate = pieces.length > 1 && pieces.every(({ kind, text }) => kind !== 'same' && text.length > inlineMax);
  return (
    <div className={clsx('wrap-anywhere whitespace-pre-wrap text-body', areSeparate && 'flex flex-col gap-2')}>
      {pieces.map((piece, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its position
        <Piece key={i} piece={piece} isFolded={!isWhole} onShow={() => setWhole(true)} />
      ))}
    </div>
  );
}

function Piece({ piece: { kind, text }, isFolded, onShow }: { piece: DiffPiece; isFolded: boolean; onShow: () => void }) {
  const Tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  if (kind !== 'same' || !isFolded || text.length <= unchangedMax) return <Tag className={styles[kind]}>{text}</Tag>;
  return (
    <>
      <span className={styles.same}>{text.slice(0, contextChars).toWellFormed()}</span>
      <FoldLine onClick={onShow}>{`${plural(text.length - 2 * contextChars, 'character')} unchanged — show`}</FoldLine>
      <span className={styles.same}>{text.slice(-contextChars).toWellFormed()}</span>
    </>
  );
}

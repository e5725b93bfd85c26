import { useMemo, useState } from 'react';
import { plural } from '../../model/text/format.ts';
import { type DiffPiece, wordDiff } from '../../model/text/word-diff.ts';
import { FoldLine } from './long-text.tsx';

const sameMax = 240;
const kept = 100;

const looks = {
  same: 'text-fg-2',
  added: 'bg-added text-fg no-underline',
  removed: 'bg-removed text-fg-2 line-through',
};

/** The new text with what went and what came; long parts that stayed fold to a count. */
export function WordDiffView({ before, after }: { before: string; after: string }) {
  return <DiffView pieces={useMemo(() => wordDiff(before, after), [before, after])} />;
}

/** The same, of pieces that are known. */
export function DiffView({ pieces }: { pieces: readonly DiffPiece[] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <div className="wrap-anywhere whitespace-pre-wrap text-body">
      {pieces.map((piece, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
        <Piece key={i} piece={piece} isFolded={!isWhole} onShow={() => setWhole(true)} />
      ))}
    </div>
  );
}

function Piece({ piece: { kind, text }, isFolded, onShow }: { piece: DiffPiece; isFolded: boolean; onShow: () => void }) {
  const Tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  if (kind !== 'same' || !isFolded || text.length <= sameMax) return <Tag className={looks[kind]}>{text}</Tag>;
  return (
    <>
      <span className={looks.same}>{text.slice(0, kept).toWellFormed()}</span>
      <FoldLine onClick={onShow}>{`${plural(text.length - 2 * kept, 'character')} unchanged — show`}</FoldLine>
      <span className={looks.same}>{text.slice(-kept).toWellFormed()}</span>
    </>
  );
}

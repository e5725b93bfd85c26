/** Word diff of two versions of a text. Loaded on demand. */
import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPiece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Longer texts are compared by lines, because comparing words would take too long. */
const charsMax = 60_000;
const editsMax = 4_000;

const kindOf = ({ added, removed }: { added?: boolean; removed?: boolean }) => (added ? 'added' : removed ? 'removed' : 'same');

export function wordDiff(before: string, after: string): DiffPiece[] {
  const isLong = before.length + after.length > charsMax;
  const options = { maxEditLength: editsMax };
  const pieces = isLong ? diffLines(before, after, options) : diffWordsWithSpace(before, after, options);
  // Too different to be shown as one text.
  if (!pieces)
    return [before && { kind: 'removed' as const, text: before }, after && { kind: 'added' as const, text: after }].filter(
      (piece) => piece !== '',
    );
  return pieces.map((piece) => ({ kind: kindOf(piece), text: piece.value }));
}

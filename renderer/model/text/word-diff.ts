/** Two versions of a text, word by word. Loaded when something is compared. */
import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPiece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Words of longer texts are not compared in a moment; their lines are. */
const wordsMax = 60_000;
const editsMax = 4_000;

const kindOf = ({ added, removed }: { added?: boolean; removed?: boolean }) => (added ? 'added' : removed ? 'removed' : 'same');

export function wordDiff(before: string, after: string): DiffPiece[] {
  const isLong = before.length + after.length > wordsMax;
  const options = { maxEditLength: editsMax };
  const found = isLong ? diffLines(before, after, options) : diffWordsWithSpace(before, after, options);
  // Too different to be read as one text.
  if (!found)
    return [before && { kind: 'removed' as const, text: before }, after && { kind: 'added' as const, text: after }].filter(
      (each) => each !== '',
    );
  return found.map((piece) => ({ kind: kindOf(piece), text: piece.value }));
}

/** Word diff of two versions of a text. Loaded on demand. */
import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffPiece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Longer texts are compared by lines, because comparing words would take too long. */
const charsMax = 60_000;
const editsMax = 4_000;
/** Texts that have less than this part of the shorter one's letters in common are shown one after the other. */
const sharedMin = 0.25;

const kindOf = ({ added, removed }: { added?: boolean; removed?: boolean }) => (added ? 'added' : removed ? 'removed' : 'same');

export function wordDiff(before: string, after: string): DiffPiece[] {
  const isLong = before.length + after.length > charsMax;
  const options = { maxEditLength: editsMax };
  const pieces = isLong ? diffLines(before, after, options) : diffWordsWithSpace(before, after, options);
  if (!pieces || !isAlike(pieces, Math.min(lettersIn(before), lettersIn(after)))) return wholeTexts(before, after);
  return pieces.map((piece) => ({ kind: kindOf(piece), text: piece.value }));
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** Whether enough of the shorter text is in both. Mixed with each other, texts that share only a few words cannot be read. */
function isAlike(pieces: readonly { value: string; added?: boolean; removed?: boolean }[], letters: number): boolean {
  const same = pieces.filter((piece) => kindOf(piece) === 'same');
  return same.reduce((sum, { value }) => sum + lettersIn(value), 0) >= letters * sharedMin;
}

const wholeTexts = (before: string, after: string): DiffPiece[] =>
  [
    { kind: 'removed' as const, text: before },
    { kind: 'added' as const, text: after },
  ].filter(({ text }) => text !== '');

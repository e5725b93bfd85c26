import { jsonDiff, jsonOf } from '../../model/text/json-diff.ts';
import { Text } from '../primitives/text.tsx';
import { JsonChanges } from './json-changes.tsx';
import { WordDiffView } from './word-diff-view.tsx';

interface TextDifferenceProps {
  before: string;
  after: string;
  /** Shown for equal texts. */
  same: string;
}

/** Difference of two texts: JSON is compared by its parts, other text by words. */
export function TextDifference({ before, after, same }: TextDifferenceProps) {
  if (before === after) return <Text tone="dim">{same}</Text>;
  const [left, right] = [jsonOf(before), jsonOf(after)];
  if (left && right) return <JsonChanges changes={jsonDiff(left, right)} />;
  return <WordDiffView before={before} after={after} />;
}

/** Line diff of two versions of a file, with some context. Loaded on demand. */
import { diffLines } from 'diff';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface DiffGap {
  kind: 'gap';
  /** Number of unchanged lines that are left out. */
  count: number;
}

export interface LineDiff {
  rows: (DiffLine | DiffGap)[];
  added: number;
  removed: number;
}

const contextLines = 3;
const editsMax = 20_000;

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

export function lineDiff(before: string, after: string): LineDiff {
  // Too different to compare quickly: all of one, then all of the other.
  const pieces = diffLines(before, after, { maxEditLength: editsMax }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = pieces.flatMap(({ value, added, removed }) =>
    linesOf(value).map((text): DiffLine => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  );
  const countOf = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return { rows: collapse(lines), added: countOf('added'), removed: countOf('removed') };
}

function collapse(lines: readonly DiffLine[]): LineDiff['rows'] {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries()) if (kind !== 'same') isNear.fill(1, Math.max(0, at - contextLines), at + contextLines + 1);
  const isShown = (at: number) => at < 0 || at >= lines.length || isNear[at] === 1;
  const rows: LineDiff['rows'] = [];
  for (const [at, line] of lines.entries()) {
    const last = rows.at(-1);
    // A gap in place of a single line would not be shorter.
    const isAlone = !isNear[at] && isShown(at - 1) && isShown(at + 1);
    if (isNear[at] || isAlone) rows.push(line);
    else if (last?.kind === 'gap') last.count++;
    else rows.push({ kind: 'gap', count: 1 });
  }
  return rows;
}

/** Tables of GitHub's Markdown: a head, a line of dashes with as many cells, and rows down to a blank line. */
import { inlineNodes } from './inline.ts';
import type { Source } from './source.ts';
import type { TreeNode } from './syntax-tree.ts';

interface Cell {
  from: number;
  to: number;
}

export const beginsTable = (source: Source, line: number): boolean => alignmentsBelow(source, line) !== null;

/** @returns the table and the line after it; null when none begins on this line */
export function readTable(source: Source, line: number, depth: number): { node: TreeNode; next: number } | null {
  const align = alignmentsBelow(source, line);
  if (!align) return null;
  const children = [rowOf(source, line, depth)];
  let next = line + 2;
  for (; next < source.lines.length && continues(source, next); next++) children.push(rowOf(source, next, depth));
  return { node: { type: 'table', align, children }, next };
}

/** How the columns of a table are aligned whose head is this line; null when it is none. */
function alignmentsBelow(source: Source, line: number): ('left' | 'right' | 'center' | null)[] | null {
  const head = source.lines[line]?.text ?? '';
  const below = source.lines[line + 1]?.text ?? '';
  if (!head.includes('|') || !/^[\s|:-]+$/.test(below) || !below.includes('-')) return null;
  const dashes = cellsIn(source, line + 1).map(({ from, to }) => source.text.slice(from, to));
  if (dashes.length !== cellsIn(source, line).length || !dashes.every((text) => /^:?-+:?$/.test(text))) return null;
  return dashes.map((text) => {
    if (text.startsWith(':') && text.endsWith(':')) return 'center';
    return text.startsWith(':') ? 'left' : text.endsWith(':') ? 'right' : null;
  });
}

const continues = (source: Source, line: number): boolean => {
  const { text = '' } = source.lines[line] ?? {};
  return text.trim() !== '' && !/^\s*(?:#{1,6}\s|`{3}|~{3}|>|<\/?[\p{L}_$>]|[-*+]\s)/u.test(text);
};

function rowOf(source: Source, line: number, depth: number): TreeNode {
  const children = cellsIn(source, line).map(({ from, to }) => ({
    type: 'tableCell',
    children: from === to ? [] : inlineNodes(source.slice(from, to), depth + 1),
  }));
  return { type: 'tableRow', children };
}

/** What stands between the bars of a line, without the spaces around it. A bar behind a backslash is a character. */
function cellsIn(source: Source, line: number): Cell[] {
  const { text = '' } = source.lines[line] ?? {};
  const bars = [...text.matchAll(/\\.|\|/g)].flatMap(({ 0: found, index }) => (found === '|' ? [index] : []));
  const start = text.search(/\S/);
  const end = text.trimEnd().length;
  const inner = bars.filter((bar) => bar !== start && bar !== end - 1);
  const edges = [text.charAt(start) === '|' ? start : start - 1, ...inner, bars.at(-1) === end - 1 && end - 1 > start ? end - 1 : end];
  return edges.slice(1).map((edge, index) => {
    const within = text.slice((edges[index] as number) + 1, edge);
    const from = (edges[index] as number) + 1 + Math.max(0, within.search(/\S|$/));
    return { from: source.startOf(line) + from, to: source.startOf(line) + from + within.trim().length };
  });
}

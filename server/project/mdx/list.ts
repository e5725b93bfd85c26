import { type Line, Source } from './source.ts';
import type { TreeNode } from './syntax-tree.ts';

const marker = /^(\s*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*$)/;

interface Item {
  lines: Line[];
  spread: boolean;
}

/** @param blocksOf reads the content of an item. @returns null when no list begins on this line */
export function readList(source: Source, line: number, blocksOf: (within: Source) => TreeNode[]): { node: TreeNode; next: number } | null {
  const first = marker.exec(source.lines[line]?.text ?? '');
  if (!first) return null;
  const kind = kindOf(first[2] ?? '');
  const items: Item[] = [];
  let next = line;
  let spread = false;
  while (next < source.lines.length) {
    const { text, place } = source.lines[next] as Line;
    const found = marker.exec(text);
    if (!found || kindOf(found[2] ?? '') !== kind) break;
    if (items.length > 0 && source.lines[next - 1]?.text.trim() === '') spread = true;
    const width = found[0].length;
    const item: Item = { lines: [{ text: text.slice(width), place: { line: place.line, column: place.column + width } }], spread: false };
    next = takeRest(source, next + 1, width, item);
    items.push(item);
  }
  const start = /\d+/.exec(first[2] ?? '')?.[0];
  const children = items.map((item) => {
    const checked = takeBox(item.lines);
    return { type: 'listItem', spread: item.spread, checked, children: blocksOf(new Source(item.lines)) };
  });
  return {
    node: { type: 'list', ordered: start !== undefined, start: start === undefined ? null : Number(start), spread, children },
    next,
  };
}

/** The box of a task, which is taken off the first line; null when there is none. */
function takeBox(lines: Line[]): boolean | null {
  const [first] = lines;
  const mark = /^\[([ xX])\][ \t]+(?=\S)/.exec(first?.text ?? '');
  if (!first || !mark) return null;
  const [{ length }] = mark;
  lines[0] = { text: first.text.slice(length), place: { ...first.place, column: first.place.column + length } };
  return mark[1] !== ' ';
}

const kindOf = (mark: string): string => mark.charAt(mark.length - 1);

/** Lines that are indented as far as the item's content, blank lines between them, and the text that goes on without indent. */
function takeRest(source: Source, from: number, width: number, item: Item): number {
  let next = from;
  let blanks: Line[] = [];
  for (let line = from; line < source.lines.length; line++) {
    const { text, place } = source.lines[line] as Line;
    if (text.trim() === '') {
      blanks.push({ text: '', place });
      continue;
    }
    const indent = text.search(/\S/);
    const isLazy = blanks.length === 0 && !marker.test(text) && !/^\s*(?:#{1,6}\s|`{3}|~{3}|>|<|\{)/.test(text);
    if (indent < width && !isLazy) break;
    if (blanks.length > 0) item.spread = true;
    const cut = Math.min(indent, width);
    item.lines.push(...blanks, { text: text.slice(cut), place: { line: place.line, column: place.column + cut } });
    blanks = [];
    next = line + 1;
  }
  // Blank lines before the next item belong to the list.
  return next + (marker.test(source.lines[next + blanks.length]?.text ?? '') ? blanks.length : 0);
}

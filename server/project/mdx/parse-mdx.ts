/**
 * A template as a tree, read by a small parser of our own. MDX is a program: the usual parsers of it check their expressions by a JavaScript
 * parser and are a step from a compiler. This one knows brackets and Markdown's blocks and nothing else, so there is nothing to escape from.
 * It reads what prompts are written in: front matter, components, expressions, headings, lists, tables, quotes, code (ADR 008).
 */
import { frontMatterOf } from './front-matter.ts';
import { inlineNodes } from './inline.ts';
import { beginsTag, closingOf, endOfExpression, readTag } from './jsx.ts';
import { readList } from './list.ts';
import { type Line, Source } from './source.ts';
import { depthMax, type TreeNode } from './syntax-tree.ts';
import { beginsTable, readTable } from './table.ts';

/**
 * @param commit_sha stamped into the front matter when it is known
 * @throws TemplateSyntaxError
 */
export function parseMdx(text: string, commit_sha: string | null): TreeNode {
  const front = frontMatterOf(text);
  const lines = Source.of(text).lines.slice(front?.lineCount ?? 0);
  const head = front ? [{ type: 'yaml', value: commit_sha === null ? front.value : front.withCommit(commit_sha) }] : [];
  return { type: 'root', children: [...head, ...blocksOf(new Source(lines), 0)] };
}

/** What a block is, and the line after it; null when this kind of block does not begin here. */
type Block = { node: TreeNode; next: number } | null;
type Reader = (source: Source, line: number, depth: number) => Block;

const readers: Reader[] = [fencedCode, heading, thematicBreak, esm, expression, element, quote, list, readTable];

export function blocksOf(source: Source, depth: number): TreeNode[] {
  if (depth > depthMax) source.fail('The template is nested too deeply', 0);
  const nodes: TreeNode[] = [];
  for (let line = 0; line < source.lines.length; ) {
    if (textOf(source, line).trim() === '') {
      line++;
      continue;
    }
    const found = blockAt(source, line, depth) ?? paragraph(source, line, depth);
    nodes.push(found.node);
    line = found.next;
  }
  return nodes;
}

function blockAt(source: Source, line: number, depth: number): Block {
  for (const read of readers) {
    const found = read(source, line, depth);
    if (found) return found;
  }
  return null;
}

const textOf = (source: Source, line: number): string => source.lines[line]?.text ?? '';

function fencedCode(source: Source, line: number): Block {
  const opening = /^( *)(`{3,}|~{3,})([^\n]*)$/.exec(textOf(source, line));
  const [, indent = '', fence = '', info = ''] = opening ?? [];
  if (!opening || (fence.startsWith('`') && info.includes('`'))) return null;
  const ends = (text: string) => text.trim().length >= fence.length && [...text.trim()].every((character) => character === fence.charAt(0));
  let next = line + 1;
  while (next < source.lines.length && !ends(textOf(source, next))) next++;
  const within = source.lines
    .slice(line + 1, next)
    .map(({ text }) => (text.startsWith(indent) ? text.slice(indent.length) : text.trimStart()));
  const [lang = '', ...meta] = info.trim().split(/\s+/);
  const node = { type: 'code', lang: lang || null, meta: meta.join(' ') || null, value: within.join('\n') };
  return { node, next: next + 1 };
}

function heading(source: Source, line: number, depth: number): Block {
  const found = /^\s*(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(textOf(source, line));
  if (!found) return null;
  const [, marks = '', content = ''] = found;
  const from = source.startOf(line) + textOf(source, line).indexOf(content, textOf(source, line).indexOf(marks) + marks.length);
  const children = content === '' ? [] : inlineNodes(source.slice(from, from + content.length), depth + 1);
  return { node: { type: 'heading', depth: marks.length, children }, next: line + 1 };
}

const thematicBreakForm = /^\s*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;

function thematicBreak(source: Source, line: number): Block {
  return thematicBreakForm.test(textOf(source, line)) ? { node: { type: 'thematicBreak' }, next: line + 1 } : null;
}

function esm(source: Source, line: number, depth: number): Block {
  if (depth > 0 || !/^(?:import|export)\s/.test(textOf(source, line))) return null;
  let next = line;
  while (next < source.lines.length && textOf(source, next).trim() !== '') next++;
  const value = source.lines.slice(line, next).map(({ text }) => text);
  return { node: { type: 'mdxjsEsm', value: value.join('\n') }, next };
}

/** Offset of the first character of a line that is not space. */
const contentOf = (source: Source, line: number): number => source.startOf(line) + textOf(source, line).search(/\S/);

/** The line after an offset, when nothing else stands on its line; else null. */
function lineAfter(source: Source, offset: number): number | null {
  const line = source.lineAt(offset);
  return source.text.slice(offset, source.startOf(line) + textOf(source, line).length).trim() === '' ? line + 1 : null;
}

function expression(source: Source, line: number): Block {
  const at = contentOf(source, line);
  if (source.text.charAt(at) !== '{') return null;
  const end = endOfExpression(source, at);
  const next = lineAfter(source, end);
  return next === null ? null : { node: { type: 'mdxFlowExpression', value: source.text.slice(at + 1, end - 1) }, next };
}

function element(source: Source, line: number, depth: number): Block {
  const at = contentOf(source, line);
  if (!beginsTag(source.text, at)) return null;
  const tag = readTag(source, at);
  if (tag.kind === 'close') source.fail(`</${tag.name ?? ''}> closes nothing`, at);
  const node: TreeNode = { type: 'mdxJsxFlowElement', name: tag.name, attributes: tag.attributes, children: [] };
  if (tag.kind === 'alone') {
    const next = lineAfter(source, tag.end);
    return next === null ? null : { node, next };
  }
  const { contentEnd, end } = closingOf(source, tag, at);
  const next = lineAfter(source, end);
  if (next === null) return null;
  const content = source.slice(tag.end, contentEnd);
  // Content on the line of its tags is text; content on lines of its own is blocks.
  if (content.text.trim() !== '')
    node.children = content.lines.length === 1 ? inlineNodes(content, depth + 1) : blocksOf(dedented(content), depth + 1);
  return { node, next };
}

/** Components are indented to be read; Markdown within them begins where the least indented line does. */
function dedented(content: Source): Source {
  const indents = content.lines.slice(1).flatMap(({ text }) => (text.trim() === '' ? [] : text.search(/\S/)));
  const indent = Math.min(...indents.slice(0, 10_000), Number.MAX_SAFE_INTEGER);
  return indent === 0 ? content : new Source(content.lines.map((line, index) => (index === 0 ? line : cutLine(line, indent))));
}

const cutLine = ({ text, place }: Line, by: number): Line => {
  const cut = Math.min(by, Math.max(text.search(/\S|$/), 0));
  return { text: text.slice(cut), place: { line: place.line, column: place.column + cut } };
};

function quote(source: Source, line: number, depth: number): Block {
  let next = line;
  const within: Line[] = [];
  for (; next < source.lines.length; next++) {
    const { text, place } = source.lines[next] as Line;
    const mark = /^\s*> ?/.exec(text)?.[0];
    if (mark === undefined) break;
    within.push({ text: text.slice(mark.length), place: { line: place.line, column: place.column + mark.length } });
  }
  return next === line ? null : { node: { type: 'blockquote', children: blocksOf(new Source(within), depth + 1) }, next };
}

function list(source: Source, line: number, depth: number): Block {
  if (thematicBreakForm.test(textOf(source, line))) return null;
  return readList(source, line, (within) => blocksOf(within, depth + 1));
}

const interrupts = /^\s*(?:#{1,6}(?:\s|$)|`{3,}|~{3,}|>|[-*+]\s+\S|1[.)]\s+\S)/;

/** Makes a heading of the lines above it. */
const underline = /^ {0,3}(=+|-+)[ \t]*$/;

/** Lines up to a blank one or a block that may follow without one; a tag or an expression in it may go on over more. */
function paragraph(source: Source, line: number, depth: number): { node: TreeNode; next: number } {
  let next = line + 1;
  const ends = (at: number) => {
    const text = textOf(source, at);
    return text.trim() === '' || interrupts.test(text) || underline.test(text) || beginsTable(source, at);
  };
  while (next < source.lines.length && !ends(next)) next++;
  const from = contentOf(source, line);
  let to = source.startOf(next - 1) + textOf(source, next - 1).trimEnd().length;
  const reach = reachOf(source, from, to);
  if (reach > to) {
    next = source.lineAt(reach) + 1;
    to = source.startOf(next - 1) + textOf(source, next - 1).trimEnd().length;
  }
  const lines = source.slice(from, to).lines.map((each, index) => (index === 0 ? each : cutLine(each, Number.MAX_SAFE_INTEGER)));
  const children = inlineNodes(new Source(lines), depth + 1);
  const [, mark] = underline.exec(textOf(source, next)) ?? [];
  if (mark === undefined) return { node: { type: 'paragraph', children }, next };
  return { node: { type: 'heading', depth: mark.startsWith('=') ? 1 : 2, children }, next: next + 1 };
}

/** Where the last tag or expression that begins before `to` ends. */
function reachOf(source: Source, from: number, to: number): number {
  let reach = to;
  for (let at = from; at < to; at++) {
    const character = source.text.charAt(at);
    if (character === '\\') at++;
    else if (character === '`') return reach;
    else if (character === '{') at = endOfExpression(source, at) - 1;
    else if (character === '<' && beginsTag(source.text, at)) {
      const tag = readTag(source, at);
      at = (tag.kind === 'open' ? closingOf(source, tag, at).end : tag.end) - 1;
    }
    reach = Math.max(reach, at + 1);
  }
  return reach;
}

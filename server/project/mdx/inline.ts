/** What stands within a paragraph: text, code, emphasis, links, expressions and tags. */
import { beginsTag, closingOf, endOfCode, endOfExpression, readTag } from './jsx.ts';
import type { Source } from './source.ts';
import { depthMax, type TreeNode } from './syntax-tree.ts';

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

interface Found {
  node: TreeNode;
  end: number;
}

export function inlineNodes(source: Source, depth = 0): TreeNode[] {
  if (depth > depthMax) source.fail('The template is nested too deeply', 0);
  const { text } = source;
  const nodes: TreeNode[] = [];
  /** Openers that have no end in this text: looking for it again and again would be slow. */
  const hopeless = new Set<string>();
  let plain = '';
  const flush = () => {
    if (plain !== '') nodes.push({ type: 'text', value: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const found = special(source, at, hopeless, depth);
    if (found) {
      flush();
      nodes.push(found.node);
      at = found.end;
      continue;
    }
    const written = literal(text, at);
    plain += written.value;
    at = written.end;
  }
  flush();
  return nodes;
}

function special(source: Source, at: number, hopeless: Set<string>, depth: number): Found | null {
  const { text } = source;
  switch (text.charAt(at)) {
    case '{': {
      const end = endOfExpression(source, at);
      return { node: { type: 'mdxTextExpression', value: text.slice(at + 1, end - 1) }, end };
    }
    case '<':
      return beginsTag(text, at) ? element(source, at, depth) : source.fail('A < here must begin a tag; write \\< for the character', at);
    case '`':
      return code(text, at, hopeless);
    case '*':
    case '_':
    case '~':
      return emphasis(source, at, hopeless, depth);
    case '!':
    case '[':
      return link(source, at, hopeless, depth);
    case ' ':
      return spacesBeforeBreak(text, at);
    case '\\':
      return text.charAt(at + 1) === '\n' ? { node: { type: 'break' }, end: at + 2 } : null;
    default:
      return null;
  }
}

/** Two spaces or more at the end of a line break it; one means nothing. */
function spacesBeforeBreak(text: string, at: number): Found | null {
  if (text.charAt(at - 1) === ' ') return null;
  let end = at;
  while (text.charAt(end) === ' ') end++;
  if (text.charAt(end) !== '\n') return null;
  return end - at > 1 ? { node: { type: 'break' }, end: end + 1 } : { node: { type: 'text', value: '\n' }, end: end + 1 };
}

function element(source: Source, at: number, depth: number): Found {
  const { text } = source;
  const tag = readTag(source, at);
  if (tag.kind === 'close') source.fail(`</${tag.name ?? ''}> closes nothing`, at);
  const node: TreeNode = { type: 'mdxJsxTextElement', name: tag.name, attributes: tag.attributes, children: [] };
  if (tag.kind === 'alone') return { node, end: tag.end };
  const { contentEnd, end } = closingOf(source, tag, at);
  if (text.slice(tag.end, contentEnd) !== '') node.children = inlineNodes(source.slice(tag.end, contentEnd), depth + 1);
  return { node, end };
}

function code(text: string, at: number, hopeless: Set<string>): Found | null {
  const run = /^`+/.exec(text.slice(at, at + 64))?.[0] ?? '`';
  const found = hopeless.has(run) ? null : endOfCode(text, at);
  if (!found) {
    hopeless.add(run);
    return null;
  }
  const value = text.slice(at + found.run, found.end).replaceAll('\n', ' ');
  const isPadded = value.startsWith(' ') && value.endsWith(' ') && value.trim() !== '';
  return { node: { type: 'inlineCode', value: isPadded ? value.slice(1, -1) : value }, end: found.end + found.run };
}

const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

function emphasis(source: Source, at: number, hopeless: Set<string>, depth: number): Found | null {
  const { text } = source;
  const mark = text.charAt(at);
  const opener = mark.repeat(runLength(text, at, mark === '~' ? 2 : 3));
  const start = at + opener.length;
  if (hopeless.has(opener) || /^(?:\s|$)/.test(text.charAt(start)) || text.charAt(start) === mark) return null;
  if (mark === '_' && isWord(text.charAt(at - 1))) return null;
  for (let end = text.indexOf(opener, start + 1); end !== -1; end = text.indexOf(opener, end + 1)) {
    const after = text.charAt(end + opener.length);
    const alone = opener.length > 1 || (after !== mark && text.charAt(end - 1) !== mark);
    if (!alone || /\s/.test(text.charAt(end - 1)) || text.charAt(end - 1) === '\\') continue;
    if (mark === '_' && isWord(after)) continue;
    const within = source.slice(start, end);
    if (!isWhole(within)) continue;
    const children = inlineNodes(within, depth + 1);
    return { node: emphasised(opener, children), end: end + opener.length };
  }
  hopeless.add(opener);
  return null;
}

function runLength(text: string, at: number, most: number): number {
  let length = 1;
  while (length < most && text.charAt(at + length) === text.charAt(at)) length++;
  return length;
}

function emphasised(opener: string, children: TreeNode[]): TreeNode {
  if (opener.startsWith('~')) return { type: 'delete', children };
  if (opener.length === 3) return { type: 'emphasis', children: [{ type: 'strong', children }] };
  return { type: opener.length === 2 ? 'strong' : 'emphasis', children };
}

/** A mark inside an expression or a tag closes nothing outside it. */
function isWhole({ text }: Source): boolean {
  const count = (character: string) => text.split(character).length;
  return count('{') === count('}') && count('<') === count('>') && count('`') % 2 === 1;
}

const target = /^\(\s*(?:<([^<>\n]*)>|([^\s()<>]*))(?:\s+(?:"([^"]*)"|'([^']*)'))?\s*\)/;

function link(source: Source, at: number, hopeless: Set<string>, depth: number): Found | null {
  const { text } = source;
  const isImage = text.charAt(at) === '!';
  const start = isImage ? at + 2 : at + 1;
  if (isImage && text.charAt(at + 1) !== '[') return null;
  if (hopeless.has('](')) return null;
  const close = text.indexOf('](', start);
  if (close === -1) {
    hopeless.add('](');
    return null;
  }
  const label = text.slice(start, close);
  const found = target.exec(text.slice(close + 1, close + 4096));
  if (!found || label.includes('[') || !isWhole(source.slice(start, close))) return null;
  const title = found[3] ?? found[4] ?? null;
  const url = found[1] ?? found[2] ?? '';
  const end = close + 1 + found[0].length;
  if (isImage) return { node: { type: 'image', url, title, alt: label }, end };
  return { node: { type: 'link', url, title, children: label === '' ? [] : inlineNodes(source.slice(start, close), depth + 1) }, end };
}

/** One character as it is meant: escapes and entities resolved. */
function literal(text: string, at: number): { value: string; end: number } {
  const character = text.charAt(at);
  if (character === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) return { value: text.charAt(at + 1), end: at + 2 };
  if (character === '&') {
    const found = /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{2,8}));/.exec(text.slice(at, at + 12));
    const value = found?.[3]
      ? entities[found[3]]
      : found
        ? characterOf(Number.parseInt(found[1] ?? found[2] ?? '', found[1] ? 10 : 16))
        : undefined;
    if (found && value !== undefined) return { value, end: at + found[0].length };
  }
  return { value: character, end: at + 1 };
}

const characterOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);

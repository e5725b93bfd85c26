/** Tags and expressions, found by their brackets. Nothing in them is understood beyond where they end. */
import type { Source } from './source.ts';
import type { Attribute } from './syntax-tree.ts';

export interface Tag {
  /** Null for a fragment. */
  name: string | null;
  kind: 'open' | 'close' | 'alone';
  attributes: Attribute[];
  end: number;
}

const nameForm = /[\p{L}_$][\p{L}\p{N}_$-]*(?:(?:\.|:)[\p{L}_$][\p{L}\p{N}_$-]*)*/uy;
const attributeForm = /[\p{L}_$][\p{L}\p{N}_$-]*(?::[\p{L}_$][\p{L}\p{N}_$-]*)?/uy;

const matchAt = (form: RegExp, text: string, at: number): string | null => {
  form.lastIndex = at;
  return form.exec(text)?.[0] ?? null;
};

function skipSpace(text: string, at: number): number {
  let end = at;
  while (/\s/.test(text.charAt(end))) end++;
  return end;
}

/** @param at of `{`. @returns the offset behind its `}` */
export function endOfExpression(source: Source, at: number): number {
  const { text } = source;
  // A template text may hold expressions, which may hold template texts.
  const open: ('{' | '`')[] = [];
  for (let index = at; index < text.length; index++) {
    const character = text.charAt(index);
    if (open.at(-1) === '`') {
      if (character === '\\') index++;
      else if (character === '`') open.pop();
      else if (character === '$' && text.charAt(index + 1) === '{') {
        open.push('{');
        index++;
      }
    } else if (character === '{' || character === '`') open.push(character);
    else if (character === '}') {
      open.pop();
      if (open.length === 0) return index + 1;
    } else if (character === '"' || character === "'") index = endOfText(source, index);
    else if (text.startsWith('/*', index)) {
      const end = text.indexOf('*/', index + 2);
      if (end === -1) source.fail('This comment is never closed', index);
      index = end + 1;
    }
  }
  return source.fail('This { is never closed', at);
}

/** @returns the offset of the closing quote */
function endOfText({ text }: Source, at: number): number {
  const quote = text.charAt(at);
  for (let index = at + 1; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === quote) return index;
    // Texts do not span lines: this was an apostrophe.
    else if (character === '\n') return at;
  }
  return at;
}

/** Whether a tag begins here: `<` before a letter, `/` or `>`. */
export const beginsTag = (text: string, at: number): boolean => /^<(?:[\p{L}_$/>])/u.test(text.slice(at, at + 3));

/** @param at of `<` */
export function readTag(source: Source, at: number): Tag {
  const { text } = source;
  let index = skipSpace(text, at + 1);
  const closing = text.charAt(index) === '/';
  if (closing) index = skipSpace(text, index + 1);
  const name = matchAt(nameForm, text, index);
  index += name?.length ?? 0;
  const attributes: Attribute[] = [];
  for (;;) {
    const before = index;
    index = skipSpace(text, index);
    const character = text.charAt(index);
    if (character === '>') return { name, kind: closing ? 'close' : 'open', attributes, end: index + 1 };
    if (character === '/' && !closing) {
      index = skipSpace(text, index + 1);
      if (text.charAt(index) !== '>') source.fail('A > must follow this /', index);
      return { name, kind: 'alone', attributes, end: index + 1 };
    }
    if (character === '' || name === null || closing) source.fail(`This tag is never closed${name === null ? '' : `: <${name}`}`, at);
    if (before === index && attributes.length === 0) source.fail('A tag must not contain this character', index);
    const read = readAttribute(source, index);
    attributes.push(read.attribute);
    index = read.end;
  }
}

function readAttribute(source: Source, at: number): { attribute: Attribute; end: number } {
  const { text } = source;
  if (text.charAt(at) === '{') {
    const end = endOfExpression(source, at);
    return { attribute: { type: 'mdxJsxExpressionAttribute', value: text.slice(at + 1, end - 1) }, end };
  }
  const name = matchAt(attributeForm, text, at) ?? source.fail('A tag must not contain this character', at);
  const afterName = at + name.length;
  const equals = skipSpace(text, afterName);
  if (text.charAt(equals) !== '=') return { attribute: { type: 'mdxJsxAttribute', name, value: null }, end: afterName };
  const start = skipSpace(text, equals + 1);
  const first = text.charAt(start);
  if (first === '{') {
    const end = endOfExpression(source, start);
    const value = { type: 'mdxJsxAttributeValueExpression' as const, value: text.slice(start + 1, end - 1) };
    return { attribute: { type: 'mdxJsxAttribute', name, value }, end };
  }
  if (first !== '"' && first !== "'") source.fail('The value of an attribute stands in quotes or braces', start);
  const close = text.indexOf(first, start + 1);
  if (close === -1) source.fail('This text is never closed', start);
  return { attribute: { type: 'mdxJsxAttribute', name, value: text.slice(start + 1, close) }, end: close + 1 };
}

/** The end of a run of backticks' code, or null when the run is never closed. */
export function endOfCode(text: string, at: number): { run: number; end: number } | null {
  const run = /^`+/.exec(text.slice(at, at + 64))?.[0].length ?? 1;
  const fence = '`'.repeat(run);
  for (let end = text.indexOf(fence, at + run); end !== -1; ) {
    let length = run;
    while (text.charAt(end + length) === '`') length++;
    if (length === run) return { run, end };
    end = text.indexOf(fence, end + length);
  }
  return null;
}

export interface Closing {
  /** Where the content ends and the closing tag begins. */
  contentEnd: number;
  end: number;
}

/** The tag that closes the one that ends at `from`. Code and expressions on the way are passed over; other tags must pair. */
export function closingOf(source: Source, opened: Tag, at: number): Closing {
  const { text } = source;
  const open = [opened.name];
  let hopelessCode = false;
  for (let index = opened.end; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === '`' && !hopelessCode) {
      const code = endOfCode(text, index);
      if (code) index = code.end + code.run - 1;
      else hopelessCode = true;
    } else if (character === '{') index = endOfExpression(source, index) - 1;
    else if (character === '<' && beginsTag(text, index)) {
      const tag = readTag(source, index);
      if (tag.kind === 'open') open.push(tag.name);
      if (tag.kind === 'close') {
        const expected = open.pop();
        if (expected !== tag.name) source.fail(`Expected </${expected ?? ''}> before </${tag.name ?? ''}>`, index);
        if (open.length === 0) return { contentEnd: index, end: tag.end };
      }
      index = tag.end - 1;
    }
  }
  return source.fail(`Expected a closing tag for <${opened.name ?? ''}>`, at);
}

/** Where the statements of a TOML document are. The document must be valid, which smol-toml judges. */
import { parse } from 'smol-toml';
import { lineStart } from './settings-format.ts';

export interface TomlStatement {
  kind: 'table' | 'array-table' | 'pair';
  /** Of a pair: the table that it is in, `[]` for the root. */
  table: readonly string[];
  /** From the root. */
  path: readonly string[];
  /** Of its first line. */
  start: number;
  /** Of the value of a pair, else of the header. */
  valueStart: number;
  valueEnd: number;
  /** After the line break of its last line. */
  end: number;
}

const space = /(?:[ \t\r\n\uFEFF]+|#[^\n]*)*/y;
const blank = /[ \t]*/y;
const keyPart = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s.=\]"'[]+/y;
/** A part of a value: a string, a bracket, a comment, a line break, or what is between these. */
const valuePart =
  /"""(?:\\[\s\S]|[^\\])*?"""(?:"{0,2})|'''[\s\S]*?'''(?:'{0,2})|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[[{]|[\]}]|#[^\n]*|\n|[^"'#[\]{}\n]+/y;

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const after = (pattern: RegExp, text: string, at: number): number => at + matchAt(pattern, text, at).length;

export function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let at = after(space, text, 0); at < text.length; at = after(space, text, at)) {
    const statement = text[at] === '[' ? headerAt(text, at) : pairAt(text, at, table);
    if (statement.kind !== 'pair') table = statement.path;
    statements.push(statement);
    at = statement.end;
  }
  return statements;
}

function headerAt(text: string, at: number): TomlStatement {
  const isArray = text[at + 1] === '[';
  const { path, end } = keysAt(text, at + (isArray ? 2 : 1));
  const valueEnd = end + (isArray ? 2 : 1);
  const place = { start: lineStart(text, at), valueStart: at, valueEnd, end: lineEnd(text, valueEnd) };
  return { kind: isArray ? 'array-table' : 'table', table: path, path, ...place };
}

function pairAt(text: string, at: number, table: readonly string[]): TomlStatement {
  const { path, end } = keysAt(text, at);
  const valueStart = after(blank, text, end + 1);
  const valueEnd = valueEndAt(text, valueStart);
  return { kind: 'pair', table, path: [...table, ...path], start: lineStart(text, at), valueStart, valueEnd, end: lineEnd(text, valueEnd) };
}

/** Keys with dots between them. */
function keysAt(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  for (let at = from; ; at++) {
    at = after(blank, text, at);
    const part = matchAt(keyPart, text, at);
    path.push(keyOf(part));
    at = after(blank, text, at + part.length);
    if (text[at] !== '.') return { path, end: at };
  }
}

const keyOf = (part: string): string => (/^["']/.test(part) ? String(parse(`key = ${part}`)['key']) : part);

function valueEndAt(text: string, from: number): number {
  let [at, depth] = [from, 0];
  while (at < text.length) {
    const part = matchAt(valuePart, text, at);
    if (part === '' || (depth === 0 && /^[\n#]/.test(part))) break;
    if (/^[[{]$/.test(part)) depth++;
    if (/^[\]}]$/.test(part)) depth--;
    at += part.length;
  }
  return from + text.slice(from, at).trimEnd().length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** JSON with comments and trailing commas, as agents write their settings, with the positions of its values. */
import { SettingsError } from './settings-format.ts';

export interface JsonNode {
  start: number;
  /** After its last character. */
  end: number;
  value: unknown;
  /** Of an object. */
  members: JsonMember[] | null;
}

export interface JsonMember {
  key: string;
  keyStart: number;
  node: JsonNode;
}

const depthMax = 200;
const space = /(?:[ \t\r\n\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const string = /"(?:[^"\\]|\\[\s\S])*"/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/** The position after white space and comments. */
export const skipSpace = (text: string, from: number): number => from + (matchAt(space, text, from)?.length ?? 0);

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** @returns null for a text of nothing but white space and comments @throws SettingsError */
export function parseJsonc(text: string): JsonNode | null {
  const start = skipSpace(text, 0);
  if (start === text.length) return null;
  const root = valueAt(text, start, 0);
  const end = skipSpace(text, root.end);
  return end === text.length ? root : unexpected(text, end);
}

function valueAt(text: string, at: number, depth: number): JsonNode {
  if (depth > depthMax) throw new SettingsError(text, at, `more than ${depthMax} levels`);
  if (text[at] === '{') return objectAt(text, at, depth);
  if (text[at] === '[') return arrayAt(text, at, depth);
  const source = matchAt(string, text, at) ?? matchAt(scalar, text, at) ?? unexpected(text, at);
  return { start: at, end: at + source.length, value: literal(text, at, source), members: null };
}

/** JSON judges escapes and control characters. */
function literal(text: string, at: number, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new SettingsError(text, at, 'a string that is not valid JSON');
  }
}

function objectAt(text: string, start: number, depth: number): JsonNode {
  const members: JsonMember[] = [];
  const end = listAt(text, start, '}', (keyStart) => {
    const source = matchAt(string, text, keyStart) ?? unexpected(text, keyStart);
    const colon = skipSpace(text, keyStart + source.length);
    if (text[colon] !== ':') unexpected(text, colon);
    const node = valueAt(text, skipSpace(text, colon + 1), depth + 1);
    members.push({ key: literal(text, keyStart, source) as string, keyStart, node });
    return node.end;
  });
  return { start, end, value: Object.fromEntries(members.map(({ key, node }) => [key, node.value])), members };
}

function arrayAt(text: string, start: number, depth: number): JsonNode {
  const items: JsonNode[] = [];
  const end = listAt(text, start, ']', (at) => {
    const node = valueAt(text, at, depth + 1);
    items.push(node);
    return node.end;
  });
  return { start, end, value: items.map(({ value }) => value), members: null };
}

/** @param itemAt reads an item and returns its end @returns the end of the list */
function listAt(text: string, start: number, closing: string, itemAt: (at: number) => number): number {
  let at = skipSpace(text, start + 1);
  while (text[at] !== closing) {
    at = skipSpace(text, itemAt(at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== closing) unexpected(text, at);
  }
  return at + 1;
}

function unexpected(text: string, at: number): never {
  const found = text[at] === undefined ? 'end of the file' : JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  throw new SettingsError(text, at, `unexpected ${found}`);
}

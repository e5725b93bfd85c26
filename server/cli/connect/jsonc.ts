/** JSON with comments and trailing commas, as agents write their settings, with the positions of its values. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
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

/** The position after white space and comments. */
export function skipSpace(text: string, from: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** @returns null for a text of nothing but white space and comments @throws SettingsError */
export function parseJsonc(text: string): JsonNode | null {
  const errors: ParseError[] = [];
  // A byte order mark is read as white space of the same length, so that positions stay.
  const root = treeOf(text.replace(/^\uFEFF/, ' '), errors);
  const [error] = errors;
  if (error) throw new SettingsError(text, error.offset, messageOf(error));
  return root ? nodeOf(text, root, 0) : null;
}

/** `CloseBraceExpected` as `close brace expected`. */
const messageOf = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/\B[A-Z]/g, ' $&')
    .toLowerCase();

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError(text, 0, `more than ${depthMax} levels`);
    throw error;
  }
}

function nodeOf(text: string, node: Node, depth: number): JsonNode {
  const { offset: start, length, type, children = [] } = node;
  if (depth > depthMax) throw new SettingsError(text, start, `more than ${depthMax} levels`);
  const end = start + length;
  if (type === 'array') return { start, end, value: children.map((child) => nodeOf(text, child, depth + 1).value), members: null };
  if (type !== 'object') return { start, end, value: node.value, members: null };
  const members = children.map((property) => memberOf(text, property, depth + 1));
  return { start, end, value: Object.fromEntries(members.map(({ key, node: of }) => [key, of.value])), members };
}

function memberOf(text: string, { children = [] }: Node, depth: number): JsonMember {
  const [key, value] = children as [Node, Node];
  return { key: String(key.value), keyStart: key.offset, node: nodeOf(text, value, depth) };
}

/** Changes one value of a JSON file with comments; everything else keeps its bytes. */
import { type JsonMember, type JsonNode, parseJsonc, skipSpace } from './jsonc.ts';
import { lineEndOf, lineStart, type SettingPath, SettingsError, type SettingsFormat } from './settings-format.ts';

export const jsonSettings: SettingsFormat = {
  read: (text) => {
    const root = parseJsonc(text);
    if (root !== null && root.members === null) throw new SettingsError(text, root.start, 'not a JSON object');
    return (root?.value ?? {}) as Record<string, unknown>;
  },
  render: (value) => JSON.stringify(value, null, 1).replaceAll(/\n */g, ' '),
  sourceOf: (text, path) => {
    const node = membersOn(parseJsonc(text), path)[path.length - 1]?.node;
    return node === undefined ? null : text.slice(node.start, node.end);
  },
  edit: (text, path, source) => (source === null ? without(text, path) : withValue(text, path, source)),
};

/** Of several members with a key, agents read the last. */
const memberOf = (node: JsonNode, key: string): JsonMember | undefined => node.members?.findLast((member) => member.key === key);

/** The members on the way to a path, as far as they exist. */
function membersOn(root: JsonNode | null, path: SettingPath): JsonMember[] {
  const found: JsonMember[] = [];
  let node = root;
  for (const key of path) {
    const member = node === null ? undefined : memberOf(node, key);
    if (member === undefined) break;
    found.push(member);
    node = member.node;
  }
  return found;
}

function withValue(text: string, path: SettingPath, source: string): string {
  const root = parseJsonc(text);
  const found = membersOn(root, path);
  const last = found.at(-1);
  if (last && found.length === path.length) return spliced(text, last.node.start, last.node.end, source);
  const [key, ...inner] = path.slice(found.length) as [string, ...string[]];
  const object = last?.node ?? root;
  const member = memberText(key, inner, source);
  if (object === null) return `${text}${text === '' || text.endsWith('\n') ? '' : lineEndOf(text)}${rootWith(member, lineEndOf(text))}`;
  if (object.members === null) throw new SettingsError(text, object.start, `${JSON.stringify(last?.key)} is not an object`);
  const place = object.members.length === 0 ? inEmpty : afterLast;
  return place(text, object, member);
}

const rootWith = (member: string, eol: string): string => `{${eol}${indented(member, '  ', '  ', eol)}${eol}}${eol}`;

/** With two spaces for each level. */
function memberText(key: string, inner: readonly string[], source: string): string {
  const [next, ...rest] = inner;
  const value = next === undefined ? source : `{\n  ${memberText(next, rest, source).replaceAll('\n', '\n  ')}\n}`;
  return `${JSON.stringify(key)}: ${value}`;
}

/** @param unit of the file, which takes the place of two spaces */
function indented(member: string, indent: string, unit: string, eol: string): string {
  const lines = member.split('\n').map((line) => {
    const inner = /^(?: {2})*/.exec(line)?.[0] ?? '';
    return `${indent}${unit.repeat(inner.length / 2)}${line.slice(inner.length)}`;
  });
  return lines.join(eol);
}

const spliced = (text: string, start: number, end: number, inserted: string): string => text.slice(0, start) + inserted + text.slice(end);

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? '';

/** How the file indents, by the first member of its root. */
function unitOf(text: string): string {
  const first = parseJsonc(text)?.members?.[0];
  const indent = first ? text.slice(lineStart(text, first.keyStart), first.keyStart) : '';
  return /^[ \t]+$/.test(indent) ? indent : '  ';
}

function inEmpty(text: string, { start, end }: JsonNode, member: string): string {
  const [eol, unit, indent] = [lineEndOf(text), unitOf(text), indentAt(text, start)];
  const comments = text.slice(start + 1, end - 1).trimEnd();
  return spliced(text, start + 1, end - 1, `${comments}${eol}${indented(member, indent + unit, unit, eol)}${eol}${indent}`);
}

function afterLast(text: string, { members, end }: JsonNode, member: string): string {
  const [eol, unit, last] = [lineEndOf(text), unitOf(text), members?.at(-1) as JsonMember];
  const valueEnd = last.node.end;
  const next = skipSpace(text, valueEnd);
  const hasComma = text[next] === ',';
  const listEnd = hasComma ? next + 1 : valueEnd;
  const indent = text.slice(lineStart(text, last.keyStart), last.keyStart);
  // Comments on the line of the last member stay beside it.
  const lineEnd =
    listEnd + (/^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(listEnd, end - 1))?.[0] ?? '').length;
  if (!/^[ \t]*$/.test(indent) || !/^\r?\n/.test(text.slice(lineEnd)))
    return spliced(text, listEnd, listEnd, `${hasComma ? ' ' : ', '}${member}${hasComma ? ',' : ''}`);
  const after = spliced(text, lineEnd, lineEnd, `${eol}${indented(member, indent, unit, eol)}${hasComma ? ',' : ''}`);
  return hasComma ? after : spliced(after, valueEnd, valueEnd, ',');
}

function without(text: string, path: SettingPath): string {
  const root = parseJsonc(text);
  const found = membersOn(root, path);
  const member = found[path.length - 1];
  const object = path.length === 1 ? root : found[path.length - 2]?.node;
  if (member === undefined || !object?.members) return text;
  const at = object.members.indexOf(member);
  const next = skipSpace(text, member.node.end);
  const hasComma = text[next] === ',';
  const end = hasComma ? next + 1 : member.node.end;
  const before = object.members[at - 1];
  const after = spliced(text, ...wholeLines(text, member.keyStart, end), '');
  if (hasComma || before === undefined) return after;
  const comma = skipSpace(text, before.node.end);
  return spliced(after, comma, comma + 1, '');
}

/** The lines of a range that have nothing else; else the range with the space before it. */
function wholeLines(text: string, start: number, end: number): [number, number] {
  const first = lineStart(text, start);
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end))?.[0];
  if (/^[ \t]*$/.test(text.slice(first, start)) && rest !== undefined) return [first, end + rest.length];
  const space = /[ \t]*$/.exec(text.slice(0, start))?.[0] ?? '';
  return [start - space.length, end];
}

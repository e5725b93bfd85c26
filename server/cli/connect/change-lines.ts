/** Shows what would be written to a file, as a diff for the terminal. */
import { structuredPatch } from 'diff';
import { coloured, printable } from '../terminal.ts';
import type { ConnectableAgent } from './agents.ts';
import type { Replaced } from './connection.ts';

const contextLines = 2;
const sourceMax = 80;

/** What follows the name of a setting that may hold a key. */
const secret = /((?:key|token|secret|passw|credential|authorization|headers)[\w-]*["']?\s*[:=]\s*)\S.*$/i;

/** A password in an address. */
const password = /(:\/\/[^\s/"':@]*:)[^\s/"'@]+(?=@)/g;

/** Keys of the user are not printed. */
const hidden = (line: string): string => line.replace(secret, '$1…').replaceAll(password, '$1…');

/** @param before null for a new file @param after null for a file that is removed */
export function changeLines(path: string, before: string | null, after: string | null): string {
  const note = before === null ? ' (new file)' : after === null ? ' (removed)' : '';
  const { hunks } = structuredPatch('', '', before ?? '', after ?? '', undefined, undefined, { context: contextLines });
  const parts = hunks.map(({ oldStart, lines }) => [coloured('dim', `@@ line ${Math.max(oldStart, 1)}`), ...lines.map(shown)]);
  return [`${printable(path)}${note}`, ...parts.flat(), ''].join('\n');
}

function shown(line: string): string {
  const text = printable(hidden(line));
  if (line.startsWith('+')) return coloured('green', text);
  return line.startsWith('-') ? coloured('red', text) : text;
}

/** A sentence for each value of the user that would be replaced. */
export function replacedLines({ name, address }: ConnectableAgent, replaced: readonly Replaced[]): string {
  if (replaced.length === 0) return '';
  const lines = replaced.map(({ path, source, value }) => {
    const key = path.at(-1) ?? '';
    const now = hidden(`${key}: ${source}`).slice(key.length + 2);
    const isAddress = path.every((part, at) => address.path[at] === part);
    const outcome = `${value === null ? 'taken out' : 'replaced'}${isAddress ? `: ${name} would no longer use that address` : ''}`;
    return `${key} is ${printable(now.replaceAll(/\s+/g, ' '), sourceMax)} now, and would be ${outcome}.\n`;
  });
  return `${lines.join('')}--remove puts ${replaced.length === 1 ? 'it' : 'them'} back.\n`;
}

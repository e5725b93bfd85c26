/** What is the same in error messages that differ in numbers, ids, addresses and times. */

import { messagePlaceholders } from '../../shared/contract/tracing/error-group-shape.ts';

/** In code points of the message. */
const patternMax = 300;
const quotedMax = 24;

/** In this order: what one leaves, the next may change. Each runs in time linear in the message. */
const replacements: readonly [varying: RegExp, placeholder: string][] = [
  [/\bhttps?:\/\/[^\s"'<>)\]}]{1,2000}/gi, '‹url›'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '‹time›'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '‹id›'],
  [/(?<![\w‹])(?:[A-Za-z]:)?(?:[/\\][\w.@~-]{1,100}){2,20}/g, '‹path›'],
  [/\b(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[A-Za-z])[\w-]{12,100}\b/g, '‹id›'],
  [/\b0x[\da-f]+\b/gi, '‹id›'],
  // Not in names: gpt-4o, claude-sonnet-4-5.
  [/(?<![\w‹-])[-+]?\d+(?:[.,]\d+)*/g, '‹n›'],
];

const quoted = /"[^"\n]{1,500}"|'[^'\n]{1,500}'|“[^”\n]{1,500}”/g;

/** The first line of a message with `‹n›`, `‹id›`, `‹url›`, `‹path›`, `‹time›` and `‹text›` in place of what varies. */
export function errorPattern(message: string): string {
  const line = message.trimStart().split('\n', 1)[0] ?? '';
  const cut = [...line.slice(0, patternMax * 2)].slice(0, patternMax).join('').trimEnd();
  const unquoted = cut.replace(quoted, (text) => (text.length > quotedMax ? `${text[0]}‹text›${text.at(-1)}` : text));
  return replacements.reduce((text, [varying, placeholder]) => text.replace(varying, placeholder), unquoted);
}

const anyPlaceholder = new RegExp(`‹(?:${messagePlaceholders.join('|')})›`);

/** The longest part of a pattern that all its messages have; '' if none says much. */
export function commonPart(pattern: string): string {
  const parts = pattern.split(anyPlaceholder).map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return /\p{L}{3}/u.test(longest) ? longest : '';
}

/**
 * The YAML between the first two `---` lines. We pass it on as text and read of it only what we need, the top-level `name`; what is
 * certainly not YAML is refused, so that a broken prompt is found here and not by whoever runs it.
 */
import { TemplateSyntaxError } from './template-syntax-error.ts';

export interface FrontMatter {
  value: string;
  /** Lines that it takes with its fences. */
  lineCount: number;
}

/** Null when the text does not begin with a fence. */
export function frontMatterOf(text: string): FrontMatter | null {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---') return null;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) throw new TemplateSyntaxError('The front matter is not closed: a line of --- is missing', { line: 1, column: 1 });
  const within = lines.slice(1, end);
  check(within);
  return { value: within.join('\n'), lineCount: end + 1 };
}

const pair = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'[\]{},&*!|>%@`-][^#]*?|-[^\s].*?)\s*:(?:\s+(.*))?$/;

/** Only the top level, where a mistake is certain: everything indented belongs to the value above it. */
function check(lines: readonly string[]): void {
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    const fail = (message: string, column = 1): never => {
      throw new TemplateSyntaxError(message, { line: index + 2, column });
    };
    if (/^ *\t/.test(line) && line.trim() !== '') fail('YAML must not be indented with tabs', line.indexOf('\t') + 1);
    if (/^(\s|#|$|- |-$|\? |\.\.\.$)/.test(line)) continue;
    const found = pair.exec(line);
    if (!found) fail('This line of the front matter is neither `key: value` nor part of one');
    const value = found?.[1]?.trim() ?? '';
    if (!/^["'[{]/.test(value)) continue;
    const lineCount = spanOfValue(value, lines.slice(index + 1));
    if (lineCount === 0) fail(`The ${value.charAt(0)} of this line is never closed`, line.indexOf(value) + 1);
    index += lineCount - 1;
  }
}

/** How many lines a quoted text, list or map takes; 0 when it has no end. */
function spanOfValue(value: string, rest: readonly string[]): number {
  let open = 0;
  let quote = '';
  for (const [index, line] of [value, ...rest].entries()) {
    for (let at = 0; at < line.length; at++) {
      const character = line.charAt(at);
      if (quote === '"' && character === '\\') at++;
      else if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '#' && /\s/.test(line.charAt(at - 1))) break;
      else if (character === '"' || (character === "'" && !/\w/.test(line.charAt(at - 1)))) quote = character;
      else if (character === '[' || character === '{') open++;
      else if (character === ']' || character === '}') open--;
    }
    if (open <= 0 && quote === '') return index + 1;
  }
  return 0;
}

/** The top-level `name`, when it is a text on one line. */
export function nameIn(yaml: string): string | null {
  const written = /^(?:name|"name"|'name')\s*:[ \t]+(.+)$/m.exec(yaml)?.[1]?.trim();
  if (written === undefined) return null;
  const double = /^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/.exec(written)?.[1];
  if (double !== undefined) {
    try {
      return JSON.parse(double) as string;
    } catch {
      return null;
    }
  }
  const single = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(written)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = written.replace(/(?:^|\s)#.*$/, '').trimEnd();
  return plain === '' || /^[[{&*!|>%@`"']/.test(plain) ? null : plain;
}

/** The same YAML with the commit that it was read at. */
export function withCommit(yaml: string, commit_sha: string): string {
  const lines = yaml.split('\n');
  const at = lines.findIndex((line) => /^agentmark_meta\s*:\s*$/.test(line));
  const stamp = `  commit_sha: ${commit_sha}`;
  if (at === -1)
    return lines.some((line) => /^agentmark_meta\s*:/.test(line)) ? yaml : [...trimmed(lines), 'agentmark_meta:', stamp].join('\n');
  const end = lines.findIndex((line, index) => index > at && /^\S/.test(line));
  const own = lines.slice(at + 1, end === -1 ? undefined : end).filter((line) => !/^\s+commit_sha\s*:/.test(line));
  return [...lines.slice(0, at + 1), stamp, ...own, ...(end === -1 ? [] : lines.slice(end))].join('\n');
}

const trimmed = (lines: string[]): string[] => (lines.at(-1)?.trim() === '' ? lines.slice(0, -1) : lines);

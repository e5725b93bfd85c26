/**
 * YAML at the beginning of a template. It is passed on as text; it is parsed so that an invalid prompt is refused here and not when it is run,
 * and so is a dangerous one: aliases that expand to far more than was written, tags that would run code.
 */
import { parseDocument } from 'yaml';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** In order of precedence: where several are configured, the renderer takes the first. */
export const promptKinds = ['image', 'speech', 'object', 'text'] as const;
export type PromptKind = (typeof promptKinds)[number];

interface FrontMatter {
  /** Its top-level `name`; null when that is neither a string nor a number. */
  name: string | null;
  /** By the configuration that is present; null when there is none. */
  kind: PromptKind | null;
  /** The same YAML with the commit of the file added. */
  withCommit(commit_sha: string): string;
}

const charactersMax = 64 * 1024;
const aliasesMax = 100;

/** The YAML between the first two `---` lines; null when the text does not begin with a fence. @throws TemplateSyntaxError when it is not closed */
export function yamlOf(text: string): string | null {
  const opening = /^---[ \t]*(?:\r\n|\n|\r)/.exec(text);
  if (!opening) return null;
  const closing = /(?:\r\n|\n|\r)---[ \t]*(?=[\r\n]|$)/g;
  closing.lastIndex = opening[0].length - 1;
  const end = closing.exec(text);
  if (!end) throw syntaxError('The front matter is not closed: a line of --- is missing');
  return text.slice(opening[0].length, end.index).replace(/\r\n?/g, '\n');
}

/** @throws TemplateSyntaxError with a location in the template, whose first line is the fence */
export function frontMatterOf(yaml: string): FrontMatter {
  if (yaml.length > charactersMax) throw syntaxError(`The front matter is longer than ${charactersMax} characters`);
  const { fields, set } = parsed(yaml);
  const name = fields.get('name');
  return {
    name: typeof name === 'string' ? name : typeof name === 'number' ? String(name) : null,
    kind: promptKinds.find((kind) => fields.get(`${kind}_config`)) ?? null,
    withCommit: (commit_sha) => appended(yaml, commit_sha) ?? set(commit_sha),
  };
}

const metaKey = 'agentmark_meta';

/** The commit appended as new lines, with the rest unchanged; null where the result is not valid YAML or has a duplicate key. */
function appended(yaml: string, commit_sha: string): string | null {
  const text = `${yaml}${yaml === '' ? '' : '\n'}${metaKey}:\n  commit_sha: ${commit_sha}`;
  try {
    return parsed(text).fields.has(metaKey) ? text : null;
  } catch {
    return null;
  }
}

const syntaxError = (message: string, line = 1, column = 1): TemplateSyntaxError => new TemplateSyntaxError(message, { line, column });

function parsed(yaml: string): { fields: Map<unknown, unknown>; set(commit_sha: string): string } {
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent' });
    const [problem] = [...document.errors, ...document.warnings];
    // The library counts from the line after the fence, and repeats the position in the message.
    if (problem)
      throw syntaxError(
        `The front matter is not YAML: ${problem.message.split(/ at line |\n/)[0]}`,
        (problem.linePos?.[0].line ?? 0) + 1,
        problem.linePos?.[0].col,
      );
    const fields: unknown = document.toJS({ maxAliasCount: aliasesMax, mapAsMap: true }) ?? new Map();
    if (!(fields instanceof Map)) throw syntaxError('The front matter must consist of `key: value` lines', 2);
    return {
      fields,
      set: (commit_sha) => {
        document.setIn([metaKey, 'commit_sha'], commit_sha);
        return document.toString({ lineWidth: 0 }).trimEnd();
      },
    };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) throw error;
    // Aliases that expand to too much, or nesting that overflows the stack.
    throw syntaxError('The front matter expands to more than is allowed', 2);
  }
}

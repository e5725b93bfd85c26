/** The thread that parses templates. A hostile template can take forever to parse; the caller then ends the thread. */
import { answerMessages } from '../../platform/answer-messages.ts';
import type { WorkProtocol } from '../../platform/thread.ts';
import { ProjectError } from '../project-error.ts';
import { buildTemplate, type TemplateSources } from './build-template.ts';
import { type ParsedFile, parseFile } from './syntax.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/** Start message of the thread. */
export interface TemplateTask {
  role: 'template';
}

export type TemplateReply =
  /** The tree as JSON. */
  | { kind: 'tree'; json: string }
  /** Files that must be read first. */
  | { kind: 'missing'; paths: readonly string[] }
  | { kind: 'refused'; message: string; line: number; column: number; file: string | null }
  | { kind: 'outside'; message: string };

export type TemplateProtocol = WorkProtocol<TemplateTask, ReturnType<typeof createWork>>;

/** Limit for the tree as JSON, which is many times as long as the text. */
const charactersMax = 16 * 1024 * 1024;
/** Total length of the texts whose trees are cached: a template is requested again when its imports have been read. */
const cachedCharactersMax = 1024 * 1024;

export const runTemplateThread = (): void => answerMessages(createWork());

function createWork() {
  const files = new ParsedFiles();
  return { read: (sources: TemplateSources) => read(sources, files) };
}

function read(sources: TemplateSources, files: ParsedFiles): TemplateReply {
  try {
    const built = buildTemplate(sources, (text) => files.of(text));
    if (!('type' in built)) return { kind: 'missing', paths: built };
    const json = JSON.stringify(built);
    if (json.length > charactersMax) return refused('The tree of the template is too large');
    return { kind: 'tree', json };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return { ...locationOf(error), kind: 'refused', message: error.message };
    if (error instanceof ProjectError) return { kind: 'outside', message: error.message };
    if (error instanceof RangeError) return refused('The template is nested too deeply');
    throw error;
  }
}

const locationOf = ({ line, column, file }: TemplateSyntaxError) => ({ line, column, file });
const refused = (message: string): TemplateReply => ({ kind: 'refused', message, line: 1, column: 1, file: null });

class ParsedFiles {
  readonly #files = new Map<string, ParsedFile>();
  #characters = 0;

  of(text: string): ParsedFile {
    const known = this.#files.get(text);
    if (known) return known;
    const parsed = parseFile(text);
    if (this.#characters + text.length > cachedCharactersMax) {
      this.#files.clear();
      this.#characters = 0;
    }
    this.#files.set(text, parsed);
    this.#characters += text.length;
    return parsed;
  }
}

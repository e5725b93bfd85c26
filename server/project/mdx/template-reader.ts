/**
 * Reads templates in a thread, with a limit to the processor time and the memory that one may take, and remembers what came of it. Files are
 * read here, by who knows the project: the thread says which it needs.
 */
import { createHash } from 'node:crypto';
import type { Scope } from '../../platform/scope.ts';
import { startThread } from '../../platform/thread.ts';
import { ThreadLimitExceeded, ThreadQueue } from '../../platform/thread-queue.ts';
import { ProjectError } from '../project-error.ts';
import type { ProjectFiles } from '../project-files.ts';
import type { TemplateSources } from './build-template.ts';
import type { PromptKind } from './front-matter.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';
import type { TemplateReply, TemplateTask, TemplateWork } from './template-thread.ts';

/** Of processor time. A prompt of a page takes a few; one of a hundred kilobytes, in which every line has markup, takes most of it. */
const workMsMax = 400;
const rememberedCharactersMax = 16 * 1024 * 1024;

/** Where the files of one reading come from. @throws ProjectError */
export interface TemplateFiles {
  /** The commit they stand at; null outside version control. */
  commit(): Promise<string | null>;
  /** Null when there is no such file. */
  text(path: string): Promise<string | null>;
}

export const filesOf = (project: Pick<ProjectFiles, 'commit' | 'text'>, scope: Scope): TemplateFiles => ({
  commit: () => project.commit(scope),
  text: (path) => project.text(scope, path),
});

export class TemplateReader {
  readonly #thread: ThreadQueue<TemplateWork>;
  readonly #replies = new Map<string, { reply: TemplateReply; size: number }>();
  #size = 0;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#thread = new ThreadQueue(() => startThread(entry, { role: 'template' } satisfies TemplateTask), workMsMax);
  }

  /**
   * The tree as JSON, with the commit of the project in its front matter; null when there is no such file.
   * @param kind what it is read as, which says the tags it may use; null to go by its front matter
   * @throws TemplateSyntaxError, ProjectError, ThreadDied
   */
  async read(scope: Scope, files: TemplateFiles, path: string, kind: PromptKind | null = null): Promise<string | null> {
    const text = await files.text(path);
    if (text === null) return null;
    const commit_sha = await files.commit();
    const imported = new Map<string, string | null>();
    for (;;) {
      const reply = await this.#reply(scope, { path, text, files: imported, commit_sha, kind });
      if (reply.kind === 'tree') return reply.json;
      if (reply.kind === 'outside') throw new ProjectError('outside', reply.message);
      if (reply.kind === 'refused') throw new TemplateSyntaxError(reply.message, reply, reply.file);
      for (const missing of reply.paths) imported.set(missing, await files.text(missing));
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #reply({ tenant_id }: Scope, sources: TemplateSources): Promise<TemplateReply> {
    const key = keyOf(sources);
    const known = this.#replies.get(key);
    if (known) {
      this.#forget(key);
      this.#remember(key, known.reply);
      return known.reply;
    }
    const reply = await this.#thread.ask(tenant_id, sources, []).catch((error: unknown) => {
      if (error instanceof ThreadLimitExceeded) return spent;
      throw error;
    });
    this.#remember(key, reply);
    return reply;
  }

  #remember(key: string, reply: TemplateReply): void {
    this.#forget(key);
    const size = key.length + 200 + (reply.kind === 'tree' ? reply.json.length : 0);
    this.#replies.set(key, { reply, size });
    this.#size += size;
    for (const [oldest] of this.#replies) {
      if (this.#size <= rememberedCharactersMax) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#replies.get(key)?.size ?? 0;
    this.#replies.delete(key);
  }
}

const spent: TemplateReply = {
  kind: 'refused',
  message: `The template takes more time or memory to read than one may take (${workMsMax} ms)`,
  line: 1,
  column: 1,
  file: null,
};

/** Trees depend on nothing else, so they never get old. */
function keyOf({ path, text, files, commit_sha, kind }: TemplateSources): string {
  return createHash('sha256')
    .update(JSON.stringify([path, text, [...files], commit_sha, kind]))
    .digest('base64');
}

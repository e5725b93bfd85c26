/**
 * Parses templates in a thread, with limits for the processor time and memory of each, and caches the results. Files are read here, because
 * the thread has no access to the project: it replies which files it needs.
 */
import { createHash } from 'node:crypto';
import type { Scope } from '../../platform/scope.ts';
import { ThreadLimitExceeded, ThreadQueue } from '../../platform/thread-queue.ts';
import { ProjectError } from '../project-error.ts';
import type { ProjectFiles } from '../project-files.ts';
import type { TemplateSources } from './build-template.ts';
import type { PromptKind } from './front-matter.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';
import type { TemplateProtocol, TemplateReply } from './template-thread.ts';

/** Processor time. A prompt of one page takes a few milliseconds; one of a hundred kilobytes with markup in every line takes most of it. */
const workMsMax = 400;
const cachedCharactersMax = 16 * 1024 * 1024;

/** The files that one template is read from. @throws ProjectError */
export interface TemplateFiles {
  /** The commit of the files; null outside version control. */
  commit(): Promise<string | null>;
  /** Null when there is no such file. */
  text(path: string): Promise<string | null>;
}

export const filesOf = (project: Pick<ProjectFiles, 'commit' | 'text'>, scope: Scope): TemplateFiles => ({
  commit: () => project.commit(scope),
  text: (path) => project.text(scope, path),
});

export class TemplateReader {
  readonly #thread: ThreadQueue<TemplateProtocol>;
  readonly #replies = new Map<string, { reply: TemplateReply; size: number }>();
  #size = 0;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#thread = new ThreadQueue(entry, { role: 'template' }, workMsMax);
  }

  /**
   * The tree as JSON, with the commit of the project in its front matter; null when there is no such file.
   * @param kind the kind of prompt, which decides the allowed tags; null to use the one in its front matter
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
    const reply = await this.#thread.ask(tenant_id, 'read', sources, []).catch((error: unknown) => {
      if (error instanceof ThreadLimitExceeded) return limitExceeded;
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
      if (this.#size <= cachedCharactersMax) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#replies.get(key)?.size ?? 0;
    this.#replies.delete(key);
  }
}

const limitExceeded: TemplateReply = {
  kind: 'refused',
  message: `The template takes more time or memory to parse than is allowed (${workMsMax} ms)`,
  line: 1,
  column: 1,
  file: null,
};

/** Trees depend on nothing else, so cached trees never become stale. */
function keyOf({ path, text, files, commit_sha, kind }: TemplateSources): string {
  return createHash('sha256')
    .update(JSON.stringify([path, text, [...files], commit_sha, kind]))
    .digest('base64');
}

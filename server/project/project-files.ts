import type { Actor } from '../control/actor.ts';
import type { Scope } from '../platform/scope.ts';

export interface ProjectConfig {
  /** The commit that is checked out; null outside version control. */
  commit_sha: string | null;
  config: Record<string, unknown>;
}

export interface PromptFile {
  /** Under the templates folder, with `/` between its parts. */
  path: string;
  /** From the front matter; null when unreadable. */
  name: string | null;
}

export interface DatasetFile {
  /** Under the templates folder, with `/` between its parts and `.jsonl` at its end. */
  name: string;
  /** Null for a file that is too large to be read. */
  row_count: number | null;
  /** Only for such a file. */
  size_bytes?: number;
  /** ISO 8601. */
  created_at: string;
}

/**
 * The files a team writes: configuration, prompt templates and datasets. They may come from a repository that somebody else wrote, so an
 * implementation MUST validate every name before it accesses anything, MUST NOT read or write outside the project whatever names or links
 * exist, and MUST NOT run what it reads. It returns the current state: a change made elsewhere is visible in the next call.
 *
 * @throws ProjectError from every method
 */
export interface ProjectFiles {
  /** Optional features of the implementation. */
  readonly capabilities: {
    /** Prompts can be listed without giving a name. */
    listing: boolean;
  };
  /** The commit that is checked out; null outside version control. */
  commit(scope: Scope): Promise<string | null>;
  /** Null without a configuration, or when it is not a JSON object. */
  config(scope: Scope): Promise<ProjectConfig | null>;
  /** All prompts, by path in code unit order. With a name, only exact matches of the front matter. */
  prompts(scope: Scope, name?: string): Promise<PromptFile[]>;
  /** Text of a template, without a byte order mark. Null for a missing file. */
  text(scope: Scope, path: string): Promise<string | null>;
  /** Bytes of a dataset, in their own buffer. Null for a missing file. */
  dataset(scope: Scope, path: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** By name in code unit order. */
  datasets(scope: Scope): Promise<DatasetFile[]>;
  /**
   * Adds rows, each one line of JSON, to a dataset, which is created with its folders when it is missing. All rows are stored or none, they are
   * durable when this resolves, and concurrent appends to one dataset never interleave.
   * @param name with or without `.jsonl`
   * @param by who adds them
   * @returns the number of the first new row, counted from zero over lines that are not blank
   */
  append(scope: Scope, name: string, rows: readonly string[], by: Actor): Promise<number>;
}

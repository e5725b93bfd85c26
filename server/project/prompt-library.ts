import type { Deployment } from '../control/deployment-store.ts';
import type { ChangeKind } from '../control/snapshot-store.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { PromptFacts } from './prompt-facts.ts';

/** Where prompts are looked at: a folder, or what an environment serves. */
export type PromptSource =
  | { kind: 'folder'; commit_sha: string | null }
  /** `deployment` is null while nothing was deployed. */
  | { kind: 'environment'; id: string; name: string; is_default: boolean; deployment: Deployment | null };

export interface ListedPrompt extends PromptFacts {
  /** Under the templates folder, with `/` between its parts. */
  path: string;
  /** ISO 8601; null where that is not known. */
  changed_at: string | null;
  /** What changed it last; null where nothing was deployed. */
  changed_by: Deployment | null;
}

export interface PromptVersion {
  change: ChangeKind;
  deployment: Deployment;
}

/** The prompts in one state. */
export interface PromptShelf {
  source: PromptSource;
  commit_sha: string | null;
  /** By path in code-unit order. */
  prompts(): Promise<ListedPrompt[]>;
  /** The text of a template. Null when there is no such file. */
  text(path: string): Promise<string | null>;
}

/** Which state is meant. */
export interface ShelfQuery {
  /** By name. Absent: the default one. */
  environment?: string | undefined;
  /** A deployment of the app whose files are looked at, instead of what the environment serves. */
  deployment_id?: string | undefined;
}

/**
 * Prompts as people look at them: which there are, what they say, and what they said before.
 * @throws ProjectError from every method that reads files
 */
export interface PromptLibrary {
  /** What is missing, where there is no such environment or no files of such a deployment. */
  shelf(scope: Scope, query: ShelfQuery): Promise<PromptShelf | 'environment' | 'deployment'>;
  /** The deployments to an environment that changed a prompt, newest first; none where nothing is deployed. Null: no such environment. */
  versions(scope: Scope, environment: string | undefined, path: string, query: PageQuery): Promise<Page<PromptVersion> | null>;
}

import type { Deployment } from '../control/deployment-store.ts';
import type { ChangeKind } from '../control/snapshot-store.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { PromptFacts } from './prompt-facts.ts';

/** Source of prompts: a folder, or an environment. */
export type PromptSource =
  | { kind: 'folder'; commit_sha: string | null }
  /** `deployment` is null while nothing was deployed. */
  | { kind: 'environment'; id: string; name: string; is_default: boolean; deployment: Deployment | null };

export interface ListedPrompt extends PromptFacts {
  /** Under the templates folder, with `/` between its parts. */
  path: string;
  /** ISO 8601; null where that is not known. */
  changed_at: string | null;
  /** Deployment that changed it last; null without deployments. */
  changed_by: Deployment | null;
}

export interface PromptVersion {
  change: ChangeKind;
  deployment: Deployment;
}

/** The prompts of a folder, an environment or a deployment. */
export interface PromptSet {
  source: PromptSource;
  commit_sha: string | null;
  /** By path in code unit order. */
  prompts(): Promise<ListedPrompt[]>;
  /** Text of a template. Null for a missing file. */
  text(path: string): Promise<string | null>;
}

/** Selects a set of prompts. */
export interface PromptSetQuery {
  /** By name; the default one when absent. */
  environment?: string | undefined;
  /** Deployment whose files are read, instead of those of the environment. */
  deployment_id?: string | undefined;
}

/**
 * Prompts for display: list, text and earlier versions.
 * @throws ProjectError from every method that reads files
 */
export interface PromptLibrary {
  /** Reason when the environment or the deployment does not exist. */
  promptSet(scope: Scope, query: PromptSetQuery): Promise<PromptSet | 'environment' | 'deployment'>;
  /** The deployments to an environment that changed a prompt, newest first; none where nothing is deployed. Null: no such environment. */
  versions(scope: Scope, environment: string | undefined, path: string, query: PageQuery): Promise<Page<PromptVersion> | null>;
}

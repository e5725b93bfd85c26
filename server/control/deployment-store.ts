import type { z } from 'zod';
import type { deployment } from '../../shared/contract/deployments.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { SnapshotFile } from './snapshot-store.ts';

export type Deployment = z.output<typeof deployment>;

/** A deployment whose files come from outside: a push to the branch, or the command line. */
export interface DeploymentDraft {
  deployment_type: 'push' | 'cli';
  branch: string | null;
  commit_sha: string;
  commit_message: string | null;
  /** Whoever made the change, in words. */
  initiated_by: string;
}

/** What became of the code. Skipped: the project has none to run, or nothing here runs it. */
export type CodeOutcome =
  | { code_status: 'deployed' | 'skipped'; code_failure_reason: null }
  | { code_status: 'failed'; code_failure_reason: string };

/** A deployment that was running when it was asked for, and where it was. */
export interface RunningDeployment {
  scope: Scope;
  deployment: Deployment;
}

/**
 * What was brought to the environments of an app. A deployment is `running` until its files and its code have ended; then it is a `success`
 * when neither failed, and what it says never changes again.
 *
 * `start`, `sync` and `finish` are for deployments to the default environment, which follows the head of the branch. Other environments
 * are reached by promotion only, which `SagaStore` keeps.
 */
export interface DeploymentStore {
  find(scope: Scope, id: string): Promise<Deployment | null>;
  /** Newest first. */
  list(scope: Scope, query: PageQuery & DeploymentFilter): Promise<Page<Deployment>>;
  /** The one that gave an environment a version. */
  findVersion(scope: Scope, environmentId: string, version: number): Promise<Deployment | null>;
  /** The deployment whose code an environment runs. */
  findRunningCode(scope: Scope, environmentId: string): Promise<Deployment | null>;
  /** The deployments of every app that bring files from outside and have not ended, the oldest first. */
  unfinished(): Promise<RunningDeployment[]>;

  /** Begins one to the default environment, with `files_status` `syncing`. One that is still running there is aborted by it. */
  start(by: Actor, scope: Scope, draft: DeploymentDraft): Promise<Deployment>;
  /** Keeps its files; from then on the default environment serves them. Null when it is not running any more: it was aborted. */
  sync(by: Actor, scope: Scope, id: string, files: readonly SnapshotFile[]): Promise<Deployment | null>;
  /** Ends it after its files came. Null when it is not running any more. */
  finish(by: Actor, scope: Scope, id: string, code: CodeOutcome): Promise<Deployment | null>;
  /** Ends it because its files could not be had. Null when it is not running any more. */
  fail(by: Actor, scope: Scope, id: string, failure_reason: string): Promise<Deployment | null>;
}

export interface DeploymentFilter {
  status?: 'running' | 'success' | 'failure' | undefined;
  environment_id?: string | undefined;
}

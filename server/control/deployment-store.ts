import type { z } from 'zod';
import type { deployment } from '../../shared/contract/projects/deployments.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { Claim } from './lease-store.ts';
import type { SnapshotFile } from './snapshot-store.ts';

export type Deployment = z.output<typeof deployment>;

/** Deployment of files from outside: a push to the branch, or the command line. */
export interface DeploymentDraft {
  deployment_type: 'push' | 'cli';
  branch: string | null;
  commit_sha: string;
  commit_message: string | null;
  /** Display name of the author of the change. */
  initiated_by: string;
}

/** Outcome of the code. Skipped: the project has no code, or this gateway runs none. */
export type CodeOutcome =
  | { code_status: 'deployed' | 'skipped'; code_failure_reason: null }
  | { code_status: 'failed'; code_failure_reason: string };

/** A running deployment with files from outside, for the gateway that has its lease. */
export interface ClaimedDeployment {
  scope: Scope;
  deployment: Pick<Deployment, 'id'>;
  claim: Claim;
}

export interface RunningDeployment extends ClaimedDeployment {
  deployment: Deployment;
}

/**
 * Deployments to the environments of an app. A deployment is `running` until its files and its code have ended; it is a `success` when
 * neither failed, and immutable afterwards. `start`, `sync`, `finish` and `fail` are for deployments to the default environment, which follows
 * the head of the branch; they change nothing when the lease is lost. Other environments are changed only by sagas (`SagaStore`).
 */
export interface DeploymentStore {
  find(scope: Scope, id: string): Promise<Deployment | null>;
  /** Newest first. */
  list(scope: Scope, query: PageQuery & DeploymentFilter): Promise<Page<Deployment>>;
  /** Deployment that gave an environment a version. */
  findVersion(scope: Scope, environmentId: string, version: number): Promise<Deployment | null>;
  /** Deployment whose code an environment runs. */
  findRunningCode(scope: Scope, environmentId: string): Promise<Deployment | null>;
  /** Claims the unfinished deployments of all apps with files from outside whose lease has ended, oldest first. */
  takeOver(holder: string): Promise<RunningDeployment[]>;

  /** Starts a deployment to the default environment, with `files_status` `syncing`. It aborts a running one there. */
  start(by: Actor, scope: Scope, draft: DeploymentDraft, holder: string): Promise<RunningDeployment>;
  /** Stores its files, which the default environment serves from then on. Null when it is no longer running: it was aborted. */
  sync(by: Actor, running: ClaimedDeployment, files: readonly SnapshotFile[]): Promise<Deployment | null>;
  /** Ends it after its files were stored. Null when it is no longer running. */
  finish(by: Actor, running: ClaimedDeployment, code: CodeOutcome): Promise<Deployment | null>;
  /** Ends it because its files could not be read. Null when it is no longer running. */
  fail(by: Actor, running: ClaimedDeployment, failure_reason: string): Promise<Deployment | null>;
}

export interface DeploymentFilter {
  status?: 'running' | 'success' | 'failure' | undefined;
  environment_id?: string | undefined;
}

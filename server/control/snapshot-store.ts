import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Deployment } from './deployment-store.ts';

/** One file of a project, as text. */
export interface SnapshotFile {
  /** Relative to the project, with `/` between its parts. One file each. */
  path: string;
  text: string;
}

export type ChangeKind = 'added' | 'changed' | 'removed';

/** A file that is not in one state as in another. */
export interface FileChange {
  path: string;
  change: ChangeKind;
}

/** A file that a deployment changed, compared with what its environment served before. */
export interface DeployedChange extends FileChange {
  deployment: Deployment;
}

/**
 * The files of what was deployed: every deployment has its own snapshot, which never changes. The text of a file is kept once for each app,
 * however many snapshots hold it.
 *
 * What an environment serves is the snapshot of its `latest_deployment_id`; an environment without one serves nothing. Snapshots are
 * written by `DeploymentStore.sync` and `SagaStore.pin`, in the transaction that makes the environment serve them.
 */
export interface SnapshotStore {
  /** In code-point order. Empty when there is no such snapshot. */
  paths(scope: Scope, deploymentId: string): Promise<string[]>;
  /** Null when the snapshot has no such file. */
  text(scope: Scope, deploymentId: string, path: string): Promise<string | null>;
  /** By path in code-point order. Null when there is no such snapshot. */
  files(scope: Scope, deploymentId: string): Promise<SnapshotFile[] | null>;
  /** How the second snapshot differs from the first, by path in code-point order. Null stands for no files; so does a snapshot that is not there. */
  compare(scope: Scope, fromId: string | null, toId: string | null): Promise<FileChange[]>;
  /** The deployments to an environment that changed a file, newest first. */
  history(scope: Scope, environmentId: string, path: string, query: PageQuery): Promise<Page<DeployedChange>>;
  /** The newest change of every file that an environment serves. */
  latestChanges(scope: Scope, environmentId: string): Promise<DeployedChange[]>;
}

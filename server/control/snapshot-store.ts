import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Deployment } from './deployment-store.ts';

/** Text file of a project. */
export interface SnapshotFile {
  /** Relative to the project, separated by `/`. Unique. */
  path: string;
  text: string;
}

export type ChangeKind = 'added' | 'changed' | 'removed';

/** Difference of a file between two states. */
export interface FileChange {
  path: string;
  change: ChangeKind;
}

/** File changed by a deployment, compared with the previous version of its environment. */
export interface DeployedChange extends FileChange {
  deployment: Deployment;
}

/**
 * Snapshots: the files of each deployment, which never change. The text of a file is stored once for each app, however many snapshots contain
 * it. An environment serves the snapshot of its `latest_deployment_id`, or nothing without one. `DeploymentStore.sync` and `SagaStore.pin`
 * write snapshots, in the transaction that makes the environment serve them.
 */
export interface SnapshotStore {
  /** In code point order. Empty for an unknown snapshot. */
  paths(scope: Scope, deploymentId: string): Promise<string[]>;
  /** Null when the snapshot has no such file. */
  text(scope: Scope, deploymentId: string, path: string): Promise<string | null>;
  /** By path in code point order. Null for an unknown snapshot. */
  files(scope: Scope, deploymentId: string): Promise<SnapshotFile[] | null>;
  /** Changes from the first snapshot to the second, by path in code point order. Null and an unknown snapshot count as empty. */
  compare(scope: Scope, fromId: string | null, toId: string | null): Promise<FileChange[]>;
  /** The deployments to an environment that changed a file, newest first. */
  history(scope: Scope, environmentId: string, path: string, query: PageQuery): Promise<Page<DeployedChange>>;
  /** The newest change of every file that an environment serves. */
  latestChanges(scope: Scope, environmentId: string): Promise<DeployedChange[]>;
}

import type { Scope } from '../platform/scope.ts';

/** One file of a project, as text. */
export interface SnapshotFile {
  /** Relative to the project, with `/` between its parts. One file each. */
  path: string;
  text: string;
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
}

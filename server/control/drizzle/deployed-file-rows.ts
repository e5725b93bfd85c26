import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { FileChange, SnapshotFile } from '../snapshot-store.ts';
import type { Queries } from './control-database.ts';
import { fileChanges, fileContents, snapshotFiles, snapshots } from './schema/deployments.ts';
import { environments } from './schema/identity.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export const isSnapshot = ({ tenant_id, app_id }: Scope, deploymentId: string) =>
  and(eq(snapshots.tenant_id, tenant_id), eq(snapshots.app_id, app_id), eq(snapshots.deployment_id, deploymentId));

interface NewSnapshot {
  deployment_id: string;
  environment_id: string;
  created_at: string;
}

/** Within a transaction. */
export function insertSnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, files: readonly SnapshotFile[]): void {
  const hashes = new Map<string, string>();
  for (const { path, text } of files) {
    const hash = hashOf(text);
    hashes.set(path, hash);
    write
      .insert(fileContents)
      .values({ ...scope, hash, text })
      .onConflictDoNothing()
      .run();
  }
  storeSnapshot(write, scope, snapshot, hashes);
}

/** Within a transaction. False without a snapshot of the source. */
export function copySnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, sourceId: string): boolean {
  if (!write.select().from(snapshots).where(isSnapshot(scope, sourceId)).get()) return false;
  storeSnapshot(write, scope, snapshot, hashesOf(write, sourceId));
  return true;
}

/** Stores the snapshot with its files and its changes to the environment. */
function storeSnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, hashes: ReadonlyMap<string, string>): void {
  const { deployment_id, environment_id } = snapshot;
  const before = servedSnapshot(write, environment_id);
  write
    .insert(snapshots)
    .values({ ...scope, ...snapshot })
    .run();
  for (const [path, hash] of hashes) write.insert(snapshotFiles).values({ deployment_id, path, hash }).run();
  insertChanges(write, snapshot, before === null ? new Map() : hashesOf(write, before), hashes);
}

/** Hashes by path. */
export const hashesOf = (queries: Queries, deploymentId: string): Map<string, string> =>
  new Map(
    queries
      .select()
      .from(snapshotFiles)
      .where(eq(snapshotFiles.deployment_id, deploymentId))
      .all()
      .map(({ path, hash }) => [path, hash]),
  );

/** The snapshot that an environment serves until the current transaction; null before its first one. */
function servedSnapshot(write: Queries, environmentId: string): string | null {
  const environment = write
    .select({ id: environments.latest_deployment_id })
    .from(environments)
    .where(eq(environments.id, environmentId))
    .get();
  return environment?.id ?? null;
}

/** Differences between files, by path in code-point order. @param before hashes by path */
export function diffFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, hash] of after) {
    const old = before.get(path);
    if (old !== hash) changes.push({ path, change: old === undefined ? 'added' : 'changed' });
  }
  for (const path of before.keys()) if (!after.has(path)) changes.push({ path, change: 'removed' });
  return changes.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Stores the changes of a snapshot to its environment. Within the transaction of the snapshot. */
function insertChanges(
  write: Queries,
  { deployment_id, environment_id }: { deployment_id: string; environment_id: string },
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): void {
  for (const { path, change } of diffFiles(before, after)) {
    write
      .insert(fileChanges)
      .values({ deployment_id, environment_id, path, change, hash: after.get(path) ?? null })
      .run();
  }
}

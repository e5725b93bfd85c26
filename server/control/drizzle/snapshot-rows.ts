import { createHash } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { SnapshotFile, SnapshotStore } from '../snapshot-store.ts';
import type { ControlDatabase, Queries } from './control-database.ts';
import { fileContents, snapshotFiles, snapshots } from './schema/deployments.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isSnapshot = ({ tenant_id, app_id }: Scope, deploymentId: string) =>
  and(eq(snapshots.tenant_id, tenant_id), eq(snapshots.app_id, app_id), eq(snapshots.deployment_id, deploymentId));

export function snapshotRows({ queries }: ControlDatabase): SnapshotStore {
  const isKept = (scope: Scope, id: string) => queries.select().from(snapshots).where(isSnapshot(scope, id)).get() !== undefined;
  const files = (scope: Scope, id: string, path?: string) =>
    queries
      .select({ path: snapshotFiles.path, text: fileContents.text })
      .from(snapshots)
      .innerJoin(snapshotFiles, eq(snapshotFiles.deployment_id, snapshots.deployment_id))
      .innerJoin(fileContents, and(eq(fileContents.app_id, snapshots.app_id), eq(fileContents.hash, snapshotFiles.hash)))
      .where(and(isSnapshot(scope, id), path === undefined ? undefined : eq(snapshotFiles.path, path)))
      .orderBy(asc(snapshotFiles.path));
  return {
    paths: async (scope, id) =>
      queries
        .select({ path: snapshotFiles.path })
        .from(snapshots)
        .innerJoin(snapshotFiles, eq(snapshotFiles.deployment_id, snapshots.deployment_id))
        .where(isSnapshot(scope, id))
        .orderBy(asc(snapshotFiles.path))
        .all()
        .map(({ path }) => path),
    text: async (scope, id, path) => files(scope, id, path).get()?.text ?? null,
    files: async (scope, id) => (isKept(scope, id) ? files(scope, id).all() : null),
  };
}

interface NewSnapshot {
  deployment_id: string;
  environment_id: string;
  created_at: string;
}

/** Within a transaction. */
export function insertSnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, files: readonly SnapshotFile[]): void {
  const { deployment_id } = snapshot;
  write
    .insert(snapshots)
    .values({ ...scope, ...snapshot })
    .run();
  for (const { path, text } of files) {
    const hash = hashOf(text);
    write
      .insert(fileContents)
      .values({ ...scope, hash, text })
      .onConflictDoNothing()
      .run();
    write.insert(snapshotFiles).values({ deployment_id, path, hash }).run();
  }
}

/** Within a transaction. False when there is no snapshot of the source. */
export function copySnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, sourceId: string): boolean {
  if (!write.select().from(snapshots).where(isSnapshot(scope, sourceId)).get()) return false;
  const { deployment_id } = snapshot;
  const rows = write.select().from(snapshotFiles).where(eq(snapshotFiles.deployment_id, sourceId)).all();
  write
    .insert(snapshots)
    .values({ ...scope, ...snapshot })
    .run();
  for (const { path, hash } of rows) write.insert(snapshotFiles).values({ deployment_id, path, hash }).run();
  return true;
}

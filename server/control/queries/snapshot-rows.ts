import { and, asc, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { SnapshotStore } from '../snapshot-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { diffFiles, hashesOf, isSnapshot, textOf } from './deployed-file-rows.ts';
import { changeRows } from './file-change-rows.ts';
import type { LargeValues } from './large-values.ts';
import { fileContents, snapshotFiles, snapshots } from './schema/deployments.ts';

export function snapshotRows(database: ControlDatabase, values: LargeValues): SnapshotStore {
  const { queries } = database;
  const exists = async (scope: Scope, id: string) =>
    (await queries.select().from(snapshots).where(isSnapshot(scope, id)).get()) !== undefined;
  const files = (scope: Scope, id: string, path?: string) =>
    queries
      .select({ path: snapshotFiles.path, hash: fileContents.hash, text: fileContents.text })
      .from(snapshots)
      .innerJoin(snapshotFiles, eq(snapshotFiles.deployment_id, snapshots.deployment_id))
      .innerJoin(fileContents, and(eq(fileContents.app_id, snapshots.app_id), eq(fileContents.hash, snapshotFiles.hash)))
      .where(and(isSnapshot(scope, id), path === undefined ? undefined : eq(snapshotFiles.path, path)))
      .orderBy(asc(snapshotFiles.path));
  const hashes = async (scope: Scope, id: string | null): Promise<Map<string, string>> =>
    id === null || !(await exists(scope, id)) ? new Map() : await hashesOf(queries, id);
  return {
    ...changeRows(database),
    compare: async (scope, fromId, toId) => diffFiles(await hashes(scope, fromId), await hashes(scope, toId)),
    paths: async (scope, id) =>
      (
        await queries
          .select({ path: snapshotFiles.path })
          .from(snapshots)
          .innerJoin(snapshotFiles, eq(snapshotFiles.deployment_id, snapshots.deployment_id))
          .where(isSnapshot(scope, id))
          .orderBy(asc(snapshotFiles.path))
          .all()
      ).map(({ path }) => path),
    text: async (scope, id, path) => {
      const file = await files(scope, id, path).get();
      return file ? textOf(values, scope, file) : null;
    },
    files: async (scope, id) => {
      if (!(await exists(scope, id))) return null;
      const rows = await files(scope, id).all();
      return Promise.all(rows.map(async (row) => ({ path: row.path, text: await textOf(values, scope, row) })));
    },
  };
}

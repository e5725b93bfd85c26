import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { sha256Of } from '../../blobs/contents.ts';
import type { Scope } from '../../platform/scope.ts';
import type { FileChange, SnapshotFile } from '../snapshot-store.ts';
import type { Queries, Reads } from './control-database.ts';
import type { LargeValues } from './large-values.ts';
import { fileChanges, fileContents, snapshotFiles, snapshots } from './schema/deployments.ts';
import { environments } from './schema/identity.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const emptyHash = hashOf('');

export const isSnapshot = ({ tenant_id, app_id }: Scope, deploymentId: string) =>
  and(eq(snapshots.tenant_id, tenant_id), eq(snapshots.app_id, app_id), eq(snapshots.deployment_id, deploymentId));

interface NewSnapshot {
  deployment_id: string;
  environment_id: string;
  created_at: string;
}

/** Hashes of the files that are in the blob store now. Before the transaction with the snapshot. */
export async function putLargeFiles(values: LargeValues, scope: Scope, files: readonly SnapshotFile[]): Promise<ReadonlySet<string>> {
  const large = files.map(({ text }) => Buffer.from(text)).filter((bytes) => values.has(bytes));
  await Promise.all(large.map((bytes) => values.put(scope, 'file', bytes)));
  return new Set(large.map(sha256Of));
}

/** The text of a file from its row. */
export const textOf = async (values: LargeValues, scope: Scope, { hash, text }: { hash: string; text: string }): Promise<string> =>
  text !== '' || hash === emptyHash ? text : (await values.get(scope, 'file', hash)).toString();

/** Within a transaction. @param elsewhere hashes of files that are in the blob store */
export async function insertSnapshot(
  write: Queries,
  scope: Scope,
  snapshot: NewSnapshot,
  files: readonly SnapshotFile[],
  elsewhere: ReadonlySet<string> = new Set(),
): Promise<void> {
  const hashes = new Map<string, string>();
  for (const { path, text } of files) {
    const hash = hashOf(text);
    hashes.set(path, hash);
    await write
      .insert(fileContents)
      .values({ ...scope, hash, text: elsewhere.has(hash) ? '' : text })
      .onConflictDoNothing()
      .run();
  }
  await storeSnapshot(write, scope, snapshot, hashes);
}

/** Within a transaction. False without a snapshot of the source. */
export async function copySnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, sourceId: string): Promise<boolean> {
  if (!(await write.select().from(snapshots).where(isSnapshot(scope, sourceId)).get())) return false;
  await storeSnapshot(write, scope, snapshot, await hashesOf(write, sourceId));
  return true;
}

/** Stores the snapshot with its files and its changes to the environment. */
async function storeSnapshot(write: Queries, scope: Scope, snapshot: NewSnapshot, hashes: ReadonlyMap<string, string>): Promise<void> {
  const { deployment_id, environment_id } = snapshot;
  const before = await servedSnapshot(write, environment_id);
  await write
    .insert(snapshots)
    .values({ ...scope, ...snapshot })
    .run();
  for (const [path, hash] of hashes) await write.insert(snapshotFiles).values({ deployment_id, path, hash }).run();
  await insertChanges(write, snapshot, before === null ? new Map() : await hashesOf(write, before), hashes);
}

/** Hashes by path. */
export const hashesOf = async (queries: Reads, deploymentId: string): Promise<Map<string, string>> =>
  new Map(
    (await queries.select().from(snapshotFiles).where(eq(snapshotFiles.deployment_id, deploymentId)).all()).map(({ path, hash }) => [
      path,
      hash,
    ]),
  );

/** The snapshot that an environment serves until the current transaction; null before its first one. */
async function servedSnapshot(write: Reads, environmentId: string): Promise<string | null> {
  const environment = await write
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
async function insertChanges(
  write: Queries,
  { deployment_id, environment_id }: { deployment_id: string; environment_id: string },
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { path, change } of diffFiles(before, after)) {
    await write
      .insert(fileChanges)
      .values({ deployment_id, environment_id, path, change, hash: after.get(path) ?? null })
      .run();
  }
}

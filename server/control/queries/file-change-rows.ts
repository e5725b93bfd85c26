import { and, desc, eq, inArray, max, ne } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { SnapshotStore } from '../snapshot-store.ts';
import { type ControlDatabase, countRows } from './control-database.ts';
import { asDeployment } from './deployment-rows.ts';
import { deployments, fileChanges, snapshots } from './schema/deployments.ts';

export function changeRows({ queries }: ControlDatabase): Pick<SnapshotStore, 'history' | 'latestChanges'> {
  const ofEnvironment = ({ tenant_id, app_id }: Scope, environmentId: string) =>
    and(eq(deployments.tenant_id, tenant_id), eq(deployments.app_id, app_id), eq(deployments.environment_id, environmentId));
  const columns = { path: fileChanges.path, change: fileChanges.change, deployment: deployments };
  const selectChanges = () =>
    queries.select(columns).from(fileChanges).innerJoin(deployments, eq(deployments.id, fileChanges.deployment_id));
  const asChange = ({ path, change, deployment }: Awaited<ReturnType<typeof selectChanges>>[number]) => ({
    ...{ path, change },
    deployment: asDeployment(deployment),
  });
  return {
    history: async (scope, environmentId, path, { limit, offset }) => {
      const isOfFile = and(eq(fileChanges.environment_id, environmentId), eq(fileChanges.path, path));
      const rows = await selectChanges()
        .where(and(isOfFile, ofEnvironment(scope, environmentId)))
        .orderBy(desc(fileChanges.position))
        .limit(limit)
        .offset(offset)
        .all();
      const mine = queries.select({ id: snapshots.deployment_id }).from(snapshots).where(ofApp(scope, environmentId));
      return {
        data: rows.map(asChange),
        total: await countRows(queries, fileChanges, and(isOfFile, inArray(fileChanges.deployment_id, mine))),
      };
    },

    latestChanges: async (scope, environmentId) => {
      const newest = queries
        .select({ position: max(fileChanges.position) })
        .from(fileChanges)
        .where(eq(fileChanges.environment_id, environmentId))
        .groupBy(fileChanges.path);
      const isServed = and(inArray(fileChanges.position, newest), ne(fileChanges.change, 'removed'));
      return (
        await selectChanges()
          .where(and(isServed, ofEnvironment(scope, environmentId)))
          .all()
      ).map(asChange);
    },
  };
}

const ofApp = ({ tenant_id, app_id }: Scope, environmentId: string) =>
  and(eq(snapshots.tenant_id, tenant_id), eq(snapshots.app_id, app_id), eq(snapshots.environment_id, environmentId));

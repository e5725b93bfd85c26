import { and, asc, desc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { Environment, EnvironmentDetail, EnvironmentStore } from '../environment-store.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { alerts } from './schema/alerts.ts';
import { deployments, sagas, snapshots } from './schema/deployments.ts';
import { apiKeys, environments } from './schema/identity.ts';

type Row = typeof environments.$inferSelect;

export const asEnvironment = ({ tenant_id, app_id, updated_at, ...environment }: Row): Environment => environment;

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(environments.tenant_id, tenant_id), eq(environments.app_id, app_id));

export const isEnvironment = (scope: Scope, id: string) => and(ofApp(scope), eq(environments.id, id));

export function environmentRows({ queries }: ControlDatabase): EnvironmentStore {
  const row = (scope: Scope, which: SQL) =>
    queries
      .select()
      .from(environments)
      .where(and(ofApp(scope), which))
      .get();
  const find = async (scope: Scope, which: SQL) => {
    const found = await row(scope, which);
    return found ? asEnvironment(found) : null;
  };
  return {
    find: async (scope, id) => find(scope, eq(environments.id, id)),
    findNamed: async (scope, name) => find(scope, eq(environments.name, name)),
    findPreview: async (scope, prNumber) => find(scope, eq(environments.source_pr_number, prNumber)),
    findDefault: async (scope) => find(scope, eq(environments.is_default, true)),

    findDetail: async (scope, id) => {
      const found = await row(scope, eq(environments.id, id));
      return found ? await asDetail(queries, found) : null;
    },

    list: async (scope, { limit, offset, name }) => {
      const filter = and(ofApp(scope), name === undefined ? undefined : eq(environments.name, name));
      const order = [desc(environments.is_default), asc(environments.created_at), asc(environments.id)];
      const rows = await queries
        .select()
        .from(environments)
        .where(filter)
        .orderBy(...order)
        .limit(limit)
        .offset(offset)
        .all();
      return { data: rows.map(asEnvironment), total: await countRows(queries, environments, filter) };
    },

    listAllApps: async () =>
      (
        await queries
          .select({ id: environments.id, tenant_id: environments.tenant_id, app_id: environments.app_id })
          .from(environments)
          .all()
      ).map(({ id, ...scope }) => ({ scope, environment_id: id })),
  };
}

/** @param row row of the app */
async function asDetail(queries: Reads, row: Row): Promise<EnvironmentDetail> {
  const saga = await queries.select({ id: sagas.id }).from(sagas).where(eq(sagas.environment_id, row.id)).get();
  const isOfEnvironment = (table: typeof alerts | typeof apiKeys | typeof deployments | typeof snapshots) =>
    eq(table.environment_id, row.id);
  return {
    ...asEnvironment(row),
    updated_at: row.updated_at,
    in_flight_saga_id: saga?.id ?? null,
    cascade_preview: {
      alert_count: await countRows(queries, alerts, isOfEnvironment(alerts)),
      // Nobody loses anything with a revoked key.
      api_key_count: await countRows(queries, apiKeys, and(isOfEnvironment(apiKeys), isNull(apiKeys.revoked_at))),
      deployment_count: await countRows(queries, deployments, isOfEnvironment(deployments)),
      template_snapshot_count: await countRows(queries, snapshots, isOfEnvironment(snapshots)),
    },
  };
}

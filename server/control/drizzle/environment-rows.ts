import { and, eq } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import type { Environment, EnvironmentStore } from '../environment-store.ts';
import type { ControlDatabase } from './control-database.ts';
import { environments } from './schema/identity.ts';

type Row = typeof environments.$inferSelect;

const asEnvironment = ({ tenant_id, app_id, updated_at, ...environment }: Row): Environment => environment;

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(environments.tenant_id, tenant_id), eq(environments.app_id, app_id));

export function environmentRows({ queries }: ControlDatabase): EnvironmentStore {
  const find = (scope: Scope, which: ReturnType<typeof eq>) => {
    const row = queries
      .select()
      .from(environments)
      .where(and(ofApp(scope), which))
      .get();
    return row ? asEnvironment(row) : null;
  };
  return {
    find: async (scope, id) => find(scope, eq(environments.id, id)),
    findNamed: async (scope, name) => find(scope, eq(environments.name, name)),
    findPreview: async (scope, prNumber) => find(scope, eq(environments.source_pr_number, prNumber)),
    findDefault: async (scope) => find(scope, eq(environments.is_default, true)),
  };
}

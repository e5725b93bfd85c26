import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { withinLimit } from '../../app/plan-limits.ts';
import type { App, AppStore } from '../../control/app-store.ts';
import { Duplicate } from '../../control/duplicate.ts';
import { type Scope, sameScope } from '../../platform/scope.ts';

export const appsModule = defineModule({
  group: 'apps',
  needs: ['control', 'plans', 'deployer', 'appErasure'],
  build: ({ control: { apps, environments }, plans, deployer, appErasure }) => ({
    list: async ({ scope, principal }, { query }) => {
      if (!principal.key) return asPage(query, await apps.list(scope.tenant_id, query));
      const own = await apps.find(scope.tenant_id, scope.app_id);
      const matching = own && (query.name === undefined || query.name === own.name) ? [own] : [];
      return asPage(query, { data: matching.slice(query.offset, query.offset + query.limit), total: matching.length });
    },

    create: async ({ scope, principal }, { body: { name, display_name = null, entry_point = null, runtime } }) => {
      const draft = { name, display_name, entry_point, runtime };
      const create = (max: number | null) => translateDuplicate(() => apps.create(principal.actor, scope.tenant_id, draft, max));
      return new Answer(201, { data: await withinLimit(await plans.of(scope.tenant_id), 'apps', create) });
    },

    get: async ({ scope }, { params }) => ({ data: await findOrFail(apps, scope, params.appId) }),

    update: async ({ scope, principal }, { params, body }) => {
      const updated = await translateDuplicate(() => apps.update(principal.actor, scope.tenant_id, scope.app_id, body));
      return { data: updated ?? missing(params.appId) };
    },

    remove: async ({ scope, principal }, { params }) => {
      const hosted = (await environments.listAllApps()).filter((environment) => sameScope(environment.scope, scope));
      if (!(await apps.remove(principal.actor, scope.tenant_id, scope.app_id))) missing(params.appId);
      await deployer.forget(hosted);
      await appErasure.deliver();
      return new Answer(204, undefined);
    },
  }),
});

const findOrFail = async (apps: AppStore, { tenant_id, app_id }: Scope, requestedId: string): Promise<App> =>
  (await apps.find(tenant_id, app_id)) ?? missing(requestedId);

const missing = (appId: string): never => fail('app_not_found', `There is no app ${appId}`);

async function translateDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('duplicate_app_name', error.message);
    throw error;
  }
}

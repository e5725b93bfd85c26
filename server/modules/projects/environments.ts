import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { withinLimit } from '../../app/plan-limits.ts';
import { Duplicate } from '../../control/duplicate.ts';
import type { Environment, EnvironmentStore } from '../../control/environment-store.ts';
import { OperationInProgress } from '../../control/saga-store.ts';
import { HostingFailed } from '../../hosting/hosting.ts';
import type { Scope } from '../../platform/scope.ts';
import { deploymentSource, environmentSource, refuseDefault, versionSource } from './environments/release-source.ts';

export const environmentsModule = defineModule({
  group: 'environments',
  needs: ['control', 'deployer', 'plans'],
  build: ({ control, deployer, plans }) => {
    const { environments, deployments } = control;
    const release: (typeof deployer)['release'] = (actor, scope, plan) => translateErrors(() => deployer.release(actor, scope, plan));
    return {
      list: async ({ scope }, { query }) => asPage(query, await environments.list(scope, query)),

      create: async ({ scope, principal, baseUrl }, { body: { name, pr_number = null } }) => {
        const create = (max: number | null) => translateErrors(() => deployer.create(principal.actor, scope, { name, pr_number }, max));
        const environment = await withinLimit(await plans.of(scope.tenant_id), 'environments', create);
        const api_key_creation_url = `${baseUrl}/#/settings/keys?form=new&app=${scope.app_id}&environment=${encodeURIComponent(name)}`;
        return new Answer(201, { data: { ...environment, api_key_creation_url } });
      },

      get: async ({ scope }, { params: { id } }) => ({ data: (await environments.findDetail(scope, id.toLowerCase())) ?? missing(id) }),

      remove: async ({ scope, principal }, { params: { id } }) => {
        const environment = await findOrFail(environments, scope, id);
        refuseDefault(environment);
        if (!(await translateErrors(() => deployer.remove(principal.actor, scope, environment.id)))) missing(id);
        return new Answer(204, undefined);
      },

      deployments: async ({ scope }, { params: { id }, query }) => {
        const environment = await findOrFail(environments, scope, id);
        return asPage(query, await deployments.list(scope, { ...query, environment_id: environment.id }));
      },

      promote: async ({ scope, principal }, { params: { id }, body: { source_env_id, source_deployment_id, note = null } }) => {
        const environment = await findOrFail(environments, scope, id);
        const source = source_env_id
          ? await environmentSource(control, scope, environment, source_env_id.toLowerCase())
          : await deploymentSource(control, scope, environment, String(source_deployment_id).toLowerCase());
        return accepted(await release(principal.actor, scope, { kind: 'promotion', environment, note, ...source }));
      },

      rollback: async ({ scope, principal }, { params: { id }, body: { target_version, note = null } }) => {
        const environment = await findOrFail(environments, scope, id);
        const source = await versionSource(control, scope, environment, target_version);
        return accepted(await release(principal.actor, scope, { kind: 'rollback', environment, note, ...source }));
      },
    };
  },
});

const accepted = ({ id, env_version, commit_sha }: { id: string; env_version: number | null; commit_sha: string | null }) =>
  new Answer(202, { data: { deployment_id: id, env_version, commit_sha } });

const findOrFail = async (environments: EnvironmentStore, scope: Scope, id: string): Promise<Environment> =>
  (await environments.find(scope, id.toLowerCase())) ?? missing(id);

const missing = (id: string): never => fail('environment_not_found', `There is no environment ${id}`);

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('duplicate_environment_name', error.message);
    if (error instanceof HostingFailed) fail('env_hosting_provisioning_failed', 'The environment could not be hosted, and was not created');
    if (error instanceof OperationInProgress)
      fail('environment_operation_in_progress', error.message, { in_flight_saga_id: error.in_flight_saga_id });
    throw error;
  }
}

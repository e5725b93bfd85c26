import { fail } from '../../../app/fail.ts';
import type { ControlStore } from '../../../control/control-store.ts';
import type { Environment } from '../../../control/environment-store.ts';
import type { ReleasePlan } from '../../../control/saga-store.ts';
import type { Scope } from '../../../platform/scope.ts';

type Stores = Pick<ControlStore, 'environments' | 'deployments'>;
export type Source = Pick<ReleasePlan, 'source_env_id' | 'source_deployment_id' | 'commit_sha'>;

/** Git's null commit: a default environment before the first push. */
const noCommit = '0'.repeat(40);

/** Current deployment of the environment. A default one without a push has no files, and can be promoted. */
export async function environmentSource({ environments }: Stores, scope: Scope, target: Environment, id: string): Promise<Source> {
  if (id === target.id) refuseItself('source_env_id');
  const source = await environments.find(scope, id);
  if (!source) fail('environment_not_found', `There is no environment ${id}`);
  refuseDefault(target);
  if (source.current_version === null && !source.is_default) fail('source_not_deployable', 'Nothing has been promoted to the source yet');
  const commit_sha = source.current_commit_sha ?? noCommit;
  return { source_env_id: id, source_deployment_id: source.latest_deployment_id, commit_sha };
}

export async function deploymentSource(
  { environments, deployments }: Stores,
  scope: Scope,
  target: Environment,
  id: string,
): Promise<Source> {
  const source = await deployments.find(scope, id);
  const environment = source?.environment_name && (await environments.findNamed(scope, source.environment_name));
  if (!source || !environment) fail('deployment_not_found', `There is no deployment ${id}`);
  if (environment.id === target.id) refuseItself('source_deployment_id');
  refuseDefault(target);
  if (source.deployment_status !== 'success') fail('source_not_deployable', 'The source is not a deployment that succeeded');
  return { source_env_id: environment.id, source_deployment_id: id, commit_sha: source.commit_sha ?? noCommit };
}

/** Earlier successful promotion of the environment. */
export async function versionSource({ deployments }: Stores, scope: Scope, target: Environment, version: number): Promise<Source> {
  refuseDefault(target);
  const refuse = (why: string): never => fail('target_version_not_available', `Version ${version} cannot be brought back: ${why}`);
  const { current_version, id } = target;
  if (current_version === null) return refuse('the environment has no version yet');
  const deployed = await deployments.findVersion(scope, id, version);
  if (!deployed || version > current_version) return refuse('the environment has had no such version');
  if (version === current_version) return refuse('it is the current one');
  if (deployed.deployment_status !== 'success') return refuse('it did not succeed');
  if (deployed.source_env_id === id) return refuse('it was itself a rollback; name the version that it brought back');
  return { source_env_id: id, source_deployment_id: deployed.id, commit_sha: deployed.commit_sha ?? noCommit };
}

const refuseItself = (field: string): never =>
  fail('invalid_request_body', 'Invalid request body', { details: { [field]: 'must not be of the environment itself' } });

export function refuseDefault({ is_default, name }: Environment): void {
  if (is_default) fail('default_environment_locked', `${name} is the default environment: it follows the branch and stays`);
}

import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { deployment, deploymentQuery } from './deployments.ts';
import { environmentName } from './environment-name.ts';

export const environment = z
  .object({
    id: z.uuid(),
    name: z.string(),
    is_default: z.boolean(),
    is_ephemeral: z.boolean(),
    current_version: z.int().nullable().meta({ description: 'Null while nothing is pinned.' }),
    current_commit_sha: z.string().nullable(),
    latest_deployment_id: z.uuid().nullable(),
    epoch: z.number(),
    source_pr_number: z.int().nullable(),
    hosting_app_name: z.string().nullable(),
    created_at: z.iso.datetime(),
    created_by_id: z.string().nullable(),
    kind: z.enum(['development', 'preview', 'production']).meta({ description: 'Additive.' }),
  })
  .meta({ id: 'Environment' });

export const environmentDetail = environment
  .extend({
    updated_at: z.iso.datetime().nullable(),
    in_flight_saga_id: z.uuid().nullable(),
    cascade_preview: z
      .object({ alert_count: z.int(), api_key_count: z.int(), deployment_count: z.int(), template_snapshot_count: z.int() })
      .meta({ description: 'What would be deleted with the environment.' }),
  })
  .meta({ id: 'EnvironmentDetail' });

const newEnvironment = z.object({
  name: environmentName,
  pr_number: z.int().min(0).optional().meta({ description: 'Creates a preview environment for the pull request. Additive.' }),
});

const note = bounded(0, 2000).optional();

const promotion = z
  .object({ source_env_id: z.uuid().optional(), source_deployment_id: z.uuid().optional(), note })
  .refine(({ source_env_id, source_deployment_id }) => (source_env_id === undefined) !== (source_deployment_id === undefined), {
    error: 'exactly one of source_env_id and source_deployment_id is needed',
    path: ['source_env_id'],
  });

const startedDeployment = one(z.object({ deployment_id: z.uuid(), env_version: z.int(), commit_sha: z.string() }));

const environmentPath = z.object({ id: z.uuid() });
const declare = { tag: 'environments', only: 'cloud', touches: ['control'] } as const;

export const environments = {
  list: route({
    ...declare,
    id: 'list-environments',
    method: 'GET',
    path: '/v1/environments',
    summary: 'List environments, the default first',
    permission: 'environment.read',
    query: z.object({ ...paging, name: text.optional() }),
    reply: many(environment),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-environment',
    method: 'POST',
    path: '/v1/environments',
    summary: 'Create an environment',
    permission: 'environment.write',
    body: newEnvironment,
    reply: one(environment.extend({ api_key_creation_url: z.string() })),
    status: [201],
    errors: ['entitlement_required', 'duplicate_environment_name', 'env_hosting_provisioning_failed'],
  }),
  get: route({
    ...declare,
    id: 'get-environment',
    method: 'GET',
    path: '/v1/environments/:id',
    summary: 'Read one environment',
    permission: 'environment.read',
    params: environmentPath,
    reply: one(environmentDetail),
    errors: ['environment_not_found'],
  }),
  remove: route({
    ...declare,
    id: 'delete-environment',
    method: 'DELETE',
    path: '/v1/environments/:id',
    summary: 'Delete an environment; its spans and scores stay',
    permission: 'environment.delete',
    params: environmentPath,
    reply: nothing,
    status: [204],
    errors: ['environment_not_found', 'default_environment_locked', 'environment_operation_in_progress'],
  }),
  deployments: route({
    ...declare,
    id: 'list-environment-deployments',
    method: 'GET',
    path: '/v1/environments/:id/deployments',
    summary: 'List the deployments of an environment, newest first',
    permission: 'deployment.read',
    params: environmentPath,
    query: deploymentQuery,
    reply: many(deployment),
    errors: ['environment_not_found'],
  }),
  promote: route({
    ...declare,
    id: 'promote-environment',
    method: 'POST',
    path: '/v1/environments/:id/promote',
    summary: 'Promote the current deployment of another environment, or a given deployment, to this environment',
    permission: 'environment.promote',
    params: environmentPath,
    body: promotion,
    reply: startedDeployment,
    status: [202],
    errors: [
      ...(['environment_not_found', 'deployment_not_found', 'default_environment_locked'] as const),
      ...(['environment_operation_in_progress', 'source_not_deployable'] as const),
    ],
  }),
  rollback: route({
    ...declare,
    id: 'rollback-environment',
    method: 'POST',
    path: '/v1/environments/:id/rollback',
    summary: 'Roll the environment back to an earlier version, as a new version',
    permission: 'environment.promote',
    params: environmentPath,
    body: z.object({ target_version: z.int().min(1), note }),
    reply: startedDeployment,
    status: [202],
    errors: ['environment_not_found', 'default_environment_locked', 'environment_operation_in_progress', 'target_version_not_available'],
  }),
};

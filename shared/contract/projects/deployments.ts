import { z } from 'zod';
import { many, one } from '../core/envelope.ts';
import { paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const deploymentStatus = z.enum(['running', 'success', 'failure']);
const optionalId = z.uuid().nullable();
const optionalText = z.string().nullable();

export const deployment = z
  .object({
    id: z.uuid(),
    app_id: z.uuid(),
    deployment_status: deploymentStatus.nullable(),
    deployment_type: z.enum(['manual', 'push', 'cli']),
    files_status: z.enum(['pending', 'syncing', 'synced', 'failed', 'skipped']),
    code_status: z.enum(['pending', 'building', 'deployed', 'failed', 'skipped']),
    branch: optionalText,
    commit_sha: optionalText,
    commit_message: optionalText,
    initiated_by: z.string(),
    actor_id: optionalId,
    failure_reason: optionalText,
    code_failure_reason: optionalText,
    deployment_duration_ms: z.int().nullable(),
    cache_hit: z.boolean(),
    cache_decision_kind: optionalText,
    cache_decision_detail: optionalText,
    environment_name: optionalText,
    env_version: z.int().nullable(),
    environment_epoch: z.number().nullable(),
    note: optionalText,
    source_env_id: optionalId,
    source_deployment_id: optionalId,
    aborted_by_deployment_id: optionalId,
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Deployment' });

export const deploymentQuery = z.object({ ...paging, status: deploymentStatus.optional() });

export const deployments = {
  list: route({
    id: 'list-deployments',
    method: 'GET',
    path: '/v1/deployments',
    summary: 'List deployments, newest first',
    tag: 'deployments',
    permission: 'deployment.read',
    query: deploymentQuery,
    reply: many(deployment),
    errors: [],
    only: 'cloud',
  }),
  get: route({
    id: 'get-deployment',
    method: 'GET',
    path: '/v1/deployments/:deploymentId',
    summary: 'Read one deployment',
    tag: 'deployments',
    permission: 'deployment.read',
    params: z.object({ deploymentId: z.uuid() }),
    reply: one(deployment),
    errors: ['deployment_not_found'],
    only: 'cloud',
  }),
};

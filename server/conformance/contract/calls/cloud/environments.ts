/** Environments and deployments. */
import type { Trigger } from '../../trigger.ts';
import { busy, hostingFails, missing, none, smallPlan } from './records.ts';

const create = { call: 'POST /v1/environments', body: { name: 'sample' } } as const;
const one = '/v1/environments/{id}' as const;
const changes = '/v1/viewer/environments/{id}/changes' as const;
const deployments = { call: `GET ${one}/deployments` } as const;
const promote = { call: `POST ${one}/promote`, body: { source_env_id: '{defaultId}' } } as const;
const rollback = { call: `POST ${one}/rollback`, body: { target_version: 1 } } as const;
const remove = { call: `DELETE ${one}` } as const;
const retain = { call: 'PUT /v1/retention' } as const;
const noEnvironment = 'environment_not_found';
const ofDefault = { params: { id: '{defaultId}' }, status: 409, code: 'default_environment_locked' } as const;

export const environments: Trigger[] = [
  { call: 'GET /v1/environments', status: 200 },
  { ...create, status: 201 },
  { ...create, status: 409, code: 'duplicate_environment_name' },
  { ...create, at: smallPlan, status: 402, code: 'entitlement_required' },
  { ...create, body: { name: 'unhosted' }, at: hostingFails, status: 500, code: 'env_hosting_provisioning_failed' },
  { call: `GET ${one}`, status: 200 },
  { ...deployments, status: 200 },
  ...[{ call: `GET ${one}` } as const, deployments, promote, rollback, remove].map((each) => missing(each, 'id', noEnvironment)),
  ...[remove, { ...promote, body: { source_env_id: '{id}' } }, rollback].map((each): Trigger => ({ ...each, ...ofDefault })),
  ...[promote, rollback, remove].map((each): Trigger => ({ ...each, at: busy, status: 409, code: 'environment_operation_in_progress' })),
  { ...promote, body: { source_env_id: '{emptyId}' }, status: 409, code: 'source_not_deployable' },
  { ...promote, body: { source_deployment_id: none }, status: 404, code: 'deployment_not_found' },
  { ...promote, params: { id: '{freshId}' }, status: 202 },
  { ...rollback, body: { target_version: 999 }, status: 409, code: 'target_version_not_available' },
  { ...rollback, status: 202 },
  { ...remove, params: { id: '{deletableId}' }, status: 204, type: '' },
  ...([`GET ${changes}`, `GET ${changes}/file`] as const).flatMap((call): Trigger[] => {
    const read = { call, query: 'deployment_id={deploymentId}&path=agentmark.json' };
    return [
      { ...read, status: 200 },
      missing(read, 'id', noEnvironment),
      { ...read, query: `deployment_id=${none}&path=agentmark.json`, status: 404, code: 'deployment_not_found' },
      { ...read, query: 'deployment_id=x&path=agentmark.json', status: 400, code: 'invalid_query_params' },
    ];
  }),
  { call: 'GET /v1/retention', status: 200 },
  { call: 'POST /v1/retention/preview', body: { keep_days: 1, environments: [] }, status: 200 },
  { ...retain, body: { keep_days: 3650, environments: [{ environment_id: '{defaultId}', keep_days: 3650 }] }, status: 200 },
  { ...retain, body: { keep_days: null, environments: [{ environment_id: none, keep_days: 7 }] }, status: 404, code: noEnvironment },
  { ...retain, body: { keep_days: 3650, environments: [] }, at: smallPlan, status: 402, code: 'entitlement_required' },
  { call: 'GET /v1/deployments', status: 200 },
  { call: 'GET /v1/deployments/{deploymentId}', status: 200 },
  missing({ call: 'GET /v1/deployments/{deploymentId}' }, 'deploymentId', 'deployment_not_found'),
];

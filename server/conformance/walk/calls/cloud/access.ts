/** Logins, keys and apps. */
import { forgetful, type Provocation, spent } from '../../provocation.ts';
import { deleted, missing, modest } from './records.ts';

const login = { call: 'POST /v1/auth/login', body: { email: '{email}', password: '{password}' } } as const;
const newKey = { call: 'POST /v1/api-keys', body: { name: 'walked', permissions: ['trace.read'] } } as const;
const newApp = { call: 'POST /v1/apps', body: { name: 'walked' } } as const;
const change = { call: 'PATCH /v1/apps/{appId}', body: { display_name: 'Walked' } } as const;

export const access: Provocation[] = [
  { ...login, status: 200 },
  { ...login, body: { email: '{email}', password: 'wrong' }, status: 401, code: 'unauthorized' },
  { ...login, at: spent, status: 429, code: 'rate_limit_exceeded' },
  { ...login, at: forgetful, status: 503, code: 'storage_unavailable' },
  { call: 'GET /v1/auth/openid', status: 302, type: '' },
  { call: 'GET /v1/auth/openid', query: 'return_to=elsewhere', status: 400, code: 'invalid_query_params' },
  { call: 'GET /v1/auth/openid', at: spent, status: 429, code: 'rate_limit_exceeded' },
  { call: 'GET /v1/auth/openid/callback', status: 302, type: '' },
  { call: 'GET /v1/auth/openid/callback', query: 'code=1&code=2', status: 400, code: 'invalid_query_params' },
  { call: 'GET /v1/auth/openid/callback', at: spent, status: 429, code: 'rate_limit_exceeded' },
  { call: 'GET /v1/auth/me', status: 200 },
  { call: 'POST /v1/auth/logout', headers: { authorization: '{doomedLogin}' }, status: 204, type: '' },

  { call: 'GET /v1/api-keys', status: 200 },
  { ...newKey, status: 201 },
  { ...newKey, status: 409, code: 'duplicate_api_key_name' },
  { ...newKey, at: modest, status: 402, code: 'entitlement_required' },
  ...deleted('DELETE /v1/api-keys/{apiKeyId}', { apiKeyId: '{doomedApiKeyId}' }, 'api_key_not_found'),

  { call: 'GET /v1/apps', status: 200 },
  { ...newApp, status: 201 },
  { ...newApp, status: 409, code: 'duplicate_app_name' },
  { ...newApp, at: modest, status: 402, code: 'entitlement_required' },
  { call: 'GET /v1/apps/{appId}', status: 200 },
  missing({ call: 'GET /v1/apps/{appId}' }, 'appId', 'app_not_found'),
  { ...change, status: 200 },
  missing(change, 'appId', 'app_not_found'),
  { ...change, body: { name: 'walked' }, status: 409, code: 'duplicate_app_name' },
  ...deleted('DELETE /v1/apps/{appId}', { appId: '{doomedAppId}' }, 'app_not_found'),
];

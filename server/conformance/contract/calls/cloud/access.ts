/** Logins, keys and apps. */
import { minimal, rateLimited, type Trigger, withoutControl } from '../../trigger.ts';
import { deleted, missing, smallPlan } from './records.ts';

const login = { call: 'POST /v1/auth/login', body: { email: '{email}', password: '{password}' } } as const;
const device = {
  call: 'POST /v1/auth/device',
  body: { code_challenge: 'c'.repeat(43), machine_name: 'sample', product_version: '1' },
} as const;
const fetchKey = { call: 'POST /v1/auth/device/token', body: { device_code: '{deviceCode}', code_verifier: '{codeVerifier}' } } as const;
const findDevice = { call: 'POST /v1/auth/device/find', body: { user_code: '{userCode}' } } as const;
const approve = { call: 'POST /v1/auth/device/approve', body: { user_code: '{agreedUserCode}', environment_name: 'dev' } } as const;
const deny = { call: 'POST /v1/auth/device/deny', body: { user_code: '{deniedUserCode}' } } as const;
const notWaiting = { status: 404, code: 'device_sign_in_not_found' } as const;
const newKey = { call: 'POST /v1/api-keys', body: { name: 'sample', permissions: ['trace.read'] } } as const;
const newApp = { call: 'POST /v1/apps', body: { name: 'sample' } } as const;
const change = { call: 'PATCH /v1/apps/{appId}', body: { display_name: 'Sample' } } as const;

export const access: Trigger[] = [
  { ...login, status: 200 },
  { ...login, body: { email: '{email}', password: 'wrong' }, status: 401, code: 'unauthorized' },
  { ...login, at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { ...login, at: withoutControl, status: 503, code: 'storage_unavailable' },
  { call: 'GET /v1/auth/openid', status: 302, type: '' },
  { call: 'GET /v1/auth/openid', query: 'return_to=elsewhere', status: 400, code: 'invalid_query_params' },
  { call: 'GET /v1/auth/openid', at: minimal, status: 503, code: 'openid_not_configured' },
  { call: 'GET /v1/auth/openid', at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { call: 'GET /v1/auth/openid/callback', status: 302, type: '' },
  { call: 'GET /v1/auth/openid/callback', query: 'code=1&code=2', status: 400, code: 'invalid_query_params' },
  { call: 'GET /v1/auth/openid/callback', at: minimal, status: 503, code: 'openid_not_configured' },
  { call: 'GET /v1/auth/openid/callback', at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { call: 'GET /v1/auth/me', status: 200 },
  { call: 'POST /v1/auth/logout', headers: { authorization: '{deletableLogin}' }, status: 204, type: '' },

  { ...device, status: 200 },
  { ...device, at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { ...device, at: withoutControl, status: 503, code: 'storage_unavailable' },
  { ...fetchKey, status: 200 },
  { ...fetchKey, at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { ...fetchKey, at: withoutControl, status: 503, code: 'storage_unavailable' },
  { ...findDevice, status: 200 },
  { ...findDevice, body: { user_code: 'ZZZZ-ZZZZ' }, ...notWaiting },
  { ...approve, status: 200 },
  { ...approve, ...notWaiting },
  { ...approve, at: smallPlan, status: 402, code: 'entitlement_required' },
  { ...deny, status: 204, type: '' },
  { ...deny, ...notWaiting },

  { call: 'GET /v1/api-keys', status: 200 },
  { ...newKey, status: 201 },
  { ...newKey, status: 409, code: 'duplicate_api_key_name' },
  { ...newKey, at: smallPlan, status: 402, code: 'entitlement_required' },
  ...deleted('DELETE /v1/api-keys/{apiKeyId}', { apiKeyId: '{deletableApiKeyId}' }, 'api_key_not_found'),

  { call: 'GET /v1/apps', status: 200 },
  { ...newApp, status: 201 },
  { ...newApp, status: 409, code: 'duplicate_app_name' },
  { ...newApp, at: smallPlan, status: 402, code: 'entitlement_required' },
  { call: 'GET /v1/apps/{appId}', status: 200 },
  missing({ call: 'GET /v1/apps/{appId}' }, 'appId', 'app_not_found'),
  { ...change, status: 200 },
  missing(change, 'appId', 'app_not_found'),
  { ...change, body: { name: 'sample' }, status: 409, code: 'duplicate_app_name' },
  ...deleted('DELETE /v1/apps/{appId}', { appId: '{deletableAppId}' }, 'app_not_found'),
];

/** Members of a tenant: invitations, joining, switching the tenant, removal. */
import { minimal, rateLimited, type Trigger, withoutControl } from '../../trigger.ts';
import { deleted, missing, smallPlan } from './records.ts';

const join = { call: 'POST /v1/auth/join', body: { code: '{invitationCode}', password: 'a long one of the invited' } } as const;
const invite = { call: 'POST /v1/viewer/invitations', body: { email: 'sample@acme.test', role: 'read' } } as const;
const member = 'PATCH /v1/viewer/members/{userId}';
const asMember = { headers: { authorization: '{memberLogin}' } } as const;
const enter = { call: 'POST /v1/auth/tenant', headers: { authorization: '{leavingLogin}' }, body: { tenant_id: '{tenantId}' } } as const;
const password = {
  call: 'PUT /v1/auth/password',
  ...asMember,
  body: { current: '{memberPassword}', next: 'a new one of the member' },
} as const;
const forgotten = { call: 'POST /v1/auth/password-resets', body: { email: '{email}' } } as const;
const reset = { call: 'PUT /v1/auth/password-resets', body: { code: '{resetCode}', password: 'a new one of the forgetful' } } as const;
const lastOwner = { params: { userId: '{ownerId}' }, status: 409, code: 'last_owner' } as const;

/** Answered before the control store is asked. */
export const forgottenPasswords: Trigger[] = [
  { ...forgotten, status: 204, type: '' },
  { ...forgotten, at: minimal, status: 503, code: 'mail_not_configured' },
  { ...forgotten, at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
];

export const people: Trigger[] = [
  { ...join, status: 200 },
  { ...join, status: 404, code: 'invitation_not_found' },
  { ...join, body: { code: '{ownersCode}', password: 'not that of the owner' }, status: 401, code: 'unauthorized' },
  { ...join, at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { ...join, at: withoutControl, status: 503, code: 'storage_unavailable' },
  { ...enter, status: 200 },
  { ...password, status: 204, type: '' },
  { call: 'GET /v1/auth/logins', ...asMember, status: 200 },
  ...deleted('DELETE /v1/auth/logins/{loginId}', { loginId: '{deletableLoginId}' }, 'login_not_found'),
  { call: 'DELETE /v1/auth/logins', ...asMember, status: 204, type: '' },
  // Without the login of the owner, which it would end.
  { ...reset, headers: { authorization: 'Bearer nobody' }, status: 204, type: '' },
  { ...reset, status: 404, code: 'password_reset_not_found' },
  { ...reset, at: minimal, status: 503, code: 'mail_not_configured' },
  { ...reset, at: rateLimited, status: 429, code: 'rate_limit_exceeded' },
  { ...reset, at: withoutControl, status: 503, code: 'storage_unavailable' },

  { call: 'GET /v1/viewer/usage', status: 200 },
  { call: 'GET /v1/viewer/members', status: 200 },
  { call: 'GET /v1/audit-log', status: 200 },
  { call: 'GET /v1/audit-log', query: '?format=csv', status: 200, type: 'text/csv' },
  { call: 'GET /v1/viewer/invitations', status: 200 },
  { ...invite, status: 201 },
  { ...invite, body: { email: '{email}', role: 'read' }, status: 409, code: 'duplicate_member' },
  { ...invite, at: smallPlan, status: 402, code: 'entitlement_required' },
  ...deleted('DELETE /v1/viewer/invitations/{invitationId}', { invitationId: '{deletableInvitationId}' }, 'invitation_not_found'),
  { call: member, body: { role: 'write' }, status: 200 },
  missing({ call: member, body: { role: 'write' } }, 'userId', 'member_not_found'),
  { call: member, body: { role: 'read' }, ...lastOwner },
  { call: 'DELETE /v1/viewer/members/{userId}', ...lastOwner },
  { call: 'DELETE /v1/viewer/members/{userId}/logins', params: { userId: '{deletableUserId}' }, status: 204, type: '' },
  missing({ call: 'DELETE /v1/viewer/members/{userId}/logins' }, 'userId', 'member_not_found'),
  ...deleted('DELETE /v1/viewer/members/{userId}', { userId: '{deletableUserId}' }, 'member_not_found'),
];

/** The people of a tenant. Additive, for the dashboard: API keys cannot manage members. */
import { z } from 'zod';
import { all, nothing, one } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { role } from './role.ts';

const member = z
  .object({ id: z.uuid(), email: z.string(), name: z.string().nullable(), role, joined_at: z.iso.datetime() })
  .meta({ id: 'Member' });

const invitation = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    role,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' });

const newInvitation = z.object({
  email: bounded(3, 320).pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an address, such as mira@example.com')),
  name: bounded(1, 100).optional(),
  role,
});

const memberPath = z.object({ userId: z.uuid() });
/** Whoever may change an app may manage its members; roles that may only use it may list them. */
const declare = { tag: 'members', only: 'cloud', touches: ['control'], credential: 'session', app: 'none' } as const;

export const members = {
  list: route({
    ...declare,
    id: 'list-members',
    method: 'GET',
    path: '/v1/viewer/members',
    summary: 'List the members of the tenant in the order they joined',
    permission: 'app.read',
    reply: all(member),
    errors: [],
  }),
  invite: route({
    ...declare,
    id: 'invite-member',
    method: 'POST',
    path: '/v1/viewer/invitations',
    summary:
      'Invite a person by email; only this answer has the code to join with, which replaces an earlier one. A deployment with a mail server also sends it to the address, and email_sent tells whether it could',
    permission: 'app.write',
    body: newInvitation,
    reply: one(invitation.extend({ code: z.string(), email_sent: z.boolean().optional(), email_problem: z.string().optional() })),
    status: [201],
    errors: ['entitlement_required', 'duplicate_member'],
  }),
  invitations: route({
    ...declare,
    id: 'list-invitations',
    method: 'GET',
    path: '/v1/viewer/invitations',
    summary: 'List the invitations that are not accepted yet, newest first',
    permission: 'app.read',
    reply: all(invitation),
    errors: [],
  }),
  withdraw: route({
    ...declare,
    id: 'withdraw-invitation',
    method: 'DELETE',
    path: '/v1/viewer/invitations/:invitationId',
    summary: 'Withdraw an invitation: its code becomes invalid',
    permission: 'app.write',
    params: z.object({ invitationId: z.uuid() }),
    reply: nothing,
    status: [204],
    errors: ['invitation_not_found'],
  }),
  change: route({
    ...declare,
    id: 'change-member',
    method: 'PATCH',
    path: '/v1/viewer/members/:userId',
    summary: 'Change the role of a member; only owners may grant or revoke the role of owner',
    permission: 'app.write',
    params: memberPath,
    body: z.object({ role }),
    reply: one(member),
    errors: ['member_not_found', 'last_owner'],
  }),
  remove: route({
    ...declare,
    id: 'remove-member',
    method: 'DELETE',
    path: '/v1/viewer/members/:userId',
    summary: 'Remove a member; their logins to this tenant end',
    permission: 'app.write',
    params: memberPath,
    reply: nothing,
    status: [204],
    errors: ['member_not_found', 'last_owner'],
  }),
  endLogins: route({
    ...declare,
    id: 'end-member-logins',
    method: 'DELETE',
    path: '/v1/viewer/members/:userId/logins',
    summary: 'End all logins of a member to this tenant, at once; only owners may end those of an owner',
    permission: 'app.write',
    params: memberPath,
    reply: nothing,
    status: [204],
    errors: ['member_not_found'],
  }),
};

export type Member = z.output<typeof member>;
export type Invitation = z.output<typeof invitation>;

/** The people of a tenant. Additive, for the dashboard: only people manage people. */
import { z } from 'zod';
import { all, nothing, one } from './envelope.ts';
import { bounded } from './parameters.ts';
import { role } from './role.ts';
import { route } from './route.ts';

const member = z
  .object({ id: z.uuid(), email: z.string(), name: z.string().nullable(), role, joined_at: z.iso.datetime() })
  .meta({ id: 'Member' });

const newMember = z.object({
  email: bounded(3, 320).pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an address, such as mira@example.com')),
  name: bounded(1, 100).optional(),
  role,
});

const memberPath = z.object({ userId: z.uuid() });
/** Those who may change an app may say who works on it; roles that may only use it may see who does (contract 4.4). */
const declare = { tag: 'members', only: 'cloud', touches: ['control'], credential: 'session', app: 'none' } as const;

export const members = {
  list: route({
    ...declare,
    id: 'list-members',
    method: 'GET',
    path: '/v1/viewer/members',
    summary: 'List the people of the tenant, those who joined first first',
    permission: 'app.read',
    reply: all(member),
    errors: [],
  }),
  add: route({
    ...declare,
    id: 'add-member',
    method: 'POST',
    path: '/v1/viewer/members',
    summary: 'Add somebody by their address; whoever is new gets a password that comes back this once',
    permission: 'app.write',
    body: newMember,
    reply: one(
      member.extend({
        one_time_password: z.string().nullable().meta({ description: 'Null for somebody who has signed in elsewhere and has one.' }),
      }),
    ),
    status: [201],
    errors: ['entitlement_required', 'duplicate_member'],
  }),
  change: route({
    ...declare,
    id: 'change-member',
    method: 'PATCH',
    path: '/v1/viewer/members/:userId',
    summary: 'Give somebody another role; only owners make and unmake owners',
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
    summary: 'Remove somebody, whose logins here are worth nothing from then on',
    permission: 'app.write',
    params: memberPath,
    reply: nothing,
    status: [204],
    errors: ['member_not_found', 'last_owner'],
  }),
};

export type Member = z.output<typeof member>;

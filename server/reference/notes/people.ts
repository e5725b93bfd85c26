import { apiKeys } from '../../../shared/contract/identity/api-keys.ts';
import { auditLog } from '../../../shared/contract/identity/audit-log.ts';
import { auth } from '../../../shared/contract/identity/auth.ts';
import { deviceSignIn } from '../../../shared/contract/identity/device-sign-in.ts';
import { notesOn } from '../note.ts';
import { app, ids, key, page } from './samples.ts';

const user = { id: ids.person, email: 'maya@acme.example', name: 'Maya Lindqvist' };
const tenant = { id: ids.tenant, name: 'acme', plan: 'team' as const };

const apiKey = {
  id: 'key_8Jw2mQ',
  name: 'production exporter',
  app_id: ids.app,
  environment_id: ids.production,
  permissions: ['trace.write', 'score.write'],
  key_prefix: 'sk_service_3kTM',
  created_at: '2026-01-15T09:00:00.000Z',
  last_used_at: '2026-01-15T10:30:02.000Z',
  expires_at: null,
  revoked_at: null,
};

export const peopleNotes = {
  ...notesOn(auth, {
    login: {
      description:
        'Signs a person in. Send the `token` as `Authorization: Bearer …` from then on; browsers get it as a cookie too. Members of several ' +
        'tenants choose one with `tenant_id`. Attempts are limited by the network they come from. Programs use API keys.',
      body: { email: user.email, password: 'correct horse battery staple' },
      reply: {
        data: {
          token: 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiI4ODYzMTNlMSJ9.kL0c2YtN3xQ',
          expires_at: '2026-01-16T10:30:00.000Z',
          user,
          tenant,
          apps: [app],
        },
      },
    },
    logout: {
      description: 'Ends the login of the token in the request, at once and wherever the token is used. Other logins of the person stay.',
    },
    me: {
      description: 'Whom the token belongs to: the person, their tenant, role and permissions, and their other tenants.',
      reply: {
        data: { user, tenant, role: 'write', permissions: ['trace.read', 'span.read', 'score.write'], tenants: [tenant], apps: [app] },
      },
    },
  }),
  ...notesOn(auditLog, {
    list: {
      description:
        'What people, keys and the gateway itself did in all apps of the tenant, sign-ins, and what was refused. `changes` never has secrets, ' +
        'texts that people wrote or addresses. For owners and admins who are signed in: keys are refused. With `format=csv` the page is a CSV ' +
        'file, in which no cell begins like a formula.',
      query: { limit: 50, action: 'member' },
      reply: {
        data: [
          {
            ...{ at: '2026-01-15T10:30:00.000Z', app_id: null, actor_kind: 'user', actor_id: ids.person, actor_name: user.email },
            ...{ ip: '192.0.2.7', action: 'member.set', target: ids.person, target_name: user.email },
            changes: [{ field: 'role', before: 'read', after: 'write' }],
          },
        ],
        pagination: page(1),
      },
    },
  }),
  ...notesOn(deviceSignIn, {
    start: {
      description:
        'The first of two steps by which a program gets a key without anybody copying one (the device grant of RFC 8628 with the proof key of ' +
        'RFC 7636): show `user_code` and `verification_uri` to a person, who signs in there and decides, and poll the second operation every ' +
        '`interval` seconds meanwhile.',
      body: { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', machine_name: 'maya-laptop', product_version: '0.1.0' },
      reply: {
        data: {
          device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
          user_code: 'BCDF-GHJK',
          verification_uri: 'https://glasshouse.acme.example/#/link',
          verification_uri_complete: 'https://glasshouse.acme.example/#/link?code=BCDF-GHJK',
          expires_in: 900,
          interval: 5,
        },
      },
    },
    token: {
      description:
        'The second step: the state of the request, always with 200. `pending` and `slow_down` say when to poll again, `denied` and `expired` are ' +
        'final, and `linked` has the key, in this answer only.',
      body: {
        device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
      reply: {
        data: { status: 'linked', key, app_id: ids.app, app_name: 'support-bot', tenant_name: 'acme', environment: 'dev' },
      },
    },
  }),
  ...notesOn(apiKeys, {
    list: {
      description: 'The valid keys of the app, newest first. Their values are not stored and cannot be shown.',
      query: { limit: 50 },
      reply: { data: [apiKey], pagination: page(1) },
    },
    create: {
      description:
        'Creates a key for one app and one environment. `plaintext_key` is its value and is in this answer only. It has only the permissions ' +
        'in `permissions`; a key cannot grant more than it has itself. Without `environment_name` it gets the environment of the key ' +
        'that creates it, or the default one.',
      body: { name: apiKey.name, permissions: ['trace.write', 'score.write'], environment_name: 'production' },
      reply: { data: { ...apiKey, last_used_at: null, plaintext_key: key } },
    },
    revoke: {
      description: 'Revokes a key for good. The very next request with it is refused.',
      path: { apiKeyId: apiKey.id },
    },
  }),
};

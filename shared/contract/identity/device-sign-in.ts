import { z } from 'zod';
import { nothing, one } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const base64url = /^[A-Za-z0-9_-]{43}$/;

const startBody = z.object({
  code_challenge: z
    .string()
    .regex(base64url, 'must be a SHA-256 in base64url')
    .meta({ description: 'SHA-256 of the `code_verifier` that the machine keeps (RFC 7636, S256).' }),
  machine_name: bounded(1, 100).meta({
    description: 'The name of the machine as its owner knows it; shown to the person who approves or denies it.',
  }),
  product_version: bounded(1, 50),
});

const startReply = z.object({
  device_code: z.string().meta({ description: 'The secret of the machine; never displayed.' }),
  user_code: z.string().meta({ description: 'What a person compares and enters, such as BCDF-GHJK.' }),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  interval: z.int().meta({ description: 'Seconds to wait before each poll.' }),
});

const linked = z.object({
  status: z.literal('linked'),
  key: z.string().meta({ description: 'Only this answer has it.' }),
  app_id: z.uuid(),
  app_name: z.string(),
  tenant_name: z.string(),
  environment: z.string().meta({ description: 'Everything written with the key belongs to this environment, whatever the sender claims.' }),
});

const progress = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), interval: z.int() }),
  z.object({ status: z.literal('slow_down'), interval: z.int().meta({ description: 'Longer than before.' }) }),
  z.object({ status: z.literal('denied') }),
  z.object({ status: z.literal('expired') }),
  linked,
]);

const pendingDevice = z
  .object({
    machine_name: z.string(),
    product_version: z.string(),
    ip: z.string().nullable().meta({ description: 'Where the request came from.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'WaitingDevice', description: 'A machine that has requested a key and waits for a decision.' });

const userCodeBody = z.object({ user_code: bounded(1, 32).meta({ description: 'Case, spaces and hyphens are ignored.' }) });

const declare = { tag: 'auth', only: 'cloud', touches: ['control'], method: 'POST' } as const;
const byPerson = { ...declare, credential: 'session', rate: 'login' } as const;

/**
 * A machine gets a key for one app and environment once a person who is signed in elsewhere approves it: the device grant of RFC 8628, with
 * the proof key of RFC 7636, so that an intercepted device code is useless. Additive.
 */
export const deviceSignIn = {
  start: route({
    ...declare,
    id: 'start-device-sign-in',
    path: '/v1/auth/device',
    summary: 'Request a key for a machine: a person decides in the dashboard, by the code that the machine shows',
    permission: 'public',
    app: 'none',
    rate: 'login',
    body: startBody,
    reply: one(startReply),
    errors: [],
  }),
  token: route({
    ...declare,
    id: 'finish-device-sign-in',
    path: '/v1/auth/device/token',
    summary: 'Poll the state of a request; after approval, one answer has the key. Unknown requests are reported as expired',
    permission: 'public',
    app: 'none',
    rate: 'poll',
    body: z.object({
      device_code: bounded(1, 200),
      code_verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 unreserved characters'),
    }),
    reply: one(progress),
    errors: [],
  }),
  find: route({
    ...byPerson,
    id: 'find-device-sign-in',
    internal: true,
    path: '/v1/auth/device/find',
    summary: 'Find the machine that waits with a code. One that was approved or denied is not found',
    permission: 'signed-in',
    app: 'none',
    // It only reads.
    touches: [],
    body: userCodeBody,
    reply: one(pendingDevice),
    errors: ['device_sign_in_not_found'],
  }),
  approve: route({
    ...byPerson,
    id: 'approve-device-sign-in',
    internal: true,
    path: '/v1/auth/device/approve',
    summary: 'Approve the machine that shows a code: it gets a key that writes to one environment of the app',
    permission: 'api_key.insert',
    body: userCodeBody.extend({ environment_name: bounded(1, 255) }),
    reply: one(pendingDevice),
    errors: ['device_sign_in_not_found', 'entitlement_required'],
  }),
  deny: route({
    ...byPerson,
    id: 'deny-device-sign-in',
    internal: true,
    path: '/v1/auth/device/deny',
    summary: 'Deny the machine that shows a code',
    permission: 'signed-in',
    app: 'none',
    body: userCodeBody,
    reply: nothing,
    status: [204],
    errors: ['device_sign_in_not_found'],
  }),
};

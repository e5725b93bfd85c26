import { z } from 'zod';
import { nothing, one } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const base64url = /^[A-Za-z0-9_-]{43}$/;

const asking = z.object({
  code_challenge: z
    .string()
    .regex(base64url, 'must be a SHA-256 in base64url')
    .meta({ description: 'SHA-256 of the `code_verifier` that the machine keeps (RFC 7636, S256).' }),
  machine_name: bounded(1, 100).meta({ description: 'How its owner knows the machine; shown to whoever decides.' }),
  product_version: bounded(1, 50),
});

const began = z.object({
  device_code: z.string().meta({ description: 'The secret of the machine: shown to nobody.' }),
  user_code: z.string().meta({ description: 'What a person compares and enters, such as BCDF-GHJK.' }),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  interval: z.int().meta({ description: 'Seconds to wait before each question.' }),
});

const linked = z.object({
  status: z.literal('linked'),
  key: z.string().meta({ description: 'Handed out in this answer and in no other.' }),
  app_id: z.uuid(),
  app_name: z.string(),
  tenant_name: z.string(),
  environment: z.string().meta({ description: 'What the key writes is of this one, whatever the sender claims.' }),
});

const progress = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), interval: z.int() }),
  z.object({ status: z.literal('slow_down'), interval: z.int().meta({ description: 'Longer than before.' }) }),
  z.object({ status: z.literal('denied') }),
  z.object({ status: z.literal('expired') }),
  linked,
]);

const waiting = z
  .object({
    machine_name: z.string(),
    product_version: z.string(),
    ip: z.string().nullable().meta({ description: 'Where the request came from.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'WaitingDevice', description: 'A machine that asks for a key and waits for somebody to decide.' });

const ofCode = z.object({ user_code: bounded(1, 32).meta({ description: 'Read without regard to case, spaces and hyphens.' }) });

const declare = { tag: 'auth', only: 'cloud', touches: ['control'], method: 'POST' } as const;
const byPerson = { ...declare, credential: 'session', rate: 'login' } as const;

/**
 * A machine gets a key for one app and environment by the word of somebody who has signed in elsewhere: in the manner of RFC 8628, with
 * the proof of RFC 7636 so that a device code that was overheard is worth nothing. Additive.
 */
export const deviceSignIn = {
  start: route({
    ...declare,
    id: 'start-device-sign-in',
    path: '/v1/auth/device',
    summary: 'Ask for a key on behalf of a machine: somebody decides in the dashboard, by the code that the machine shows',
    permission: 'public',
    app: 'none',
    rate: 'login',
    body: asking,
    reply: one(began),
    errors: [],
  }),
  token: route({
    ...declare,
    id: 'finish-device-sign-in',
    path: '/v1/auth/device/token',
    summary: 'Say how far it is; once, when somebody has agreed, hand out the key. What was never begun is expired',
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
    summary: 'Say which machine shows a code and waits. One that was decided on is not found',
    permission: 'signed-in',
    app: 'none',
    // It only looks.
    touches: [],
    body: ofCode,
    reply: one(waiting),
    errors: ['device_sign_in_not_found'],
  }),
  approve: route({
    ...byPerson,
    id: 'approve-device-sign-in',
    internal: true,
    path: '/v1/auth/device/approve',
    summary: 'Let the machine that shows a code have a key that writes to one environment of the app',
    permission: 'api_key.insert',
    body: ofCode.extend({ environment_name: bounded(1, 255) }),
    reply: one(waiting),
    errors: ['device_sign_in_not_found', 'entitlement_required'],
  }),
  deny: route({
    ...byPerson,
    id: 'deny-device-sign-in',
    internal: true,
    path: '/v1/auth/device/deny',
    summary: 'Refuse the machine that shows a code',
    permission: 'signed-in',
    app: 'none',
    body: ofCode,
    reply: nothing,
    status: [204],
    errors: ['device_sign_in_not_found'],
  }),
};

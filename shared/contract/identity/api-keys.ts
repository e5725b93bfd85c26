import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { keyPermissions } from './permissions.ts';

const kinds = z.array(z.enum(['development', 'preview', 'production']));

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    app_id: z.uuid().nullable(),
    environment_id: z.uuid().nullable(),
    permissions: z.array(z.string()),
    key_prefix: z.string().nullable(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    environment_kinds: kinds
      .optional()
      .meta({ description: 'Only on keys that were created in the dashboard for kinds of environments. Additive.' }),
  })
  .meta({ id: 'ApiKey', description: 'A key without its value, which is shown only once, when the key is created.' });

const newKey = z.object({
  name: bounded(1, 255),
  permissions: z.array(z.enum(keyPermissions)).default([]),
  app_id: z.uuid().nullable().optional(),
  environment_name: bounded(1, 255).nullable().optional(),
  environment_kinds: kinds.min(1).optional().meta({
    description:
      'Instead of one environment: each write names its environment, which must be of one of these kinds. Only people may set it. Additive.',
  }),
});

const declare = { tag: 'api-keys', only: 'cloud', touches: ['control'] } as const;

export const apiKeys = {
  list: route({
    ...declare,
    id: 'list-api-keys',
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List the active keys of the app, newest first',
    permission: 'api_key.read',
    query: z.object(paging),
    reply: many(apiKey),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-api-key',
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create a key; only this answer has its value',
    permission: 'api_key.insert',
    bodyMax: bodyLimits.credential,
    body: newKey,
    reply: one(apiKey.extend({ plaintext_key: z.string() })),
    status: [201],
    errors: ['entitlement_required', 'duplicate_api_key_name'],
  }),
  revoke: route({
    ...declare,
    id: 'revoke-api-key',
    method: 'DELETE',
    path: '/v1/api-keys/:apiKeyId',
    summary: 'Revoke a key at once',
    permission: 'api_key.delete',
    params: z.object({ apiKeyId: z.string().min(1) }),
    reply: nothing,
    status: [204],
    errors: ['api_key_not_found'],
  }),
};

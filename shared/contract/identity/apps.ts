import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const legacy = z.string().nullable().optional().meta({ deprecated: true, description: 'Moved to environments; normally left out.' });
const runtime = z.enum(['nodejs', 'python']);

export const app = z
  .object({
    id: z.uuid(),
    tenant_id: z.uuid(),
    name: z.string(),
    display_name: z.string().nullable(),
    runtime: runtime.nullable(),
    entry_point: z.string().nullable(),
    commit_sha: z.string().nullable(),
    created_at: z.iso.datetime().nullable(),
    created_by: z.string().nullable(),
    updated_at: z.iso.datetime().nullable(),
    updated_by: z.string().nullable(),
    hosting_app_name: legacy,
    hosting_machine_id: legacy,
    hosting_machine_url: legacy,
  })
  .meta({ id: 'App' });

const newApp = z.object({
  name: bounded(1, 100),
  display_name: bounded(0, 100).optional(),
  runtime: runtime.default('nodejs'),
  entry_point: bounded(0, 255).optional(),
});

const appChange = z
  .object({
    name: bounded(1, 100).optional(),
    display_name: bounded(0, 100).nullable().optional(),
    runtime: runtime.optional(),
    entry_point: bounded(0, 255).nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must change something');

export const appPath = z.object({ appId: z.uuid() });
const declare = { tag: 'apps', only: 'cloud', touches: ['control'] } as const;

/** Apps belong to the tenant: these routes name their app in the path or need none, and API keys may only read. */
export const apps = {
  list: route({
    ...declare,
    id: 'list-apps',
    method: 'GET',
    path: '/v1/apps',
    summary: 'List the apps of the tenant, newest first',
    permission: 'app.read',
    app: 'none',
    query: z.object({ ...paging, name: bounded(1, 100).optional() }),
    reply: many(app),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-app',
    method: 'POST',
    path: '/v1/apps',
    summary: 'Create an app with its default environment',
    permission: 'app.write',
    credential: 'session',
    app: 'none',
    body: newApp,
    reply: one(app),
    status: [201],
    errors: ['entitlement_required', 'duplicate_app_name'],
  }),
  get: route({
    ...declare,
    id: 'get-app',
    method: 'GET',
    path: '/v1/apps/:appId',
    summary: 'Read one app',
    permission: 'app.read',
    app: 'path',
    params: appPath,
    reply: one(app),
    errors: ['app_not_found'],
  }),
  update: route({
    ...declare,
    id: 'update-app',
    method: 'PATCH',
    path: '/v1/apps/:appId',
    summary: 'Change an app',
    permission: 'app.write',
    credential: 'session',
    app: 'path',
    params: appPath,
    body: appChange,
    reply: one(app),
    errors: ['app_not_found', 'duplicate_app_name'],
  }),
  remove: route({
    ...declare,
    id: 'delete-app',
    method: 'DELETE',
    path: '/v1/apps/:appId',
    summary: 'Delete an app and everything in it',
    permission: 'app.delete',
    credential: 'session',
    app: 'path',
    params: appPath,
    reply: nothing,
    status: [204],
    errors: ['app_not_found'],
  }),
};

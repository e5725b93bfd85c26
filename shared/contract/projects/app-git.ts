import { z } from 'zod';
import { all, nothing, one } from '../core/envelope.ts';
import { bounded, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { appPath } from '../identity/apps.ts';
import { branchName, repositoryName } from './git-names.ts';

const provider = z.enum(['github', 'gitlab']);

export const gitConnection = z
  .object({
    connected: z.boolean(),
    provider: provider.nullable(),
    repository: z.string().nullable(),
    branch: z.string().nullable(),
    installation_id: z.int().nullable().meta({ description: 'Only GitHub has one.' }),
    providers: z.array(provider).meta({ description: 'Those that this deployment is set up for. Additive.' }),
  })
  .meta({ id: 'GitConnection', description: 'Connected without a repository: authorised, but no repository has been chosen yet.' });

const repository = z.object({ full_name: z.string(), name: z.string(), default_branch: z.string() }).meta({ id: 'GitRepository' });

const link = z.object({ repository: z.string(), branch: z.string(), branch_id: z.uuid(), commit_sha: z.string().nullable() });

const webhookBytesMax = 10 * 1024 * 1024;

const declare = { tag: 'apps', only: 'cloud', touches: ['control'], app: 'path', params: appPath } as const;

export const appGit = {
  get: route({
    ...declare,
    id: 'get-app-git-connection',
    method: 'GET',
    path: '/v1/apps/:appId/git',
    summary: 'Read the git connection of an app',
    permission: 'app.read',
    reply: one(gitConnection),
    errors: ['app_not_found'],
  }),
  connect: route({
    ...declare,
    id: 'start-app-git-connect',
    method: 'POST',
    path: '/v1/apps/:appId/git/connect',
    summary: 'Start connecting an app to a git provider',
    permission: 'app.write',
    body: z.object({ provider }),
    reply: one(z.object({ authorization_url: z.url(), state: z.string(), expires_at: z.iso.datetime() })),
    errors: ['app_not_found', 'git_connect_not_configured'],
  }),
  repositories: route({
    ...declare,
    id: 'list-app-git-repositories',
    method: 'GET',
    path: '/v1/apps/:appId/git/repositories',
    summary: 'List the repositories that the connection can access',
    permission: 'app.read',
    reply: all(repository),
    errors: ['app_not_found', 'git_connection_missing'],
  }),
  branches: route({
    ...declare,
    id: 'list-app-git-branches',
    method: 'GET',
    path: '/v1/apps/:appId/git/branches',
    summary: 'List the branches of a repository',
    permission: 'app.read',
    query: z.object({ repository: repositoryName }),
    reply: all(z.string()),
    errors: ['app_not_found', 'git_connection_missing'],
  }),
  link: route({
    ...declare,
    id: 'link-app-repository',
    method: 'POST',
    path: '/v1/apps/:appId/git/link',
    summary: 'Link an app to a branch of a repository',
    permission: 'app.write',
    body: z.object({
      repository: repositoryName,
      branch: branchName,
      deploy: z
        .boolean()
        .default(false)
        .meta({ description: 'Also deploy the head of the branch now, also when it is linked already. Additive.' }),
    }),
    reply: one(link),
    errors: ['app_not_found', 'git_connection_missing', 'repo_branch_already_linked'],
  }),
  unlink: route({
    ...declare,
    id: 'unlink-app-repository',
    method: 'DELETE',
    path: '/v1/apps/:appId/git/link',
    summary: 'Unlink the repository; the connection to the provider stays',
    permission: 'app.write',
    reply: nothing,
    status: [204],
    errors: ['app_not_found'],
  }),
  callback: route({
    id: 'finish-app-git-connect',
    internal: true,
    method: 'GET',
    path: '/v1/git/callback',
    summary: 'Callback of the git provider: redirect the browser to the dashboard',
    tag: 'apps',
    only: 'cloud',
    permission: 'public',
    query: z.object({
      state: bounded(1, 1000).meta({
        description: 'As start-app-git-connect returned it. Valid once, in the browser that started the connection.',
      }),
      code: bounded(1, 512).optional(),
      installation_id: z
        .string()
        .regex(/^\d{1,15}$/, 'must be a whole number')
        .transform(Number)
        .optional(),
      error: text.optional().meta({ description: 'Why the provider returned no code.' }),
    }),
    reply: nothing,
    status: [302],
    touches: ['control'],
    errors: ['git_connect_not_configured', 'storage_full'],
  }),
  webhook: route({
    id: 'receive-git-webhook',
    internal: true,
    method: 'POST',
    path: '/v1/git/webhooks/:provider',
    summary: 'Receive a signed event of a git provider; a push to a linked branch is deployed',
    tag: 'apps',
    only: 'cloud',
    permission: 'public',
    params: z.object({ provider }),
    body: z
      .custom<Uint8Array>((body) => body instanceof Uint8Array)
      .meta({ override: { type: 'object', properties: {}, description: 'As the provider sends it.' } }),
    takes: { type: 'application/json', bytesMax: webhookBytesMax },
    reply: one(
      z.object({ accepted: z.boolean().meta({ description: 'False for an event that is already known or concerns no linked branch.' }) }),
    ),
    status: [202],
    touches: ['control'],
    errors: ['unauthorized', 'git_connect_not_configured'],
  }),
};

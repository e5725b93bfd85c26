/**
 * Prompts as the viewer shows them: of a folder on a local gateway, of an environment on a cloud gateway. `GET /v1/prompts` is served by
 * local gateways only, as specified. Additive.
 */
import { z } from 'zod';
import { many, one } from '../core/envelope.ts';
import { paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { deployment } from '../projects/deployments.ts';
import { environmentName } from '../projects/environment-name.ts';
import { templateTree } from '../projects/templates.ts';

const promptKind = z.enum(['text', 'object', 'image', 'speech']);

/** The fields of a deployment that lists show. */
const listedDeployment = deployment
  .pick({ id: true, env_version: true, commit_sha: true, commit_message: true, initiated_by: true, note: true, created_at: true })
  .meta({ id: 'PromptDeployment' });

const source = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), commit_sha: z.string().nullable() }),
    z.object({
      kind: z.literal('environment'),
      id: z.uuid(),
      name: z.string(),
      is_default: z.boolean(),
      deployment: listedDeployment.nullable().meta({ description: 'The deployment it serves; null before the first one.' }),
    }),
  ])
  .meta({ id: 'PromptSource', description: 'Where prompts were read from: the folder of a project, or an environment.' });

const listedPrompt = z
  .object({
    path: z.string().meta({ description: 'Under the templates folder.' }),
    name: z.string().nullable().meta({ description: 'From the front matter; null when that cannot be read.' }),
    kind: promptKind.nullable(),
    models: z.array(z.string()),
    dataset: z.string().nullable().meta({ description: 'The dataset of its test settings, as written in the file.' }),
    changed_at: z.iso.datetime().nullable(),
    changed_by: listedDeployment.nullable().meta({ description: 'The deployment that changed it last; null for a folder.' }),
  })
  .meta({ id: 'ListedPrompt' });

const promptVersion = z
  .object({ change: z.enum(['added', 'changed', 'removed']), deployment: listedDeployment })
  .meta({ id: 'PromptVersion', description: 'A deployment that changed a prompt.' });

const path = text
  .pipe(z.string().max(1024, 'must not be longer than 1024').endsWith('.mdx', 'must end in .mdx'))
  .meta({ description: 'Under the templates folder.' });
const environment = environmentName.optional().meta({ description: 'By name. Absent: the default environment. A folder has none.' });
const deployment_id = z.uuid().optional().meta({ description: 'A deployment whose files are read instead of those of the environment.' });

const declare = { method: 'GET', tag: 'viewer', permission: 'template.read' } as const;

export const viewerPrompts = {
  list: route({
    ...declare,
    id: 'viewer-list-prompts',
    path: '/v1/viewer/prompts',
    summary: 'List the prompts of a folder or of an environment, by path',
    query: z.object({ environment }),
    reply: one(z.object({ source, prompts: z.array(listedPrompt) })),
    touches: ['templates'],
    errors: ['environment_not_found'],
  }),
  tree: route({
    ...declare,
    id: 'viewer-prompt-tree',
    path: '/v1/viewer/prompts/tree',
    summary: 'Read a prompt as a tree in which imported files replace their tags',
    query: z.object({ path, environment, deployment_id }),
    reply: one(templateTree),
    touches: ['templates'],
    errors: ['environment_not_found', 'deployment_not_found', 'template_not_found', 'template_parse_error'],
    localErrors: ['payload_too_large'],
  }),
  text: route({
    ...declare,
    id: 'viewer-prompt-text',
    path: '/v1/viewer/prompts/text',
    summary: 'Read a prompt as it was written',
    query: z.object({ path, environment, deployment_id }),
    reply: one(z.object({ path: z.string(), text: z.string() }).meta({ id: 'PromptText' })),
    touches: ['templates'],
    errors: ['environment_not_found', 'deployment_not_found', 'template_not_found'],
    localErrors: ['payload_too_large'],
  }),
  versions: route({
    ...declare,
    id: 'viewer-list-prompt-versions',
    path: '/v1/viewer/prompts/versions',
    summary: 'List the deployments to an environment that changed a prompt, newest first; a folder has none',
    query: z.object({ ...paging, path, environment }),
    reply: many(promptVersion),
    errors: ['environment_not_found'],
  }),
};

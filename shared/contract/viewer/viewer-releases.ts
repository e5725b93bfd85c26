/** What a promotion or a rollback would change, before it is confirmed. Additive, for teams. */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const fileChange = z
  .object({
    path: z.string().meta({ description: 'In the repository.' }),
    kind: z.enum(['prompt', 'component', 'dataset', 'config', 'other']),
    change: z.enum(['added', 'changed', 'removed']),
  })
  .meta({ id: 'ReleaseFileChange' });

const side = z
  .object({ text: z.string(), is_cut: z.boolean().meta({ description: 'The file is longer than the text.' }) })
  .nullable()
  .meta({ id: 'ReleaseFileSide', description: 'Null where there is no such file.' });

const environmentPath = z.object({ id: z.uuid() });
const deployment_id = z.uuid().optional().meta({
  description:
    'The deployment that would be promoted. Absent: one without files, such as that of a default environment before its first push.',
});
const declare = { method: 'GET', tag: 'viewer', only: 'cloud', permission: 'template.read', touches: ['control'] } as const;

export const viewerReleases = {
  changes: route({
    ...declare,
    id: 'viewer-release-changes',
    path: '/v1/viewer/environments/:id/changes',
    summary: 'List the files that would change in an environment if a deployment were promoted to it',
    params: environmentPath,
    query: z.object({ deployment_id }),
    reply: all(fileChange),
    errors: ['environment_not_found', 'deployment_not_found'],
  }),
  file: route({
    ...declare,
    id: 'viewer-release-file',
    path: '/v1/viewer/environments/:id/changes/file',
    summary: 'Read one of these files as the environment serves it now and as it would serve it',
    params: environmentPath,
    query: z.object({ deployment_id, path: bounded(1, 1024) }),
    reply: one(z.object({ path: z.string(), before: side, after: side }).meta({ id: 'ReleaseFile' })),
    errors: ['environment_not_found', 'deployment_not_found'],
  }),
};

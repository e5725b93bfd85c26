import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';

export const projectConfig = z
  .object({
    commit_sha: z.string().nullable().meta({ description: 'The commit that is checked out; null outside git.' }),
    config: z.looseObject({}).meta({ description: 'The content of the project file.' }),
  })
  .meta({ id: 'ProjectConfig' });

export const config = {
  get: route({
    id: 'get-config',
    method: 'GET',
    path: '/v1/config',
    summary: 'Read the configuration of the project',
    tag: 'project',
    permission: 'template.read',
    reply: one(projectConfig),
    touches: ['config'],
    errors: ['config_not_found', 'invalid_project_file'],
  }),
};

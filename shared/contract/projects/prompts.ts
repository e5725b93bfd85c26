import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const name = text
  .transform((value) => value.replaceAll('\0', ''))
  .pipe(z.string().min(1, 'must not be empty').max(255, 'must not be longer than 255'))
  .meta({ override: { type: 'string', minLength: 1, maxLength: 255, pattern: '[^\\u0000]' } });

export const prompts = {
  list: route({
    id: 'list-prompts',
    method: 'GET',
    path: '/v1/prompts',
    summary: 'List prompt files, or find those with a name',
    tag: 'project',
    permission: 'template.read',
    query: z.object({
      name: name.optional().meta({ description: 'Exactly the `name` of the front matter; more than one file may have it.' }),
    }),
    reply: one(z.object({ paths: z.array(z.string()) })),
    touches: ['templates'],
    errors: ['not_available_on_cloud'],
  }),
};

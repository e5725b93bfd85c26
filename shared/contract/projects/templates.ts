import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const templateTree = z.looseObject({ type: z.literal('root'), children: z.array(z.looseObject({ type: z.string() })) }).meta({
  id: 'TemplateTree',
  description:
    'A template as mdast with MDX nodes, as remark-mdx produces it: imported files replace their tags, comments are removed. An expression has its source text and, in `data.estree`, its ESTree without positions; nothing is evaluated.',
});

const path = text
  .refine((value) => /\.(?:mdx|jsonl)$/.test(value), 'must end in .mdx or .jsonl')
  .transform((value) => value.replace(/^(?:\.\/)+/, ''))
  .meta({ override: { type: 'string', pattern: '\\.(?:mdx|jsonl)$', description: 'Under the templates folder.' } });

export const templates = {
  get: route({
    id: 'get-template',
    method: 'GET',
    path: '/v1/templates',
    summary: 'Read a template as a tree, or a dataset as rows',
    tag: 'project',
    permission: 'template.read',
    query: z.object({
      path,
      promptKind: z.enum(['image', 'speech', 'text', 'object']).optional().meta({
        description:
          'The kind of prompt that an `.mdx` file is read as, which decides the tags it may use. By default its front matter says which.',
      }),
      format: z
        .string()
        .optional()
        .meta({ description: '`json` returns a dataset as an array even to a client that accepts application/x-ndjson.' }),
    }),
    reply: z
      .union([one(templateTree), z.array(z.unknown())])
      .meta({ description: 'A dataset is a bare array, or its lines when the client accepts application/x-ndjson.' }),
    otherMediaTypes: ['application/x-ndjson'],
    touches: ['templates'],
    errors: ['template_not_found', 'template_parse_error', 'invalid_project_file'],
    localErrors: ['payload_too_large'],
  }),
};

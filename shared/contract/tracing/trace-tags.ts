/** Tags that people give to traces, beside those that the spans were sent with. */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { idList, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const taggedIdsMax = 200;
export const tagLengthMax = 100;
/** Most tags in one request. */
export const tagsMax = 20;

export const traceTag = text
  .max(tagLengthMax)
  .regex(/\S/, 'must not be blank')
  .transform((value) => value.trim())
  .meta({ override: { type: 'string', maxLength: tagLengthMax, pattern: '\\S' } });

const tags = z.array(traceTag).max(tagsMax).default([]);

const request = z
  .strictObject({
    trace_ids: z
      .array(text.min(1, 'must not be empty').max(128))
      .min(1)
      .max(taggedIdsMax)
      .meta({ description: 'Unknown ids are left out.' }),
    add: tags.meta({ description: 'Tags to add. White space around a tag is cut off.' }),
    remove: tags.meta({ description: 'Tags that spans were sent with stay. A tag that is also in `add` is not removed.' }),
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, { message: 'nothing to add or remove', path: ['add'] });

const tagCount = z
  .object({
    tag: z.string().meta({ description: 'The tag itself.' }),
    traces: z.int().meta({ description: 'How many of the traces have it.' }),
    added: z.int().meta({ description: 'In how many of them it was added, and can be removed.' }),
  })
  .meta({ id: 'TagCount', description: 'A tag, with how many of the requested traces have it.' });
export type TagCount = z.output<typeof tagCount>;

const selection = z.object({ trace_ids: idList(taggedIdsMax, 'trace') });

const tagged = z
  .object({ changed: z.int().meta({ description: 'How many of the traces have other tags now.' }) })
  .meta({ id: 'TaggedTraces', description: 'The result of adding and removing tags.' });

export const traceTags = {
  find: route({
    id: 'tags-of-traces',
    method: 'GET',
    path: '/v1/trace-tags',
    summary: 'Read the tags of some traces, each with how many have it',
    tag: 'traces',
    permission: 'trace.read',
    touches: ['telemetry'],
    query: selection,
    reply: all(tagCount),
    errors: [],
  }),
  change: route({
    id: 'tag-traces',
    method: 'POST',
    path: '/v1/trace-tags',
    summary: 'Add tags to traces, and remove added ones',
    tag: 'traces',
    permission: 'trace.write',
    touches: ['telemetry'],
    body: request,
    reply: one(tagged),
    errors: ['too_many_tags'],
  }),
};

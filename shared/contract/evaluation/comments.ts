import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

/** Longest body of a comment, in which each mention contains the id of a member. */
export const commentMax = 10_000;

const resourceType = z.enum(['trace', 'span', 'session']);

export const comment = z
  .object({
    id: z.uuid(),
    resource_id: z.string(),
    resource_type: resourceType,
    body: z.string(),
    user_id: z.string().nullable(),
    author_name: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Comment', description: 'A note on a trace, a span or a session. Never edited.' });
export type Comment = z.output<typeof comment>;

const commentPath = z.object({ commentId: z.uuid() });
const declare = { tag: 'comments', only: 'cloud', touches: ['control'] } as const;

export const comments = {
  list: route({
    ...declare,
    id: 'list-comments',
    method: 'GET',
    path: '/v1/comments',
    summary: 'List comments, oldest first',
    permission: 'comment.read',
    query: z.object({ ...paging, resource_id: text.optional(), resource_type: resourceType.optional() }),
    reply: many(comment),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-comment',
    method: 'POST',
    path: '/v1/comments',
    summary: 'Comment on a trace, a span or a session',
    permission: 'comment.write',
    body: z.object({ resource_id: text.min(1), resource_type: resourceType.default('trace'), body: bounded(1, commentMax) }),
    reply: one(comment),
    status: [201],
    errors: [],
  }),
  get: route({
    ...declare,
    id: 'get-comment',
    method: 'GET',
    path: '/v1/comments/:commentId',
    summary: 'Read one comment',
    permission: 'comment.read',
    params: commentPath,
    reply: one(comment),
    errors: ['comment_not_found'],
  }),
  remove: route({
    ...declare,
    id: 'delete-comment',
    method: 'DELETE',
    path: '/v1/comments/:commentId',
    summary: 'Delete a comment: one of your own, or any with the permission comment.delete',
    permission: 'signed-in',
    params: commentPath,
    reply: nothing,
    status: [204],
    errors: ['comment_not_found', 'forbidden'],
  }),
};

/** The inbox of a member: comments that mention them, and replies. Additive, for the dashboard: a key has no inbox. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { limit } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { comment } from './comments.ts';

const notice = z
  .object({
    id: z.uuid(),
    kind: z.enum(['mention', 'reply']).meta({
      description:
        '`mention`: the comment mentions the person. `reply`: the person has commented on the same trace, span or session before.',
    }),
    app_id: z.string(),
    comment,
    created_at: z.iso.datetime(),
    read_at: z.iso.datetime().nullable().meta({ description: 'When it was marked as read. Null while it is unread.' }),
  })
  .meta({ id: 'Notice', description: 'A comment that a person is told of.' });
export type Notice = z.output<typeof notice>;

/** Notices of one answer. */
export const noticePageMax = 100;

const forPeople = { permission: 'comment.read', credential: 'session', app: 'none' } as const;
const declare = { ...forPeople, tag: 'notices', only: 'cloud', touches: ['control'] } as const;

export const notices = {
  list: route({
    ...declare,
    id: 'list-notices',
    method: 'GET',
    path: '/v1/viewer/notices',
    summary: 'List your notices in all apps of the tenant, newest first',
    query: z.object({
      limit: limit(50, noticePageMax),
      before: z
        .string()
        .regex(/^\d{1,15}$/, 'must be a cursor from an earlier answer')
        .optional()
        .meta({ description: '`next` of the previous answer; absent for the newest.' }),
    }),
    reply: z.object({
      data: z.array(notice),
      next: z.string().nullable().meta({ description: 'Where the next page begins. Null at the end.' }),
    }),
    errors: [],
  }),
  unread: route({
    ...declare,
    id: 'count-unread-notices',
    method: 'GET',
    path: '/v1/viewer/notices/unread',
    summary: 'Count your unread notices',
    reply: one(z.object({ unread: z.int() })),
    errors: [],
  }),
  mark: route({
    ...declare,
    id: 'mark-notice',
    method: 'PATCH',
    path: '/v1/viewer/notices/:noticeId',
    summary: 'Mark a notice as read or unread',
    params: z.object({ noticeId: z.uuid() }),
    body: z.object({ is_read: z.boolean() }),
    reply: one(notice),
    errors: ['notice_not_found'],
  }),
  markAll: route({
    ...declare,
    id: 'mark-all-notices',
    method: 'POST',
    path: '/v1/viewer/notices/read',
    summary: 'Mark all your notices as read',
    reply: one(z.object({ marked: z.int() })),
    errors: [],
  }),
};

import { annotationItems } from '../../../shared/contract/evaluation/annotation-items.ts';
import { annotationQueues } from '../../../shared/contract/evaluation/annotation-queues.ts';
import { comments } from '../../../shared/contract/evaluation/comments.ts';
import { notices } from '../../../shared/contract/evaluation/notices.ts';
import { notesOn } from '../note.ts';
import { ids, page } from './samples.ts';

const queue = {
  id: ids.queue,
  app_id: ids.app,
  name: 'Complaints',
  description: 'Answers that customers were not happy with.',
  score_config_names: ['helpful'],
  dataset_id: null,
  status: 'active' as const,
  instructions: 'Was the answer right, given what the bot could know?',
  reviewers_required: 1,
  created_by: ids.person,
  created_at: '2026-01-15T09:00:00.000Z',
  updated_at: null,
  reviewer_ids: null,
  shares_evenly: false,
  waiting_for_me: 0,
  progress: { pending: 12, in_progress: 1, completed: 30, skipped: 2, total: 45 },
};

const item = {
  id: ids.item,
  queue_id: ids.queue,
  resource_id: ids.trace,
  resource_type: 'trace' as const,
  status: 'pending' as const,
  assigned_to: null,
  completed_by: null,
  completed_at: null,
  created_at: '2026-01-15T10:35:00.000Z',
  assignees: [] as string[],
};

const comment = {
  id: 'e4eaaaf2-d142-41ce-9b6f-6f4d6f1f7d10',
  resource_id: ids.trace,
  resource_type: 'trace' as const,
  body: 'The warehouse tool was down that morning.',
  user_id: ids.person,
  author_name: 'Maya Lindqvist',
  created_at: '2026-01-15T11:02:00.000Z',
  updated_at: null,
};

const notice = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  kind: 'mention' as const,
  app_id: ids.app,
  comment,
  created_at: comment.created_at,
  read_at: null,
};

const done = { ...item, status: 'completed' as const, completed_by: ids.person, completed_at: '2026-01-15T11:00:00.000Z' };
const path = { queueId: ids.queue };
const ruleBody = { filter: 'status = ERROR', sample_percent: 100, max_per_day: 50, paused: false };
const rule = {
  ...{ id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', queue_id: ids.queue, ...ruleBody, added: 14 },
  ...{ last_added_at: '2026-01-16T10:00:00.000Z', active_since: '2026-01-15T09:00:00.000Z' },
  ...{ looked_at: '2026-01-16T10:01:00.000Z', problem: null },
  ...{ created_by: ids.person, created_at: '2026-01-15T09:00:00.000Z' },
};
const rulePath = { ...path, ruleId: rule.id };
const itemPath = { ...path, itemId: ids.item };
const commentPath = { commentId: comment.id };

export const queueNotes = {
  ...notesOn(annotationQueues, {
    list: {
      description: 'The annotation queues of the app with their progress, newest first.',
      query: { limit: 50 },
      reply: { data: [queue], pagination: page(1) },
    },
    create: {
      description:
        'Creates an empty queue. `score_config_names` lists the scores that reviewers give; they need not be configured yet. An item is ' +
        'completed once `reviewers_required` people have reviewed it, which must not be more than `reviewer_ids` names.',
      body: { name: queue.name, score_config_names: ['helpful'], description: queue.description, instructions: queue.instructions },
      reply: { data: { ...queue, progress: { pending: 0, in_progress: 0, completed: 0, skipped: 0, total: 0 } } },
    },
    get: { description: 'One annotation queue with its progress. Its items have their own list.', path, reply: { data: queue } },
    update: {
      description:
        'Changes the given properties and keeps the others; null clears a field. An archived queue takes no new items, but its items can still ' +
        'be reviewed.',
      path,
      body: { status: 'archived' },
      reply: { data: { ...queue, status: 'archived', updated_at: '2026-01-20T08:00:00.000Z' } },
    },
    progress: {
      description:
        'Who reviewed how much, how long it took them, and how many reviews there were on each of the last 14 days. Of a longer queue, the ' +
        '10,000 items that people came to last are counted.',
      path,
      reply: {
        data: {
          items_counted: 45,
          reviewers: [{ user_id: ids.person, assigned: 3, completed: 30, skipped: 2, median_seconds: 41.5 }],
          days: [{ date: '2026-01-15', completed: 12, skipped: 1 }],
        },
      },
    },
    listRules: {
      description: 'The rules that add traces to the queue by themselves, with how many each has added.',
      path,
      query: { limit: 50 },
      reply: { data: [rule], pagination: page(1) },
    },
    createRule: {
      description:
        'From now on traces that match the filter, or a share of them, are added to the queue a few minutes after they end. Scores and errors ' +
        'that come within a day of the start of a trace count. A trace is added once, also when its item is removed. Needs `trace.read` too. An ' +
        'app has at most 50 rules, a queue at most 20.',
      path,
      body: ruleBody,
      reply: { data: { ...rule, added: 0, last_added_at: null, looked_at: null } },
    },
    replaceRule: {
      description:
        'Replaces the rule: send all four fields. After a change of the filter or of the share, and after a pause, it holds for traces that ' +
        'start later. Needs `trace.read` too.',
      path: rulePath,
      body: { ...ruleBody, paused: true },
      reply: { data: { ...rule, paused: true } },
    },
    removeRule: { description: 'Deletes the rule. The items that it added stay in the queue.', path: rulePath },
    previewRule: {
      description: 'What a rule would have added in the last 7 days, without its limit for a day. Nothing is changed.',
      path,
      body: { filter: ruleBody.filter, sample_percent: 100 },
      reply: { data: { matching: 14, sampled: 14, is_lower_bound: false, is_estimate: false } },
    },
    remove: {
      description: 'Deletes a queue with its items and the reviews of them. Scores and comments that reviews made stay where they are.',
      path,
    },
  }),
  ...notesOn(annotationItems, {
    list: {
      description: 'The items of a queue in the order in which they were added. Reviewers take the first pending item.',
      path,
      query: { limit: 50, status: 'pending' },
      reply: { data: [item], pagination: page(1) },
    },
    add: {
      description:
        'Adds up to 1000 traces, spans or sessions to a queue. Whether they exist is not checked. Resources that are in the queue already are ' +
        'not added again and not counted in `added`. 409 for an archived queue.',
      path,
      body: { items: [{ resource_id: ids.trace }, { resource_id: ids.session, resource_type: 'session' }] },
      reply: { data: { added: 2 } },
    },
    get: { description: 'One item of a queue: its resource, its assignee and its status.', path: itemPath, reply: { data: item } },
    update: {
      description:
        'Assigns an item to somebody, unassigns it with null, or sets its status by hand: `completed` records who did so and when, and a ' +
        'completed item can be reopened. It is then free, if its assignee may no longer review it.',
      path: itemPath,
      body: { assigned_to: ids.person },
      reply: { data: { ...item, status: 'in_progress', assigned_to: ids.person, assignees: [ids.person] } },
    },
    assign: {
      description:
        'Assigns up to 200 open items to a member who may review the queue, in place of everybody they were assigned to, or with null to ' +
        'nobody. Items that are closed, or that the member has reviewed already, stay as they are.',
      path,
      body: { item_ids: [ids.item], assigned_to: ids.person },
      reply: { data: { assigned: 1 } },
    },
    remove: { description: 'Removes an item from the queue. Scores and comments of its reviews stay.', path: itemPath },
    review: {
      description:
        'Reviews an item: its scores and its comment are written to the trace, span or session, all of them or none, and the item is completed ' +
        'once enough people have reviewed it. Each person reviews an item once. An automated judge uses a key and names itself with ' +
        '`reviewer`.',
      path: itemPath,
      body: {
        status: 'completed',
        scores: [{ name: 'helpful', score: 0, label: 'no', reason: 'Names no day.' }],
        comment: 'See ticket 4821.',
      },
      reply: {
        data: {
          reviewer: {
            id: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
            item_id: ids.item,
            user_id: ids.person,
            status: 'completed',
            completed_at: done.completed_at,
            created_at: done.completed_at,
          },
          item: done,
          review_progress: { completed: 1, total: 1, required: 1 },
        },
      },
    },
  }),
  ...notesOn(comments, {
    list: {
      description: 'Comments of the app, or of one trace, span or session, in the order in which they were written.',
      query: { resource_id: ids.trace, resource_type: 'trace' },
      reply: { data: [comment], pagination: page(1) },
    },
    create: {
      description:
        'Leaves a note on a trace, a span or a session. Comments are plain text and are never edited. `@[Maya Lindqvist](user:ID)` mentions ' +
        'the member with that id, who finds the comment in their inbox; a mention of anybody else is kept as text and tells nobody.',
      body: { resource_id: ids.trace, body: comment.body },
      reply: { data: comment },
    },
    get: { description: 'One comment: its resource, its text and its author.', path: commentPath, reply: { data: comment } },
    remove: {
      description:
        'Deletes a comment for good. Everybody may delete their own comments; the permission `comment.delete` allows deleting any.',
      path: commentPath,
    },
  }),
  ...notesOn(notices, {
    list: {
      description: 'Comments that mention you, and replies on what you commented on, of the last 90 days, at most the newest 200.',
      query: { limit: 50 },
      reply: { data: [notice], next: null },
    },
    unread: { description: 'How many of your notices are unread, in all apps of the tenant.', reply: { data: { unread: 1 } } },
    mark: {
      description: 'Marks one of your notices as read, or as unread again. Reading it twice keeps the first time.',
      path: { noticeId: notice.id },
      body: { is_read: true },
      reply: { data: { ...notice, read_at: '2026-01-15T11:05:00.000Z' } },
    },
    markAll: {
      description: 'Marks all your notices of the tenant as read. `marked` counts those that were unread.',
      reply: { data: { marked: 1 } },
    },
  }),
};

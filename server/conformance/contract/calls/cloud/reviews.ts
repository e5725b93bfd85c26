/** Annotation queues, their items, and comments. */
import type { Trigger } from '../../trigger.ts';
import { brokenConfig } from '../project.ts';
import { deleted, missing } from './records.ts';

const noQueue = 'annotation_queue_not_found';
const noItem = 'annotation_queue_item_not_found';
const queue = '/v1/annotation-queues/{queueId}' as const;
const item = `${queue}/items/{itemId}` as const;

const change = { call: `PATCH ${queue}`, body: { description: 'changed' } } as const;
const add = { call: `POST ${queue}/items`, body: { items: [{ resource_id: 'a'.repeat(32) }] } } as const;
const assign = { call: `PATCH ${item}`, body: { status: 'in_progress' } } as const;
const assignMany = { call: `POST ${queue}/items/assign`, body: { item_ids: ['{itemId}'], assigned_to: '{ownerId}' } } as const;
const review = { call: `POST ${item}/reviews`, body: { status: 'completed', scores: [{ name: 'helpful', score: 1 }] } } as const;
const notice = { call: 'PATCH /v1/viewer/notices/{noticeId}', body: { is_read: true } } as const;
const rules = `${queue}/rules` as const;
const rule = `${rules}/{ruleId}` as const;
const noRule = 'annotation_queue_rule_not_found';
const preview = { call: `POST ${rules}/preview`, body: { filter: 'status = ERROR' } } as const;
const addRule = { call: `POST ${rules}`, body: { sample_percent: 5 } } as const;
const changeRule = { call: `PUT ${rule}`, body: { filter: '', sample_percent: 5, max_per_day: 9, paused: true } } as const;
const badFilter = { body: { ...changeRule.body, filter: 'nothing = 1' }, status: 400, code: 'invalid_filter' } as const;

const tone = { data_type: 'numeric', min: 0, max: 5 };
const create = { call: 'POST /v1/score-configs' } as const;
const replace = { call: 'PUT /v1/score-configs/{name}', params: { name: 'kept' }, body: { ...tone, archived: false } } as const;
const ofProject = { ...replace, params: { name: 'helpful' } };
const comment = { resource_id: 'a'.repeat(32), body: 'fine' };

export const reviews: Trigger[] = [
  { call: 'GET /v1/annotation-queues', status: 200 },
  { call: 'POST /v1/annotation-queues', body: { name: 'sample', score_config_names: ['helpful'] }, status: 201 },
  { call: `GET ${queue}`, status: 200 },
  missing({ call: `GET ${queue}` }, 'queueId', noQueue),
  { ...change, status: 200 },
  missing(change, 'queueId', noQueue),
  ...deleted(`DELETE ${queue}`, { queueId: '{deletableQueueId}' }, noQueue),

  { call: `GET ${queue}/items`, status: 200 },
  missing({ call: `GET ${queue}/items` }, 'queueId', noQueue),
  { ...add, status: 201 },
  missing(add, 'queueId', noQueue),
  { ...add, params: { queueId: '{archivedQueueId}' }, status: 409, code: 'queue_archived' },
  { call: `GET ${item}`, status: 200 },
  missing({ call: `GET ${item}` }, 'itemId', noItem),
  { ...assignMany, status: 200 },
  missing(assignMany, 'queueId', noQueue),
  { ...assign, status: 200 },
  missing(assign, 'itemId', noItem),
  ...deleted(`DELETE ${item}`, { itemId: '{deletableItemId}' }, noItem),
  { ...review, status: 201 },
  { ...review, status: 409, code: 'review_already_submitted' },
  { ...review, params: { itemId: '{closedItemId}' }, status: 409, code: 'queue_item_closed' },
  missing(review, 'itemId', noItem),
  { ...review, at: brokenConfig, status: 422, code: 'invalid_project_file' },

  { call: `GET ${queue}/progress`, status: 200 },
  missing({ call: `GET ${queue}/progress` }, 'queueId', noQueue),
  { call: `GET ${rules}`, status: 200 },
  missing({ call: `GET ${rules}` }, 'queueId', noQueue),
  { ...addRule, status: 201 },
  missing(addRule, 'queueId', noQueue),
  { ...preview, status: 200 },
  ...[addRule, changeRule, preview].map((each): Trigger => ({ ...each, ...badFilter })),
  { ...changeRule, status: 200 },
  missing(changeRule, 'ruleId', noRule),
  ...deleted(`DELETE ${rule}`, { ruleId: '{deletableRuleId}' }, noRule),

  { ...create, body: { ...tone, name: 'tone' }, status: 201 },
  { ...create, body: { ...tone, name: 'helpful' }, status: 409, code: 'duplicate_score_config_name' },
  { ...create, body: { ...tone, name: 'other' }, at: brokenConfig, status: 422, code: 'invalid_project_file' },
  { ...replace, status: 200 },
  { ...replace, params: { name: 'missing' }, status: 404, code: 'score_config_not_found' },
  { ...ofProject, status: 409, code: 'score_config_in_project_file' },
  { ...replace, at: brokenConfig, status: 422, code: 'invalid_project_file' },

  { call: 'GET /v1/comments', status: 200 },
  { call: 'POST /v1/comments', body: comment, status: 201 },
  { call: 'GET /v1/comments/{commentId}', status: 200 },
  missing({ call: 'GET /v1/comments/{commentId}' }, 'commentId', 'comment_not_found'),
  ...deleted('DELETE /v1/comments/{commentId}', { commentId: '{deletableCommentId}' }, 'comment_not_found'),

  { call: 'GET /v1/viewer/notices', status: 200 },
  { call: 'GET /v1/viewer/notices/unread', status: 200 },
  { ...notice, status: 200 },
  missing(notice, 'noticeId', 'notice_not_found'),
  { call: 'POST /v1/viewer/notices/read', status: 200 },
];

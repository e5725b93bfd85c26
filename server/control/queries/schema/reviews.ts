import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Comment } from '../../../../shared/contract/evaluation/comments.ts';
import type { ScoreDefinition } from '../../../../shared/contract/evaluation/score-configs.ts';
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { QueueItem, Reviewer } from '../../item-store.ts';
import type { Queue } from '../../queue-store.ts';
import { assignedNumber } from './assigned-number.ts';

export const queues = sqliteTable('annotation_queue', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  name: text().notNull(),
  description: text(),
  score_config_names: text({ mode: 'json' }).$type<string[]>(),
  dataset_id: text(),
  status: text().$type<Queue['status']>().notNull(),
  instructions: text(),
  reviewers_required: integer().notNull(),
  created_by: text(),
  created_at: text().notNull(),
  updated_at: text(),
  reviewer_ids: text({ mode: 'json' }).$type<string[]>(),
  shares_evenly: integer({ mode: 'boolean' }),
});

export const scoreConfigs = sqliteTable('score_config', {
  app_id: text().notNull(),
  name: text().notNull(),
  tenant_id: text().notNull(),
  description: text(),
  definition: text({ mode: 'json' }).$type<ScoreDefinition>().notNull(),
  archived: integer({ mode: 'boolean' }).notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  updated_at: text(),
});

export const items = sqliteTable('annotation_item', {
  position: assignedNumber(),
  id: text().notNull(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  queue_id: text().notNull(),
  resource_id: text().notNull(),
  resource_type: text().$type<QueueItem['resource_type']>().notNull(),
  status: text().$type<QueueItem['status']>().notNull(),
  assigned_to: text(),
  completed_by: text(),
  completed_at: text(),
  created_at: text().notNull(),
});

export const reviewers = sqliteTable('reviewer', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  item_id: text().notNull(),
  user_id: text().notNull(),
  status: text().$type<Reviewer['status']>().notNull(),
  completed_at: text(),
  created_at: text().notNull(),
  seconds: real(),
});

export const comments = sqliteTable('comment', {
  position: assignedNumber(),
  id: text().notNull(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  resource_id: text().notNull(),
  resource_type: text().$type<Comment['resource_type']>().notNull(),
  body: text().notNull(),
  user_id: text(),
  author_name: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  updated_at: text(),
});

export const scoreOutbox = sqliteTable('score_outbox', {
  position: assignedNumber(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  scores: text({ mode: 'json' }).$type<Score[]>().notNull(),
});

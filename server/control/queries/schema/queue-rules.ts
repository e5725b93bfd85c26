import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RuleProblem } from '../../../../shared/contract/evaluation/queue-rules.ts';

export const queueRules = sqliteTable('queue_rule', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  queue_id: text().notNull(),
  filter: text().notNull(),
  sample_percent: real().notNull(),
  max_per_day: integer().notNull(),
  paused: integer({ mode: 'boolean' }).notNull(),
  added: integer().notNull(),
  last_added_at: text(),
  /** In UTC, the one that `added_on_day` counts. */
  day: text().notNull(),
  added_on_day: integer().notNull(),
  looked_at: text(),
  problem: text().$type<RuleProblem>(),
  active_since: text().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
});

export const queueRuleTraces = sqliteTable('queue_rule_trace', {
  queue_id: text().notNull(),
  trace_id: text().notNull(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  added_at: text().notNull(),
});

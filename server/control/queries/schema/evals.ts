import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EscalationDraft } from '../../escalation-store.ts';
import type { EvalStatus } from '../../eval-run-store.ts';
import type { Trial } from '../../eval-trial-store.ts';

type Fields = Record<string, unknown>;

export const evalRuns = sqliteTable('eval_run', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  status: text().$type<EvalStatus>().notNull(),
  name: text(),
  experiment_key: text(),
  metadata: text({ mode: 'json' }).$type<Fields>(),
  card: text({ mode: 'json' }).$type<Fields>(),
  cost_usd: real(),
  error: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  claimed_at: text(),
  completed_at: text(),
});

export const evalTrials = sqliteTable(
  'eval_trial',
  {
    run_id: text().notNull(),
    task_id: text().notNull(),
    trial_index: integer().notNull(),
    tenant_id: text().notNull(),
    app_id: text().notNull(),
    status: text().$type<Trial['status']>().notNull(),
    score: real(),
    trace_id: text(),
    duration_ms: real(),
    cost_usd: real(),
    error: text(),
    metadata: text({ mode: 'json' }).$type<Fields>(),
  },
  ({ run_id, task_id, trial_index }) => [primaryKey({ columns: [run_id, task_id, trial_index] })],
);

export const escalations = sqliteTable('escalation', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  run_id: text(),
  /** As sent. */
  ticket: text({ mode: 'json' }).$type<EscalationDraft>().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
});

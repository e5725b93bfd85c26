import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ExperimentRun } from '../../../../shared/contract/evaluation/experiment-runs.ts';

export const experimentRuns = sqliteTable('experiment_run', {
  experiment_id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  name: text().notNull(),
  dataset: text().notNull(),
  prompt: text(),
  prompt_name: text(),
  evals: text({ mode: 'json' }).$type<string[]>().notNull(),
  status: text().$type<ExperimentRun['status']>().notNull(),
  rows_total: integer(),
  rows_done: integer().notNull(),
  rows_failed: integer().notNull(),
  error: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  finished_at: text(),
});

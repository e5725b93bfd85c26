import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AgentChanges, AgentRun, OutputLine } from '../../agent-run-store.ts';

export const workerEnvironments = sqliteTable('worker_environment', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  /** Environment of the app that the agents' traces belong to. */
  environment_id: text().notNull(),
  name: text(),
  repo: text(),
  base: text(),
  work_branch: text().notNull(),
  session: text(),
  created_at: text().notNull(),
  created_by: text().notNull(),
  closed_at: text(),
});

export const workerRuns = sqliteTable('worker_run', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  worker_environment_id: text(),
  environment_id: text().notNull(),
  turn_index: integer().notNull(),
  status: text().$type<AgentRun['status']>().notNull(),
  task_prompt: text().notNull(),
  repo: text(),
  base: text(),
  work_branch: text().notNull(),
  model: text(),
  max_cost_usd: real(),
  metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
  base_commit: text(),
  result: text(),
  error: text(),
  cost_usd: real(),
  cancel_requested_at: text(),
  created_at: text().notNull(),
  created_by: text().notNull(),
  started_at: text(),
  completed_at: text(),
});

export const workerOutput = sqliteTable(
  'worker_output',
  {
    run_id: text().notNull(),
    seq: integer().notNull(),
    at: text().notNull(),
    stream: text().$type<OutputLine['stream']>().notNull(),
    text: text().notNull(),
  },
  ({ run_id, seq }) => [primaryKey({ columns: [run_id, seq] })],
);

export const workerCheckpoints = sqliteTable('worker_checkpoint', {
  run_id: text().primaryKey(),
  commit_sha: text().notNull(),
  file_count: integer().notNull(),
  insertions: integer().notNull(),
  deletions: integer().notNull(),
  files: text({ mode: 'json' }).$type<AgentChanges['files']>().notNull(),
  patch: text().notNull(),
  is_cut: integer({ mode: 'boolean' }).notNull(),
});

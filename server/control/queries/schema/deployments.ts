import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Actor } from '../../actor.ts';
import type { Deployment } from '../../deployment-store.ts';
import type { Saga } from '../../saga-store.ts';
import type { ChangeKind } from '../../snapshot-store.ts';
import { assignedNumber } from './assigned-number.ts';

export const deployments = sqliteTable('deployment', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  environment_id: text().notNull(),
  environment_name: text().notNull(),
  deployment_status: text().$type<NonNullable<Deployment['deployment_status']>>().notNull(),
  deployment_type: text().$type<Deployment['deployment_type']>().notNull(),
  files_status: text().$type<Deployment['files_status']>().notNull(),
  code_status: text().$type<Deployment['code_status']>().notNull(),
  branch: text(),
  commit_sha: text(),
  commit_message: text(),
  initiated_by: text().notNull(),
  actor_id: text(),
  failure_reason: text(),
  code_failure_reason: text(),
  deployment_duration_ms: integer(),
  env_version: integer(),
  environment_epoch: integer(),
  note: text(),
  source_env_id: text(),
  source_deployment_id: text(),
  aborted_by_deployment_id: text(),
  created_at: text().notNull(),
  completed_at: text(),
});

export const sagas = sqliteTable('saga', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  environment_id: text().notNull(),
  kind: text().$type<Saga['kind']>().notNull(),
  step: text().$type<Saga['step']>().notNull(),
  deployment_id: text(),
  epoch: integer().notNull(),
  actor_kind: text().$type<Actor['kind']>().notNull(),
  actor_id: text().notNull(),
  created_at: text().notNull(),
});

export const snapshots = sqliteTable('template_snapshot', {
  deployment_id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  environment_id: text().notNull(),
  created_at: text().notNull(),
});

export const snapshotFiles = sqliteTable(
  'snapshot_file',
  { deployment_id: text().notNull(), path: text().notNull(), hash: text().notNull() },
  ({ deployment_id, path }) => [primaryKey({ columns: [deployment_id, path] })],
);

export const fileChanges = sqliteTable('file_change', {
  position: assignedNumber(),
  environment_id: text().notNull(),
  deployment_id: text().notNull(),
  path: text().notNull(),
  change: text().$type<ChangeKind>().notNull(),
  hash: text(),
});

export const fileContents = sqliteTable(
  'file_content',
  { tenant_id: text().notNull(), app_id: text().notNull(), hash: text().notNull(), text: text().notNull() },
  ({ app_id, hash }) => [primaryKey({ columns: [app_id, hash] })],
);

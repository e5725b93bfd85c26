import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { GitProvider } from '../../git-store.ts';

export const gitConnections = sqliteTable('git_connection', {
  app_id: text().primaryKey(),
  tenant_id: text().notNull(),
  provider: text().$type<GitProvider>().notNull(),
  installation_id: integer(),
  sealed_tokens: text().notNull(),
  created_at: text().notNull(),
  created_by: text().notNull(),
});

export const connectNonces = sqliteTable('git_connect_nonce', {
  nonce: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  expires_at: text().notNull(),
});

export const repositoryLinks = sqliteTable('repository_link', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  provider: text().$type<GitProvider>().notNull(),
  repository_id: text().notNull(),
  repository: text().notNull(),
  branch: text().notNull(),
  due_since: text(),
  created_at: text().notNull(),
  created_by: text().notNull(),
});

export const gitDeliveries = sqliteTable(
  'git_delivery',
  { provider: text().$type<GitProvider>().notNull(), delivery: text().notNull(), received_at: text().notNull() },
  ({ provider, delivery }) => [primaryKey({ columns: [provider, delivery] })],
);

export const datasetRows = sqliteTable(
  'dataset_row',
  {
    tenant_id: text().notNull(),
    app_id: text().notNull(),
    dataset: text().notNull(),
    position: integer().notNull(),
    line: text().notNull(),
    bytes_until: integer().notNull(),
    created_at: text().notNull(),
  },
  ({ app_id, dataset, position }) => [primaryKey({ columns: [app_id, dataset, position] })],
);

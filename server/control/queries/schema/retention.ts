import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const appRetention = sqliteTable('app_retention', {
  app_id: text().primaryKey(),
  tenant_id: text().notNull(),
  keep_days: integer().notNull(),
});

export const environmentRetention = sqliteTable('environment_retention', {
  environment_id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  keep_days: integer().notNull(),
});

import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const deviceSignIns = sqliteTable('device_sign_in', {
  id: text().primaryKey(),
  device_digest: blob({ mode: 'buffer' }).notNull(),
  user_digest: blob({ mode: 'buffer' }).notNull(),
  code_challenge: text().notNull(),
  machine_name: text().notNull(),
  product_version: text().notNull(),
  ip: text(),
  created_at: text().notNull(),
  expires_at: text().notNull(),
  interval_seconds: integer().notNull(),
  asked_at: text(),
  status: text().$type<'pending' | 'approved' | 'denied'>().notNull(),
  tenant_id: text(),
  app_id: text(),
  environment_id: text(),
  decided_by: text(),
});

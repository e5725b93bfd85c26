import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const shareLinks = sqliteTable('share_link', {
  id: text().primaryKey(),
  digest: blob({ mode: 'buffer' }).notNull(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  trace_id: text().notNull(),
  /** 1 for what is hidden. */
  hides_contents: integer().notNull(),
  hides_attributes: integer().notNull(),
  hides_costs: integer().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  expires_at: text().notNull(),
  revoked_at: text(),
  openings: integer().notNull(),
  last_opened_at: text(),
});

/** Tenants that do not allow links. */
export const shareLinkBans = sqliteTable('share_link_ban', {
  tenant_id: text().primaryKey(),
  created_at: text().notNull(),
});

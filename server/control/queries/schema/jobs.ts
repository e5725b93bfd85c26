import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const leases = sqliteTable('lease', {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: text().notNull(),
  epoch: integer().notNull(),
});

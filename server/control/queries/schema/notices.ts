import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Notice } from '../../../../shared/contract/evaluation/notices.ts';
import { assignedNumber } from './assigned-number.ts';

export const notices = sqliteTable('notice', {
  position: assignedNumber(),
  id: text().notNull(),
  tenant_id: text().notNull(),
  user_id: text().notNull(),
  comment_id: text().notNull(),
  kind: text().$type<Notice['kind']>().notNull(),
  created_at: text().notNull(),
  read_at: text(),
});

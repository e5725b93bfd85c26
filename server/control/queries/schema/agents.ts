import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AgentEvent } from '../../agent-session-store.ts';
import { assignedNumber } from './assigned-number.ts';

export const agentSessions = sqliteTable(
  'agent_session',
  {
    app_id: text().notNull(),
    session_id: text().notNull(),
    tenant_id: text().notNull(),
    trace_id: text().notNull(),
    agent: text().notNull(),
    title: text(),
    repo: text(),
    branch: text(),
    commit_sha: text(),
    model: text(),
    user_id: text(),
    started_at: text().notNull(),
    ended_at: text(),
    metadata: text({ mode: 'json' }).$type<Record<string, string>>(),
    event_count: integer().notNull(),
    event_bytes: integer().notNull(),
    /** Incremented by each part with new data. */
    revision: integer().notNull(),
    created_at: text().notNull(),
  },
  ({ app_id, session_id }) => [primaryKey({ columns: [app_id, session_id] })],
);

export const agentEvents = sqliteTable(
  'agent_event',
  {
    app_id: text().notNull(),
    session_id: text().notNull(),
    seq: integer().notNull(),
    tenant_id: text().notNull(),
    /** Revision of the part that it came with. */
    revision: integer().notNull(),
    type: text().$type<AgentEvent['type']>().notNull(),
    tool_call_id: text(),
    /** As sent. */
    event: text({ mode: 'json' }).$type<AgentEvent>().notNull(),
  },
  ({ app_id, session_id, seq }) => [primaryKey({ columns: [app_id, session_id, seq] })],
);

export const agentBlobs = sqliteTable(
  'agent_blob',
  {
    app_id: text().notNull(),
    sha256: text().notNull(),
    tenant_id: text().notNull(),
    media_type: text().notNull(),
    size: integer().notNull(),
    created_at: text().notNull(),
    bytes: blob({ mode: 'buffer' }).notNull(),
  },
  ({ app_id, sha256 }) => [primaryKey({ columns: [app_id, sha256] })],
);

export const agentOutbox = sqliteTable('agent_outbox', {
  position: assignedNumber(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  session_id: text().notNull(),
  revision: integer().notNull(),
  environment_name: text().notNull(),
  environment_version: integer(),
});

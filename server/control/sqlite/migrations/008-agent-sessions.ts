/** Sessions of coding agents with their events and pictures, and what of them is still to reach the telemetry. */
export const agentSessions = `
CREATE TABLE agent_session (
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  trace_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  title TEXT,
  repo TEXT,
  branch TEXT,
  commit_sha TEXT,
  model TEXT,
  user_id TEXT,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  metadata TEXT,
  event_count INTEGER NOT NULL,
  event_bytes INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (app_id, session_id)
) STRICT;
CREATE INDEX agent_session_age ON agent_session (app_id, created_at);
CREATE INDEX agent_session_tenant ON agent_session (tenant_id, event_bytes);

CREATE TABLE agent_event (
  app_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  tenant_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  tool_call_id TEXT,
  event TEXT NOT NULL,
  PRIMARY KEY (app_id, session_id, seq),
  FOREIGN KEY (app_id, session_id) REFERENCES agent_session ON DELETE CASCADE
) STRICT;
CREATE INDEX agent_event_revision ON agent_event (app_id, session_id, revision);
CREATE INDEX agent_event_call ON agent_event (app_id, session_id, tool_call_id) WHERE tool_call_id IS NOT NULL;

CREATE TABLE agent_blob (
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (app_id, sha256)
) STRICT;
CREATE INDEX agent_blob_tenant ON agent_blob (tenant_id, size);

CREATE TABLE agent_outbox (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  environment_name TEXT NOT NULL,
  environment_version INTEGER,
  FOREIGN KEY (app_id, session_id) REFERENCES agent_session ON DELETE CASCADE
) STRICT;
CREATE INDEX agent_outbox_session ON agent_outbox (app_id, session_id, position);
`;

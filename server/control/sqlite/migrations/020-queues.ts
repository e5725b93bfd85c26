/** Score configurations that people create, rules that fill queues, and which traces such rules have added. */
export const queues = `
CREATE TABLE score_config (
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  name TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  description TEXT,
  definition TEXT NOT NULL,
  archived INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT,
  PRIMARY KEY (app_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue_rule (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  queue_id TEXT NOT NULL REFERENCES annotation_queue ON DELETE CASCADE,
  filter TEXT NOT NULL,
  sample_percent REAL NOT NULL,
  max_per_day INTEGER NOT NULL,
  paused INTEGER NOT NULL,
  added INTEGER NOT NULL,
  last_added_at TEXT,
  day TEXT NOT NULL,
  added_on_day INTEGER NOT NULL,
  looked_at TEXT,
  problem TEXT,
  active_since TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX queue_rule_queue ON queue_rule (queue_id, created_at);
CREATE INDEX queue_rule_app ON queue_rule (app_id);

CREATE TABLE queue_rule_trace (
  queue_id TEXT NOT NULL REFERENCES annotation_queue ON DELETE CASCADE,
  trace_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (queue_id, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_rule_trace_age ON queue_rule_trace (queue_id, added_at);
`;

/** Alerts, what they did, where their notifications go, and those that are on their way. Secrets are sealed before they come here. */
export const alerts = `
CREATE TABLE alert (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  environment_id TEXT REFERENCES environment ON DELETE CASCADE,
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  threshold REAL NOT NULL,
  time_window INTEGER NOT NULL,
  status TEXT NOT NULL,
  use_slack INTEGER NOT NULL,
  use_webhook INTEGER NOT NULL,
  evaluation_name TEXT,
  evaluation_aggregation TEXT,
  evaluation_threshold_direction TEXT,
  commit_sha TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT,
  updated_at TEXT,
  updated_by TEXT,
  UNIQUE (app_id, name)
) STRICT;
CREATE INDEX alert_environment ON alert (environment_id);

CREATE TABLE alert_history (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  alert_id TEXT NOT NULL REFERENCES alert ON DELETE CASCADE,
  alert_name TEXT NOT NULL,
  alert_metric TEXT NOT NULL,
  triggered_value TEXT NOT NULL,
  status TEXT NOT NULL,
  evaluation_name TEXT,
  evaluation_aggregation TEXT,
  evaluation_threshold_direction TEXT,
  commit_sha TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX alert_history_newest ON alert_history (alert_id, created_at);

CREATE TABLE alert_webhook (
  environment_id TEXT PRIMARY KEY REFERENCES environment ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  url TEXT NOT NULL,
  sealed_secret TEXT,
  sealed_previous_secret TEXT,
  previous_secret_until TEXT,
  updated_at TEXT NOT NULL,
  updated_by TEXT
) STRICT;

CREATE TABLE alert_slack (
  app_id TEXT PRIMARY KEY REFERENCES app ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  sealed_token TEXT NOT NULL,
  channel_id TEXT,
  updated_at TEXT NOT NULL,
  updated_by TEXT
) STRICT;

CREATE TABLE alert_delivery (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  alert_id TEXT NOT NULL REFERENCES alert ON DELETE CASCADE,
  history_id TEXT NOT NULL,
  destination TEXT NOT NULL,
  -- Whose webhook; null for Slack.
  environment_id TEXT,
  -- What is sent, byte for byte: attempts do not differ.
  payload TEXT NOT NULL,
  state TEXT NOT NULL,
  answer TEXT,
  attempts INTEGER NOT NULL,
  next_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;
CREATE INDEX alert_delivery_due ON alert_delivery (next_at) WHERE state = 'waiting';
CREATE INDEX alert_delivery_alert ON alert_delivery (alert_id, created_at);

-- Who does what only one may do, and until when.
CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until TEXT NOT NULL
) STRICT;
`;

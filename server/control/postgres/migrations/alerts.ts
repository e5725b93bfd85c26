/** Alerts, their history and deliveries, and leases. */
export const alerts = `
CREATE TABLE alert (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  environment_id text COLLATE "C" REFERENCES environment ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  threshold double precision NOT NULL,
  time_window bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  use_slack bigint NOT NULL,
  use_webhook bigint NOT NULL,
  evaluation_name text COLLATE "C",
  evaluation_aggregation text COLLATE "C",
  evaluation_threshold_direction text COLLATE "C",
  commit_sha text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C",
  updated_at text COLLATE "C",
  updated_by text COLLATE "C",
  UNIQUE (app_id, name)
);
CREATE INDEX alert_environment ON alert (environment_id);

CREATE TABLE alert_history (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  alert_id text COLLATE "C" NOT NULL REFERENCES alert ON DELETE CASCADE,
  alert_name text COLLATE "C" NOT NULL,
  alert_metric text COLLATE "C" NOT NULL,
  triggered_value text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  evaluation_name text COLLATE "C",
  evaluation_aggregation text COLLATE "C",
  evaluation_threshold_direction text COLLATE "C",
  commit_sha text COLLATE "C",
  created_at text COLLATE "C" NOT NULL
);
CREATE INDEX alert_history_newest ON alert_history (alert_id, created_at);

CREATE TABLE alert_webhook (
  environment_id text COLLATE "C" PRIMARY KEY REFERENCES environment ON DELETE CASCADE,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  sealed_secret text COLLATE "C",
  sealed_previous_secret text COLLATE "C",
  previous_secret_until text COLLATE "C",
  updated_at text COLLATE "C" NOT NULL,
  updated_by text COLLATE "C"
);

CREATE TABLE alert_slack (
  app_id text COLLATE "C" PRIMARY KEY REFERENCES app ON DELETE CASCADE,
  tenant_id text COLLATE "C" NOT NULL,
  sealed_token text COLLATE "C" NOT NULL,
  channel_id text COLLATE "C",
  updated_at text COLLATE "C" NOT NULL,
  updated_by text COLLATE "C"
);

CREATE TABLE alert_delivery (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  alert_id text COLLATE "C" NOT NULL REFERENCES alert ON DELETE CASCADE,
  history_id text COLLATE "C" NOT NULL,
  destination text COLLATE "C" NOT NULL,
  -- Whose webhook; null for Slack.
  environment_id text COLLATE "C",
  -- What is sent, byte for byte: attempts do not differ.
  payload text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  answer text COLLATE "C",
  attempts bigint NOT NULL,
  next_at text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  finished_at text COLLATE "C"
);
CREATE INDEX alert_delivery_due ON alert_delivery (next_at) WHERE state = 'waiting';
CREATE INDEX alert_delivery_alert ON alert_delivery (alert_id, created_at);

-- Who does what only one may do, and until when.
CREATE TABLE lease (
  name text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until text COLLATE "C" NOT NULL,
  -- Tells the newest claim of a lease from an earlier one of the same gateway.
  epoch bigint NOT NULL
);
CREATE INDEX lease_holder ON lease (holder);
`;

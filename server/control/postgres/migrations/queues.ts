/** Score configurations that people create, rules that fill queues, and which traces such rules have added. */
export const queues = `
CREATE TABLE score_config (
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  definition text COLLATE "C" NOT NULL,
  archived bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C",
  PRIMARY KEY (app_id, name)
);

CREATE TABLE queue_rule (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  queue_id text COLLATE "C" NOT NULL REFERENCES annotation_queue ON DELETE CASCADE,
  filter text COLLATE "C" NOT NULL,
  sample_percent double precision NOT NULL,
  max_per_day bigint NOT NULL,
  paused bigint NOT NULL,
  added bigint NOT NULL,
  last_added_at text COLLATE "C",
  day text COLLATE "C" NOT NULL,
  added_on_day bigint NOT NULL,
  looked_at text COLLATE "C",
  problem text COLLATE "C",
  active_since text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL
);
CREATE INDEX queue_rule_queue ON queue_rule (queue_id, created_at);
CREATE INDEX queue_rule_app ON queue_rule (app_id);

CREATE TABLE queue_rule_trace (
  queue_id text COLLATE "C" NOT NULL REFERENCES annotation_queue ON DELETE CASCADE,
  trace_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  added_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (queue_id, trace_id)
);
CREATE INDEX queue_rule_trace_age ON queue_rule_trace (queue_id, added_at);
`;

/** Evals, escalations and experiment runs. */
export const evals = `
CREATE TABLE eval_run (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  status text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  experiment_key text COLLATE "C",
  metadata text COLLATE "C",
  card text COLLATE "C",
  cost_usd double precision,
  error text COLLATE "C",
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  claimed_at text COLLATE "C",
  completed_at text COLLATE "C"
);
CREATE INDEX eval_run_app ON eval_run (app_id, created_at);
CREATE INDEX api_key_run ON api_key (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE eval_trial (
  run_id text COLLATE "C" NOT NULL REFERENCES eval_run ON DELETE CASCADE,
  task_id text COLLATE "C" NOT NULL,
  trial_index bigint NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  score double precision,
  trace_id text COLLATE "C",
  duration_ms double precision,
  cost_usd double precision,
  error text COLLATE "C",
  metadata text COLLATE "C",
  PRIMARY KEY (run_id, task_id, trial_index)
);

CREATE TABLE escalation (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  run_id text COLLATE "C",
  ticket text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL
);
CREATE INDEX escalation_run ON escalation (app_id, run_id, created_at);

CREATE TABLE experiment_run (
  experiment_id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  dataset text COLLATE "C" NOT NULL,
  prompt text COLLATE "C",
  prompt_name text COLLATE "C",
  evals text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  rows_total bigint,
  rows_done bigint NOT NULL,
  rows_failed bigint NOT NULL,
  error text COLLATE "C",
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  finished_at text COLLATE "C"
);
CREATE INDEX experiment_run_unfinished ON experiment_run (app_id, created_at) WHERE status = 'running';
`;

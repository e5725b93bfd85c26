/** Eval runs, the trials they bring, and what they hand on to people. The keys of runs are among the others, in `api_key`. */
export const evals = `
CREATE TABLE eval_run (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  status TEXT NOT NULL,
  name TEXT,
  experiment_key TEXT,
  metadata TEXT,
  card TEXT,
  cost_usd REAL,
  error TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  claimed_at TEXT,
  completed_at TEXT
) STRICT;
CREATE INDEX eval_run_app ON eval_run (app_id, created_at);
CREATE INDEX api_key_run ON api_key (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE eval_trial (
  run_id TEXT NOT NULL REFERENCES eval_run ON DELETE CASCADE,
  task_id TEXT NOT NULL,
  trial_index INTEGER NOT NULL,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  status TEXT NOT NULL,
  score REAL,
  trace_id TEXT,
  duration_ms REAL,
  cost_usd REAL,
  error TEXT,
  metadata TEXT,
  PRIMARY KEY (run_id, task_id, trial_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE escalation (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  run_id TEXT,
  ticket TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX escalation_run ON escalation (app_id, run_id, created_at);
`;

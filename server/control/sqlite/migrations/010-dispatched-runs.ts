/** Runs of experiments that were given to workers. Their traces are telemetry and say nothing of how the running went. */
export const dispatchedRuns = `
CREATE TABLE experiment_run (
  experiment_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  name TEXT NOT NULL,
  dataset TEXT NOT NULL,
  prompt TEXT,
  prompt_name TEXT,
  evals TEXT NOT NULL,
  status TEXT NOT NULL,
  rows_total INTEGER,
  rows_done INTEGER NOT NULL,
  rows_failed INTEGER NOT NULL,
  error TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;
CREATE INDEX experiment_run_unfinished ON experiment_run (app_id, created_at) WHERE status = 'running';
`;

/**
 * Workspaces of coding agents, what agents were told to do there, and what they said. `worker_run_busy` is what makes two turns at once in
 * one workspace impossible.
 */
export const workers = `
CREATE TABLE worker_environment (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  environment_id TEXT NOT NULL,
  name TEXT,
  repo TEXT,
  base TEXT,
  work_branch TEXT NOT NULL,
  session TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  closed_at TEXT
) STRICT;
CREATE INDEX worker_environment_newest ON worker_environment (app_id, created_at);

CREATE TABLE worker_run (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  worker_environment_id TEXT REFERENCES worker_environment ON DELETE CASCADE,
  environment_id TEXT NOT NULL,
  turn_index INTEGER NOT NULL,
  status TEXT NOT NULL,
  task_prompt TEXT NOT NULL,
  repo TEXT,
  base TEXT,
  work_branch TEXT NOT NULL,
  model TEXT,
  max_cost_usd REAL,
  metadata TEXT,
  base_commit TEXT,
  result TEXT,
  error TEXT,
  cost_usd REAL,
  cancel_requested_at TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT,
  UNIQUE (worker_environment_id, turn_index)
) STRICT;
CREATE UNIQUE INDEX worker_run_busy ON worker_run (worker_environment_id)
  WHERE worker_environment_id IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX worker_run_newest ON worker_run (app_id, created_at);
CREATE INDEX worker_run_open ON worker_run (created_at) WHERE status IN ('queued', 'running');

CREATE TABLE worker_output (
  run_id TEXT NOT NULL REFERENCES worker_run ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  stream TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE worker_checkpoint (
  run_id TEXT PRIMARY KEY REFERENCES worker_run ON DELETE CASCADE,
  commit_sha TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  insertions INTEGER NOT NULL,
  deletions INTEGER NOT NULL,
  files TEXT NOT NULL,
  patch TEXT NOT NULL,
  is_cut INTEGER NOT NULL
) STRICT;
`;

/**
 * What was deployed and the files of it, and the operations on environments that are under way. `saga.environment_id` is unique: that is
 * what makes two operations on one environment impossible.
 */
export const deployments = `
CREATE UNIQUE INDEX environment_preview ON environment (app_id, source_pr_number) WHERE source_pr_number IS NOT NULL;

CREATE TABLE deployment (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  environment_id TEXT NOT NULL REFERENCES environment ON DELETE CASCADE,
  environment_name TEXT NOT NULL,
  deployment_status TEXT NOT NULL,
  deployment_type TEXT NOT NULL,
  files_status TEXT NOT NULL,
  code_status TEXT NOT NULL,
  branch TEXT,
  commit_sha TEXT,
  commit_message TEXT,
  initiated_by TEXT NOT NULL,
  actor_id TEXT,
  failure_reason TEXT,
  code_failure_reason TEXT,
  deployment_duration_ms INTEGER,
  env_version INTEGER,
  environment_epoch INTEGER,
  note TEXT,
  source_env_id TEXT,
  source_deployment_id TEXT,
  aborted_by_deployment_id TEXT,
  created_at TEXT NOT NULL,
  completed_at TEXT,
  UNIQUE (environment_id, env_version)
) STRICT;
CREATE INDEX deployment_newest ON deployment (app_id, created_at);
CREATE INDEX deployment_running ON deployment (environment_id) WHERE deployment_status = 'running';

CREATE TABLE saga (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  environment_id TEXT NOT NULL UNIQUE REFERENCES environment ON DELETE CASCADE,
  kind TEXT NOT NULL,
  step TEXT NOT NULL,
  deployment_id TEXT REFERENCES deployment ON DELETE CASCADE,
  epoch INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE template_snapshot (
  deployment_id TEXT PRIMARY KEY REFERENCES deployment ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  environment_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX template_snapshot_environment ON template_snapshot (environment_id);

CREATE TABLE snapshot_file (
  deployment_id TEXT NOT NULL REFERENCES template_snapshot ON DELETE CASCADE,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (deployment_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX snapshot_file_hash ON snapshot_file (hash);

CREATE TABLE file_content (
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (app_id, hash)
) STRICT;
`;

/** Tenants, people, logins, apps with their environments, keys, and who did what. Times are ISO 8601 text: it sorts, and is what the wire has. */
export const identity = `
CREATE TABLE tenant (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE user (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT,
  password_hash TEXT,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE member (
  tenant_id TEXT NOT NULL REFERENCES tenant ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  role TEXT NOT NULL,
  joined_at TEXT NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_user ON member (user_id);

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  FOREIGN KEY (tenant_id, user_id) REFERENCES member ON DELETE CASCADE
) STRICT;
CREATE INDEX session_member ON session (tenant_id, user_id);

CREATE TABLE app (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenant ON DELETE CASCADE,
  name TEXT NOT NULL,
  display_name TEXT,
  runtime TEXT,
  entry_point TEXT,
  commit_sha TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT,
  updated_at TEXT,
  updated_by TEXT,
  UNIQUE (tenant_id, name)
) STRICT;

CREATE TABLE environment (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  is_ephemeral INTEGER NOT NULL,
  source_pr_number INTEGER,
  current_version INTEGER,
  current_commit_sha TEXT,
  latest_deployment_id TEXT,
  epoch INTEGER NOT NULL,
  hosting_app_name TEXT,
  created_at TEXT NOT NULL,
  created_by_id TEXT,
  updated_at TEXT,
  UNIQUE (app_id, name)
) STRICT;
CREATE UNIQUE INDEX environment_default ON environment (app_id) WHERE is_default = 1;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  name TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  key_prefix TEXT NOT NULL,
  permissions TEXT NOT NULL,
  environment_id TEXT REFERENCES environment ON DELETE CASCADE,
  environment_kinds TEXT,
  run_id TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT,
  last_used_at TEXT,
  expires_at TEXT,
  revoked_at TEXT
) STRICT;
CREATE UNIQUE INDEX api_key_name ON api_key (app_id, name) WHERE revoked_at IS NULL;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  app_id TEXT,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  ip TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before_hash TEXT,
  after_hash TEXT
) STRICT;
CREATE INDEX audit_tenant ON audit (tenant_id, id);
CREATE TRIGGER audit_stands_as_written BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_keeps_its_lines BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
`;

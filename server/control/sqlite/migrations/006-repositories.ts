/** Which repositories apps are connected and linked to, what their hosts have told us, and the rows that were added to synced datasets. */
export const repositories = `
CREATE TABLE git_connection (
  app_id TEXT PRIMARY KEY REFERENCES app ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  installation_id INTEGER,
  sealed_tokens TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

CREATE TABLE git_connect_nonce (
  nonce TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX git_connect_nonce_app ON git_connect_nonce (app_id);

CREATE TABLE repository_link (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL UNIQUE REFERENCES app ON DELETE CASCADE,
  provider TEXT NOT NULL,
  repository_id TEXT NOT NULL,
  repository TEXT NOT NULL,
  branch TEXT NOT NULL,
  due_since TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (tenant_id, provider, repository_id, branch)
) STRICT;
CREATE INDEX repository_link_branch ON repository_link (provider, repository_id, branch);

CREATE TABLE git_delivery (
  provider TEXT NOT NULL,
  delivery TEXT NOT NULL,
  received_at TEXT NOT NULL,
  PRIMARY KEY (provider, delivery)
) STRICT, WITHOUT ROWID;
CREATE INDEX git_delivery_age ON git_delivery (received_at);

CREATE TABLE dataset_row (
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  dataset TEXT NOT NULL,
  position INTEGER NOT NULL,
  line TEXT NOT NULL,
  bytes_until INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (app_id, dataset, position)
) STRICT;
`;

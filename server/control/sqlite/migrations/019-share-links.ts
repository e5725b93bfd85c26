/** Links by which anybody reads one trace, and the tenants that do not allow them. */
export const shareLinks = `
CREATE TABLE share_link (
  id TEXT PRIMARY KEY,
  -- Of the token, which is not stored.
  digest BLOB NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  trace_id TEXT NOT NULL,
  hides_contents INTEGER NOT NULL,
  hides_attributes INTEGER NOT NULL,
  hides_costs INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT,
  openings INTEGER NOT NULL,
  last_opened_at TEXT
) STRICT;
CREATE INDEX share_link_of_app ON share_link (app_id, created_at);
CREATE TABLE share_link_ban (
  tenant_id TEXT PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

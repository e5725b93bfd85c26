/** Score configurations that people create. */
export const queues = `
CREATE TABLE score_config (
  app_id TEXT NOT NULL REFERENCES app ON DELETE CASCADE,
  name TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  description TEXT,
  definition TEXT NOT NULL,
  archived INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT,
  PRIMARY KEY (app_id, name)
) STRICT, WITHOUT ROWID;
`;

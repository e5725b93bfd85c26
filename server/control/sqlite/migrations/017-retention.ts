/** How long traces are kept: a rule for an app, and rules for some of its environments. */
export const retention = `
CREATE TABLE app_retention (
  app_id TEXT PRIMARY KEY REFERENCES app ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  keep_days INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE environment_retention (
  environment_id TEXT PRIMARY KEY REFERENCES environment ON DELETE CASCADE,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  keep_days INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

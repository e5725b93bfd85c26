/** How long traces are kept: a rule for an app, and rules for some of its environments. */
export const retention = `
CREATE TABLE app_retention (
  app_id text COLLATE "C" PRIMARY KEY REFERENCES app ON DELETE CASCADE,
  tenant_id text COLLATE "C" NOT NULL,
  keep_days bigint NOT NULL
);
CREATE TABLE environment_retention (
  environment_id text COLLATE "C" PRIMARY KEY REFERENCES environment ON DELETE CASCADE,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  keep_days bigint NOT NULL
);
`;

/** Links by which anybody reads one trace, and the tenants that do not allow them. */
export const shareLinks = `
CREATE TABLE share_link (
  id text COLLATE "C" PRIMARY KEY,
  -- Of the token, which is not stored.
  digest bytea NOT NULL UNIQUE,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  trace_id text COLLATE "C" NOT NULL,
  hides_contents bigint NOT NULL,
  hides_attributes bigint NOT NULL,
  hides_costs bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C" NOT NULL,
  revoked_at text COLLATE "C",
  openings bigint NOT NULL,
  last_opened_at text COLLATE "C"
);
CREATE INDEX share_link_of_app ON share_link (app_id, created_at);
CREATE TABLE share_link_ban (
  tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
  created_at text COLLATE "C" NOT NULL
);
`;

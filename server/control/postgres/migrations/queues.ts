/** Score configurations that people create. */
export const queues = `
CREATE TABLE score_config (
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  definition text COLLATE "C" NOT NULL,
  archived bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C",
  PRIMARY KEY (app_id, name)
);
`;

/** Connections to git hosts, and rows of datasets. */
export const repositories = `
CREATE TABLE git_connection (
  app_id text COLLATE "C" PRIMARY KEY REFERENCES app ON DELETE CASCADE,
  tenant_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  installation_id bigint,
  sealed_tokens text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL
);

CREATE TABLE git_connect_nonce (
  nonce text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  expires_at text COLLATE "C" NOT NULL
);
CREATE INDEX git_connect_nonce_app ON git_connect_nonce (app_id);

CREATE TABLE repository_link (
  id text COLLATE "C" PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL UNIQUE REFERENCES app ON DELETE CASCADE,
  provider text COLLATE "C" NOT NULL,
  repository_id text COLLATE "C" NOT NULL,
  repository text COLLATE "C" NOT NULL,
  branch text COLLATE "C" NOT NULL,
  due_since text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  UNIQUE (tenant_id, provider, repository_id, branch)
);
CREATE INDEX repository_link_branch ON repository_link (provider, repository_id, branch);

CREATE TABLE git_delivery (
  provider text COLLATE "C" NOT NULL,
  delivery text COLLATE "C" NOT NULL,
  received_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (provider, delivery)
);
CREATE INDEX git_delivery_age ON git_delivery (received_at);

CREATE TABLE dataset_row (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  dataset text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  line text COLLATE "C" NOT NULL,
  bytes_until bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (app_id, dataset, position)
);
`;

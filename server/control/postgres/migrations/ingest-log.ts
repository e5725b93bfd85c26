/** The latest ingest requests of all gateways. It has no counterpart on SQLite, where there is one gateway. */
export const ingestLog = `
-- A crash of the database empties it.
CREATE SEQUENCE ingest_log_number;
CREATE UNLOGGED TABLE ingest_log (
  number bigint PRIMARY KEY DEFAULT nextval('ingest_log_number'),
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app ON DELETE CASCADE,
  at timestamptz NOT NULL,
  -- JSON.
  entry text COLLATE "C" NOT NULL
);
CREATE INDEX ingest_log_app ON ingest_log (app_id, number);
CREATE INDEX ingest_log_age ON ingest_log (at);
`;

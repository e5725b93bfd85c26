/** Which gateway has the socket of an app's worker. It has no counterpart on SQLite, where there is one gateway. */
export const workerSockets = `
-- Grows with each connection, also after its row has gone.
CREATE SEQUENCE worker_socket_epoch;
-- Unlogged: after a crash of the database, gateways add the rows of their sockets again.
CREATE UNLOGGED TABLE worker_socket (
  tenant_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- Process of the gateway, and where other gateways reach it.
  instance text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  -- JSON.
  status text COLLATE "C" NOT NULL,
  -- By the clock of the database. The gateway renews it.
  seen timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id)
);
`;

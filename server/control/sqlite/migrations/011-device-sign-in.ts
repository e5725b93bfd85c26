/** Machines that ask for a key. Until somebody has agreed, a request is of no tenant; what is over is swept with the next that begins. */
export const deviceSignIn = `
CREATE TABLE device_sign_in (
  id TEXT PRIMARY KEY,
  -- Digests of the code that the machine keeps, and of the one that it shows.
  device_digest BLOB NOT NULL UNIQUE,
  user_digest BLOB NOT NULL UNIQUE,
  code_challenge TEXT NOT NULL,
  machine_name TEXT NOT NULL,
  product_version TEXT NOT NULL,
  ip TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  interval_seconds INTEGER NOT NULL,
  asked_at TEXT,
  status TEXT NOT NULL,
  tenant_id TEXT,
  app_id TEXT REFERENCES app ON DELETE CASCADE,
  environment_id TEXT,
  decided_by TEXT
) STRICT;
CREATE INDEX device_sign_in_over ON device_sign_in (expires_at);
`;

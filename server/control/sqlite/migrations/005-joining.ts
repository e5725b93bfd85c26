/** How people come to a team: invited to it, and known by a provider they sign in with. */
export const joining = `
-- Whoever holds the code and has, or makes, the account of the address may join. Only a digest of the code is kept.
CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenant ON DELETE CASCADE,
  email TEXT NOT NULL,
  name TEXT,
  role TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  UNIQUE (tenant_id, email)
) STRICT;

-- Known by what the provider never gives to anybody else, not by an address that may change hands.
CREATE TABLE linked_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
`;

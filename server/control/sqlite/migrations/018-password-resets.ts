/** Password resets: a code is sent to the address of an account, and only its digest is kept. */
export const passwordResets = `
CREATE TABLE password_reset (
  digest BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX password_reset_user ON password_reset (user_id);
`;

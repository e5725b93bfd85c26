/** Permission to choose a new password, sent to the address of an account. Only a digest of the code is kept. */
export const passwordResets = `
CREATE TABLE password_reset (
  digest BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX password_reset_user ON password_reset (user_id);
`;

/** Permission to choose a new password, sent to the address of an account. Only a digest of the code is kept. */
export const passwordResets = `
CREATE TABLE password_reset (
  digest bytea PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES "user" ON DELETE CASCADE,
  expires_at text COLLATE "C" NOT NULL
);
CREATE INDEX password_reset_user ON password_reset (user_id);
`;

/** Password resets: a code is sent to the address of an account, and only its digest is kept. */
export const passwordResets = `
CREATE TABLE password_reset (
  digest bytea PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES "user" ON DELETE CASCADE,
  expires_at text COLLATE "C" NOT NULL
);
CREATE INDEX password_reset_user ON password_reset (user_id);
`;

/** Who people are at the provider they sign in with: known by what it never gives to anybody else, not by an address that may change hands. */
export const linkedIdentities = `
CREATE TABLE linked_identity (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
`;

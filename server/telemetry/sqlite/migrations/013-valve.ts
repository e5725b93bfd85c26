/** What the tokens stand for that have left, or were about to. Values are not encrypted apart: the spans that hold them are in this file too. */
export const valve = `
CREATE TABLE valve_token (
  scope INTEGER NOT NULL,
  token TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  PRIMARY KEY (scope, token)
) STRICT, WITHOUT ROWID;
`;

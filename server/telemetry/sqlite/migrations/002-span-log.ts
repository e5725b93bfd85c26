/** Log records that belong to spans (POST /v1/logs). They may come before their span, so they hang on the trace row. */
export const spanLog = `
CREATE TABLE span_log (
  id INTEGER PRIMARY KEY,
  trace INTEGER NOT NULL,
  span_id ANY NOT NULL,
  hash BLOB NOT NULL,
  block INTEGER NOT NULL,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  UNIQUE (trace, span_id, hash)
) STRICT;
`;

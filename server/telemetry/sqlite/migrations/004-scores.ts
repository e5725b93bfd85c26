/**
 * Scores; `resource` is what `resource_id` is found by (resource-key.ts). There is no index over span ids, on purpose: they are
 * random, so every span written would dirty a page of its own. What must get from scores to spans walks the index by trace.
 */
export const scores = `
CREATE TABLE score (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  score_id TEXT NOT NULL UNIQUE,
  resource ANY NOT NULL,
  resource_id TEXT NOT NULL,
  name TEXT NOT NULL,
  score REAL NOT NULL,
  label TEXT NOT NULL,
  reason TEXT NOT NULL,
  source TEXT NOT NULL,
  user_id TEXT,
  session_id TEXT,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX score_created ON score (scope, created_ms, id);
CREATE INDEX score_resource ON score (scope, resource, created_ms);
CREATE INDEX score_name ON score (scope, name, created_ms);
`;

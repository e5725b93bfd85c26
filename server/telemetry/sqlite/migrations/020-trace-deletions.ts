/** Deletions of traces that were asked for, so that a restart finishes them (ADR 043). They name no content, because they stay. */
export const traceDeletions = `
CREATE TABLE deletion (
  id TEXT PRIMARY KEY,
  scope INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  -- See write/deletion-states.ts.
  state INTEGER NOT NULL,
  traces INTEGER NOT NULL DEFAULT 0,
  spans INTEGER NOT NULL DEFAULT 0,
  removed_traces INTEGER NOT NULL DEFAULT 0,
  -- JSON: how many of the traces were forwarded to which destination.
  forwarded TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

-- Traces that are still to be removed.
CREATE TABLE deletion_trace (
  deletion TEXT NOT NULL,
  trace INTEGER NOT NULL UNIQUE,
  -- 1: it has another id by now, which nobody knows.
  detached INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (deletion, trace)
) STRICT, WITHOUT ROWID;

-- Sessions whose sums are still to be made again.
CREATE TABLE deletion_session (session INTEGER PRIMARY KEY, scope INTEGER NOT NULL) STRICT;

-- Scored resources that were removed. Their scores up to this row go, unless another span has the same id.
CREATE TABLE deletion_score (
  scope INTEGER NOT NULL,
  resource ANY NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (scope, resource)
) STRICT, WITHOUT ROWID;

-- Blocks of which unused bytes were overwritten, and how many bytes were in use then.
CREATE TABLE block_use (block INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
CREATE TRIGGER block_gone AFTER DELETE ON block BEGIN DELETE FROM block_use WHERE block = OLD.id; END;
`;

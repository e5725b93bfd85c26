/** How long traces are kept, said once for the whole store, and what has gone by it. */
export const retention = `
CREATE TABLE retention (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  -- Null: for ever.
  keep_days INTEGER,
  -- Null: as many as the disk holds.
  max_bytes INTEGER,
  -- Any span may repeat the texts up to this one; of later ones only those that soon follow (write/text-store.ts).
  repeated_up_to INTEGER NOT NULL,
  removed_traces INTEGER NOT NULL DEFAULT 0,
  removed_ms INTEGER
) STRICT;
INSERT INTO retention (one, repeated_up_to) SELECT 1, coalesce(max(id), 0) FROM chunk;
`;

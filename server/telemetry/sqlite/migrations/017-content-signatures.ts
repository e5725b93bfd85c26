/**
 * Signatures say which words the spans of a run of row ids were sent with (signatures/). They replace the full-text index of migration 6.
 * Spans without a signature are read, so a store from before answers at once, and quickly a little later.
 */
export const contentSignatures = `
DROP TRIGGER content_changed;
DROP TABLE content_stale;
DROP TABLE content_words;
DROP TABLE content_segment;

CREATE TABLE signature (
  -- Number of the first unit of 256 row ids.
  first INTEGER PRIMARY KEY,
  units INTEGER NOT NULL,
  format INTEGER NOT NULL,
  -- The newest time of the units, in microseconds.
  newest INTEGER NOT NULL,
  facts BLOB NOT NULL,
  words BLOB NOT NULL,
  planes BLOB NOT NULL
) STRICT;

-- Spans whose record or log records changed since their signature was made, or before; how often tells whether one changed again meanwhile.
CREATE TABLE content_change (
  span INTEGER PRIMARY KEY,
  changes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER content_changed AFTER UPDATE ON span BEGIN
  INSERT INTO content_change (span, changes) VALUES (NEW.id, 1) ON CONFLICT (span) DO UPDATE SET changes = changes + 1;
END;
`;

/**
 * Which traces hold which words in `input`, `output` and `props` (words/): written by the writer when it has time, read by
 * filters. A segment says all there is to say of a run of span rows; rows in no segment, and stale ones, are read themselves,
 * so a store from before answers right at once, and quickly a little later.
 */
export const contentWords = `
CREATE TABLE content_segment (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  -- Which words and whose reading of the spans: a segment of another edition is none.
  edition TEXT NOT NULL,
  traces BLOB NOT NULL,
  -- Postings: of traces with a field that is empty, of rows with a field of which not every word is here, of rows with blobs.
  exceptions BLOB NOT NULL,
  -- Which three letters in a row are in some word.
  grams BLOB NOT NULL
) STRICT;

-- Apart, because most segments that are searched do not have the word.
CREATE TABLE content_words (
  segment INTEGER PRIMARY KEY,
  words BLOB NOT NULL,
  postings BLOB NOT NULL
) STRICT;

-- Spans whose record or log records changed after they were indexed, or before.
CREATE TABLE content_stale (span INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER content_changed AFTER UPDATE ON span BEGIN
  INSERT OR IGNORE INTO content_stale (span) VALUES (NEW.id);
END;
`;

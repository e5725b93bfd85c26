/**
 * Takes the index over hashes from the long texts. Being random, each new one dirtied a page of its own: a third of all pages
 * written. The writer knows the newest texts in memory instead.
 */
export const textsInOrder = `
CREATE TABLE chunk_in_order (
  id INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  hash BLOB NOT NULL,
  block INTEGER NOT NULL,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL
) STRICT;
INSERT INTO chunk_in_order SELECT id, scope, hash, block, at, size FROM chunk;
DROP TABLE chunk;
ALTER TABLE chunk_in_order RENAME TO chunk;
`;

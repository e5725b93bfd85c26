/** Encrypts the cursors of this store, for as long as it exists. */
export const cursorKey = `
CREATE TABLE cursor_key (key BLOB NOT NULL) STRICT;
INSERT INTO cursor_key (key) VALUES (randomblob(16));
`;

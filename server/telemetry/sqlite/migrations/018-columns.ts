/**
 * Rows of `span` and `trace` once more, by column, for filters, sums and deep pages (columns/): made in idle time, for runs of row ids.
 * Rows that are in no segment, or changed since, are read from the tables, so a store from before answers right at once.
 */
const changed = (resource: number, table: string, rows: number, event: 'UPDATE' | 'DELETE', row: string): string => `
CREATE TRIGGER column_${table}_${event.toLowerCase()} AFTER ${event} ON ${table}
WHEN EXISTS (SELECT 1 FROM column_segment WHERE resource = ${resource} AND segment = ${row}.id / ${rows})
BEGIN INSERT OR IGNORE INTO column_stale (resource, row) VALUES (${resource}, ${row}.id); END;`;

export const columns = `
-- Resources: 1 spans, 2 traces.
CREATE TABLE column_segment (
  resource INTEGER NOT NULL,
  -- Row ids divided by 16,384 for spans, by 4,096 for traces.
  segment INTEGER NOT NULL,
  -- Of the encoding; 0 while the segment is being made: its changes are noted already, and it is not read yet.
  version INTEGER NOT NULL,
  PRIMARY KEY (resource, segment)
) STRICT, WITHOUT ROWID;

CREATE TABLE column_chunk (
  -- Resource, column and segment (columns/stored-columns.ts): the chunks of a column lie together.
  id INTEGER PRIMARY KEY,
  encoding INTEGER NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  unit REAL NOT NULL,
  data BLOB
) STRICT;

-- Of terms that many traces of a segment hold: which of them, as bits. Other terms are looked up in trace_term.
CREATE TABLE column_posting (
  term INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  traces BLOB NOT NULL,
  PRIMARY KEY (term, segment)
) STRICT;

-- Rows of segments that were changed or deleted after they were read for them.
CREATE TABLE column_stale (
  resource INTEGER NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (resource, row)
) STRICT, WITHOUT ROWID;
${changed(1, 'span', 16_384, 'UPDATE', 'NEW')}
${changed(1, 'span', 16_384, 'DELETE', 'OLD')}
${changed(2, 'trace', 4096, 'UPDATE', 'NEW')}
${changed(2, 'trace', 4096, 'DELETE', 'OLD')}
`;

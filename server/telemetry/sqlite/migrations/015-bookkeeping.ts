/** Traces of a coding agent's own runtime, which lists leave out. The index of lists says it, so that they need not read rows for it. */
export const bookkeeping = `
ALTER TABLE trace ADD COLUMN bookkeeping INTEGER NOT NULL DEFAULT 0;
DROP INDEX trace_listed;
CREATE INDEX trace_listed ON trace (scope, listed_us, id, bookkeeping) WHERE span_count > 0;
CREATE INDEX trace_bookkeeping ON trace (scope, listed_us, id) WHERE span_count > 0 AND bookkeeping = 1;
`;

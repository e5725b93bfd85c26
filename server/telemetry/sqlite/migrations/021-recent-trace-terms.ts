/**
 * Terms of recent traces, apart (write/trace-terms.ts): a trace has a dozen terms, each on another page of `trace_term`, and those pages were
 * most of what a commit wrote. Rows here are in the order of arrival, and are moved by the thousand.
 */
export const recentTraceTerms = `
CREATE TABLE recent_trace_term (
  trace INTEGER NOT NULL,
  term INTEGER NOT NULL,
  PRIMARY KEY (trace, term)
) STRICT, WITHOUT ROWID;

-- What readers use. No row is in both tables.
CREATE VIEW all_trace_terms AS
  SELECT term, trace FROM trace_term UNION ALL SELECT term, trace FROM recent_trace_term;
`;

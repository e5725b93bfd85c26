/** A session's latency is that of its longest span, which may outlast the root that started it. */
export const longestSpan = `
ALTER TABLE trace ADD COLUMN longest_ns INTEGER NOT NULL DEFAULT 0;
UPDATE trace SET longest_ns = coalesce((SELECT max(duration_ns) FROM span WHERE span.trace = trace.id AND (flags & 2) = 0), 0);
UPDATE session SET latency_ns = (
  SELECT max(longest_ns) FROM trace_term JOIN trace ON trace.id = trace_term.trace
  WHERE trace_term.term = session.id AND span_count > 0
);
`;

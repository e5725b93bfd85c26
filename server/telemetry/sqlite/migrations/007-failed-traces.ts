/** Failed traces over time are counted without reading rows; the few that fail cost a little more to write. */
export const failedTraces = `
CREATE INDEX trace_failed ON trace (scope, listed_us) WHERE span_count > 0 AND status = 2;
`;

/** Traces that are not listed where they start, because the clock of their sender cannot be right: the few that a window of starts looks up. */
export const misdatedTraces = `
CREATE INDEX trace_misdated ON trace (scope, start_us, listed_us) WHERE listed_us <> start_us;
`;

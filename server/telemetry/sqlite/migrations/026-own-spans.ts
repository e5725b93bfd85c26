/**
 * The span that a record about a prompt was sent with, where it had one: it stands on that span until the turn is read from a session file,
 * and then on a span of the turn.
 */
export const ownSpans = `
ALTER TABLE agent_log ADD COLUMN own_trace TEXT;
ALTER TABLE agent_log ADD COLUMN own_span TEXT;
`;

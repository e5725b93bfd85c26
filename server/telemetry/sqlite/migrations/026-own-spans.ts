/**
 * The span that a record about a prompt was sent with, where it had one: the record belongs to that span until the turn is read from a session file,
 * and then to a span of the turn. And the agent of a trace that was exported of a turn.
 */
export const ownSpans = `
ALTER TABLE agent_log ADD COLUMN own_trace TEXT;
ALTER TABLE agent_log ADD COLUMN own_span TEXT;
CREATE INDEX agent_log_own ON agent_log (own_trace) WHERE own_trace IS NOT NULL;
ALTER TABLE agent_prompt ADD COLUMN agent TEXT;
`;

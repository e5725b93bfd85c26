/**
 * Prompts that people gave to coding agents, and the log records that belong to a prompt rather than to a span. Where such a record stands
 * follows from what is known of its prompt, and changes when more is known: `span_log` says where it stands now.
 */
export const agentTurns = `
CREATE TABLE agent_prompt (
  scope INTEGER NOT NULL,
  conversation BLOB NOT NULL,
  prompt BLOB NOT NULL,
  -- When the user gave it; null while that record has not come.
  opened_us INTEGER,
  -- The earliest span that is known to belong to it; null where only records tell of it.
  link_trace TEXT,
  link_span TEXT,
  link_us INTEGER,
  -- JSON of what its records were sent under.
  resource TEXT,
  -- The trace it is shown in.
  trace INTEGER,
  PRIMARY KEY (scope, conversation, prompt)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_prompt_trace ON agent_prompt (trace);

CREATE TABLE agent_log (
  log INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL,
  agent TEXT NOT NULL,
  conversation BLOB NOT NULL,
  -- Null: that of the last prompt before it.
  prompt BLOB,
  target TEXT NOT NULL,
  at_us INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_log_conversation ON agent_log (scope, conversation);

CREATE TRIGGER agent_log_gone AFTER DELETE ON span_log BEGIN DELETE FROM agent_log WHERE log = OLD.id; END;
CREATE TRIGGER agent_prompt_gone AFTER DELETE ON trace BEGIN DELETE FROM agent_prompt WHERE trace = OLD.id; END;
`;

/**
 * Spans that were read from the session files of coding agents are not queued for a destination by themselves: they are years of work that were
 * never sent anywhere. A trace that is forwarded by hand is sent with all of its spans.
 */

/** Whether a row of `span` is sent: it is shown, and not from a session file. @param row its alias */
export const isSent = (row: string): string =>
  `(${row}.flags & 2) = 0 AND coalesce((SELECT iif(json_valid(json), json ->> '$.name', '') FROM document WHERE id = ${row}.instrumentation), '') <> 'glasshouse.history'`;

const goes = `INSERT INTO outgoing (forward, kind, row, trace) SELECT id, 1, NEW.id, NEW.trace FROM forward WHERE scope = NEW.scope AND automatic = 1;`;

/** Exists while there is a destination (forward-rows.ts). */
export const spanGoes = `CREATE TRIGGER span_goes AFTER INSERT ON span WHEN ${isSent('NEW')} BEGIN ${goes} END`;

export const historyStays = `
DROP TRIGGER IF EXISTS span_goes;
${spanGoes};
DROP TRIGGER span_goes_again;
-- Its record was replaced; that others understand it now, as log records make them, changes nothing of what is sent.
CREATE TRIGGER span_goes_again AFTER UPDATE OF block, at ON span WHEN (NEW.block, NEW.at) <> (OLD.block, OLD.at) AND ${isSent('NEW')}
BEGIN ${goes} END;
`;

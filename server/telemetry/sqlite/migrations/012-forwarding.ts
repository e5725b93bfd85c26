/**
 * What waits to be forwarded, for each place that it goes to, in the order in which it was committed. Triggers write it in the transaction
 * that stores the row, so nothing is stored and forgotten; where nothing is forwarded they find an empty table and write nothing.
 */
const goes = (kind: number, scope: string, row: string, trace: string): string =>
  `INSERT INTO outgoing (forward, kind, row, trace) SELECT id, ${kind}, ${row}, ${trace} FROM forward WHERE scope = ${scope};`;

export const forwarding = `
CREATE TABLE forward (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  -- Spans that were taken, and that the other side looked at and did not keep.
  sent INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  refusal TEXT NOT NULL DEFAULT ''
) STRICT;

-- Numbers of rows in span (1), span_log (2) and score (3). A row may wait twice: it was changed, or asked for by hand.
CREATE TABLE outgoing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  forward INTEGER NOT NULL REFERENCES forward,
  kind INTEGER NOT NULL,
  row INTEGER NOT NULL,
  -- 0 for scores.
  trace INTEGER NOT NULL
) STRICT;
CREATE INDEX outgoing_trace ON outgoing (trace);

-- What the other side will never take, with why.
CREATE TABLE parked (
  forward INTEGER NOT NULL REFERENCES forward,
  kind INTEGER NOT NULL,
  row INTEGER NOT NULL,
  trace INTEGER NOT NULL,
  reason TEXT NOT NULL,
  parked_ms INTEGER NOT NULL,
  PRIMARY KEY (forward, kind, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX parked_trace ON parked (trace);

CREATE TRIGGER span_goes AFTER INSERT ON span WHEN (NEW.flags & 2) = 0 BEGIN ${goes(1, 'NEW.scope', 'NEW.id', 'NEW.trace')} END;
-- Its record was replaced; that others understand it now, as log records make them, changes nothing of what is sent.
CREATE TRIGGER span_goes_again AFTER UPDATE OF block, at ON span WHEN (NEW.flags & 2) = 0 AND (NEW.block, NEW.at) <> (OLD.block, OLD.at)
BEGIN ${goes(1, 'NEW.scope', 'NEW.id', 'NEW.trace')} END;
CREATE TRIGGER log_goes AFTER INSERT ON span_log
BEGIN ${goes(2, '(SELECT scope FROM trace WHERE id = NEW.trace)', 'NEW.id', 'NEW.trace')} END;
CREATE TRIGGER score_goes AFTER INSERT ON score BEGIN ${goes(3, 'NEW.scope', 'NEW.id', '0')} END;
`;

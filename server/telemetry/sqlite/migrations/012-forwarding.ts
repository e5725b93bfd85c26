/**
 * What waits to be forwarded, for each place that it goes to, in the order in which it was committed. Triggers write it in the transaction
 * that stores the row, so nothing is stored and forgotten; where nothing is forwarded they find an empty table and write nothing.
 */
const goes = (kind: number, scope: string, row: string, trace: string): string =>
  `INSERT INTO outgoing (forward, kind, row, trace) SELECT id, ${kind}, ${row}, ${trace} FROM forward WHERE scope = ${scope} AND automatic = 1;`;

/** Made here, and again for the first destination after there was none (forward-rows.ts). */
export const spanGoes = `CREATE TRIGGER span_goes AFTER INSERT ON span WHEN (NEW.flags & 2) = 0 BEGIN ${goes(1, 'NEW.scope', 'NEW.id', 'NEW.trace')} END`;

export const forwarding = `
CREATE TABLE forward (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL DEFAULT 0,
  -- 0: only what is asked for by hand waits for it.
  automatic INTEGER NOT NULL DEFAULT 1,
  -- Where and how, as JSON; the key is never here.
  about TEXT NOT NULL DEFAULT '{}',
  -- Why nothing gets through, as JSON, so that a restart neither storms nor forgets; '' when it does.
  trouble TEXT NOT NULL DEFAULT '',
  last_error TEXT NOT NULL DEFAULT '',
  -- Of the last batch that was taken: when, and what the other side calls the request.
  success_ms INTEGER,
  receipt TEXT NOT NULL DEFAULT '',
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
-- In order of id within each: one that is away for days is not in the way of the others.
CREATE INDEX outgoing_forward ON outgoing (forward);

-- What became of each trace. Spans that were sent twice count twice.
CREATE TABLE forwarded (
  trace INTEGER NOT NULL,
  forward INTEGER NOT NULL REFERENCES forward,
  spans INTEGER NOT NULL,
  -- At most so many of them were not kept: an answer counts for a whole batch.
  refused INTEGER NOT NULL,
  refusal TEXT NOT NULL,
  sent_ms INTEGER NOT NULL,
  PRIMARY KEY (trace, forward)
) STRICT, WITHOUT ROWID;

-- Names this store for as long as it exists, so that a gateway is told from itself wherever it is reached.
CREATE TABLE installation (id TEXT NOT NULL) STRICT;
INSERT INTO installation (id) VALUES (lower(hex(randomblob(16))));

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

${spanGoes};
-- Its record was replaced; that others understand it now, as log records make them, changes nothing of what is sent.
CREATE TRIGGER span_goes_again AFTER UPDATE OF block, at ON span WHEN (NEW.flags & 2) = 0 AND (NEW.block, NEW.at) <> (OLD.block, OLD.at)
BEGIN ${goes(1, 'NEW.scope', 'NEW.id', 'NEW.trace')} END;
CREATE TRIGGER log_goes AFTER INSERT ON span_log
BEGIN ${goes(2, '(SELECT scope FROM trace WHERE id = NEW.trace)', 'NEW.id', 'NEW.trace')} END;
CREATE TRIGGER score_goes AFTER INSERT ON score BEGIN ${goes(3, 'NEW.scope', 'NEW.id', '0')} END;
`;

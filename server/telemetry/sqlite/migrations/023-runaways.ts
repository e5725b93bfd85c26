/**
 * Signs of runs that go on without getting anywhere; `ended_ms` is null while the run goes on. Thresholds of services that are not the default;
 * a null turns the rule off.
 */
export const runaways = `
CREATE TABLE runaway (
  trace INTEGER NOT NULL,
  rule TEXT NOT NULL,
  scope INTEGER NOT NULL,
  service TEXT NOT NULL,
  subject TEXT NOT NULL,
  value REAL NOT NULL,
  cost REAL NOT NULL,
  cost_per_minute REAL NOT NULL,
  found_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  UNIQUE (trace, rule)
) STRICT;
CREATE INDEX runaway_found ON runaway (scope, found_ms);
CREATE INDEX runaway_running ON runaway (found_ms) WHERE ended_ms IS NULL;
CREATE TABLE runaway_threshold (
  scope INTEGER NOT NULL,
  service TEXT NOT NULL,
  rule TEXT NOT NULL,
  threshold REAL,
  UNIQUE (scope, service, rule)
) STRICT;
`;

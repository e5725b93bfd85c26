/** Which environment a credential wrote to, where credentials say it; and how much each tenant has written, where that is counted. */
export const stampsAndUsage = `
-- Null: as the span itself says. 0: none. Else the term of its name.
ALTER TABLE span ADD COLUMN environment INTEGER;
ALTER TABLE span ADD COLUMN environment_version INTEGER;
ALTER TABLE score ADD COLUMN environment TEXT;
ALTER TABLE score ADD COLUMN environment_version INTEGER;

-- Spans that were stored for the first time, by the month (UTC) in which they came: 24311 is December 2025.
CREATE TABLE usage (
  tenant_id TEXT NOT NULL,
  month INTEGER NOT NULL,
  spans INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, month)
) STRICT, WITHOUT ROWID;

-- Bytes of records and long texts that are stored, before compression.
CREATE TABLE holding (
  tenant_id TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Rate limits, which gateways share. A crash of the database empties the table, and then all buckets are full. */
export const limits = `
CREATE UNLOGGED TABLE bucket (
  -- SHA-256 of its name.
  name bytea PRIMARY KEY,
  full_at timestamptz NOT NULL,
  -- Tokens of the latest query, which returns it.
  granted integer NOT NULL
) WITH (fillfactor = 50);
`;

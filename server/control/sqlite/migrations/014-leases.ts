/**
 * Leases of everything that one of several gateways does. The epoch tells the newest claim of a lease from an earlier one of the same gateway.
 * No gateway runs while the store is migrated, so no lease is lost.
 */
export const leases = `
DROP TABLE lease;
CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until TEXT NOT NULL,
  epoch INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX lease_holder ON lease (holder);
`;

/** Leases of everything that one of several gateways does. The epoch tells the newest claim of a lease from an earlier one of the same gateway. */
export const leases = `
ALTER TABLE lease ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1;
CREATE INDEX lease_holder ON lease (holder);
`;

/** What each entry of the audit log changed: names of properties, with values that may be shown. Earlier entries have none. */
export const auditChanges = `
ALTER TABLE audit ADD COLUMN changes TEXT;
`;

/** Alerts can be muted and acknowledged, and know that a trigger was reported to nobody. */
export const alertAttention = `
ALTER TABLE alert ADD COLUMN muted_until text COLLATE "C";
ALTER TABLE alert ADD COLUMN muted_by text COLLATE "C";
ALTER TABLE alert ADD COLUMN acknowledged_at text COLLATE "C";
ALTER TABLE alert ADD COLUMN acknowledged_by text COLLATE "C";
ALTER TABLE alert ADD COLUMN is_silenced bigint;
`;

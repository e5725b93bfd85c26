/** Alerts can be muted and acknowledged, and know that a trigger was reported to nobody. */
export const alertAttention = `
ALTER TABLE alert ADD COLUMN muted_until TEXT;
ALTER TABLE alert ADD COLUMN muted_by TEXT;
ALTER TABLE alert ADD COLUMN acknowledged_at TEXT;
ALTER TABLE alert ADD COLUMN acknowledged_by TEXT;
ALTER TABLE alert ADD COLUMN is_silenced INTEGER;
`;

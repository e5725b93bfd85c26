/** Who reviews a queue, whether its items are shared out, and how long reviews took. */
export const judging = `
ALTER TABLE annotation_queue ADD COLUMN reviewer_ids TEXT;
ALTER TABLE annotation_queue ADD COLUMN shares_evenly INTEGER;
ALTER TABLE reviewer ADD COLUMN seconds REAL;
CREATE INDEX reviewer_user ON reviewer (tenant_id, user_id, status);
`;

/** Who reviews a queue, whether its items are shared out, and how long reviews took. */
export const judging = `
ALTER TABLE annotation_queue ADD COLUMN reviewer_ids text COLLATE "C";
ALTER TABLE annotation_queue ADD COLUMN shares_evenly bigint;
ALTER TABLE reviewer ADD COLUMN seconds double precision;
CREATE INDEX reviewer_user ON reviewer (tenant_id, user_id, status);
`;

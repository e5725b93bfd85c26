/** Apps that were deleted: whether what they had is being taken out, or is out (erasure.ts). */
export const appsThatLeft = `
-- 0: it stays. 1: it is being taken out. 2: it is out, but for what may still come.
ALTER TABLE scope ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
`;

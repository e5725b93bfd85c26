/** Tags that people gave to a trace, as a sorted JSON list. `trace.tags` has them too, beside those that the spans were sent with. */
export const addedTags = `
ALTER TABLE trace ADD COLUMN added_tags TEXT NOT NULL DEFAULT '[]';
`;

/**
 * The tags of a span, as the number of a term that holds their sorted JSON list: few sets serve many spans. Spans from before
 * have none; their traces know the tags.
 */
export const spanTags = `
ALTER TABLE span ADD COLUMN tags INTEGER;
`;

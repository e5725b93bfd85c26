/** Checksums of chunks and postings of columns (columns/checksums.ts). Those from before have none: their segments are made again. */
export const columnChecksums = `
ALTER TABLE column_chunk ADD COLUMN head_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE column_chunk ADD COLUMN data_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE column_posting ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
`;

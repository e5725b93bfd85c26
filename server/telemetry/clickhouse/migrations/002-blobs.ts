/** Large texts are in a blob store, and their rows name them (docs/adr/054-blobs-by-content.md). */
export const blobColumns: readonly string[] = [
  // Hash and generation in the key of its blob; '' for a text that is here.
  "ALTER TABLE text ADD COLUMN IF NOT EXISTS blob String DEFAULT '' AFTER text",
  // Its size before compression.
  'ALTER TABLE text ADD COLUMN IF NOT EXISTS blob_bytes UInt64 DEFAULT 0 AFTER blob',
  // What searches narrow by instead of the text: its words, each once, in lower case.
  "ALTER TABLE text ADD COLUMN IF NOT EXISTS words String DEFAULT '' CODEC(ZSTD(3)) AFTER blob_bytes",
  // Its words do not tell what it may have.
  'ALTER TABLE text ADD COLUMN IF NOT EXISTS may_have_others UInt8 DEFAULT 0 AFTER words',

  // Blobs to remove: those of a content that are older than a generation.
  `CREATE TABLE IF NOT EXISTS blob_removal (
    tenant_id LowCardinality(String),
    app_id LowCardinality(String),
    sha256 String,
    below UInt64,
    ver UInt64,
    gone UInt8 DEFAULT 0
  ) ENGINE = ReplacingMergeTree(ver, gone) ORDER BY (tenant_id, app_id, sha256, below) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
];

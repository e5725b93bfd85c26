/** Tables whose rows belong to one app and go with it. */
export const appTables: readonly string[] = [
  ...['record', 'log', 'text', 'span', 'trace', 'place', 'score', 'deletion', 'deletion_trace'],
  ...['runaway', 'runaway_threshold', 'blob_removal'],
];

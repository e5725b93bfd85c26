/** What a file of traces may hold; apart from the routes, so that threads which know no routes can read it. */

/** A trace archive is a SQLite database. */
export const archiveType = 'application/vnd.sqlite3';
/** Of a trace archive as it travels. */
export const archiveBytesMax = 48 * 1024 * 1024;
/** Of all that a file holds, as JSON. */
export const exportBytesMax = 128 * 1024 * 1024;

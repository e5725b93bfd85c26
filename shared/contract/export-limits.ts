/** What a file of traces may hold; apart from the routes, so that threads which know no routes can read it. */

/** A capsule is a SQLite database. */
export const capsuleType = 'application/vnd.sqlite3';
/** Of a capsule as it travels. */
export const capsuleBytesMax = 48 * 1024 * 1024;
/** Of all that a file holds, as JSON. */
export const exportBytesMax = 128 * 1024 * 1024;

/** Size limits of trace files; in a file without routes, so that worker threads can import it. */

/** A trace archive is a SQLite database. */
export const archiveType = 'application/vnd.sqlite3';
/** Of a trace archive in a request or response. */
export const archiveBytesMax = 48 * 1024 * 1024;
/** Of the whole content of a file, as JSON. */
export const exportBytesMax = 128 * 1024 * 1024;

/**
 * What a text may be rewritten to other words for: escapes, control characters, lists of numbers, parts of a text that are joined
 * (sqlite/signatures/decisive.ts). One definition for texts in the database and for those in blobs.
 */

/** Escapes of ASCII letters, digits, `_`, backslash and NUL. */
const escapes = String.raw`\\u00(?:00|3[0-9]|[46][1-9a-fA-F]|5[0-9aAcCfF]|7[0-9aA])`;
const controls = String.raw`[\x00-\x07\x0b\x0e-\x1f]`;
const lists = String.raw`[0-9],(?:[\x00-\x20"\\-]|\\[nrt])*[0-9]|(?i:vector\.[0-9]|\{.double)`;
const rewritten = `${escapes}|${controls}|${lists}`;
const textPart = String.raw`(?i:text\\*")`;

const quoted = (pattern: string): string => `'${pattern.replaceAll('\\', '\\\\')}'`;

/** Condition in SQL. @param sent a column */
export const mayBeRewrittenSql = (sent: string): string =>
  `match(${sent}, ${quoted(rewritten)}) OR length(extractAll(${sent}, ${quoted(textPart)})) > 1`;

const anyRewritten = new RegExp(rewritten);
const textParts = new RegExp(textPart, 'g');

/** The same of a text. */
export const mayBeRewritten = (text: string): boolean => anyRewritten.test(text) || (text.match(textParts)?.length ?? 0) > 1;

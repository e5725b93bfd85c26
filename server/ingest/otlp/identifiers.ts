/**
 * Reads trace and span ids: hex by the specification, and the forms that hand-written exporters send
 * (docs/reference/ingest.md#identifiers). Ids in URLs are read by the same rules, so every sent form finds its record.
 */

export type IdBytes = 16 | 8;

const hexOnly = /^[0-9a-f]+$/;
const zeroOnly = /^0+$/;
const uuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
/** No white space, slash or control character: such an id could not be used in a URL or a log line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
const readable = /^[^\s/\u0000-\u001f\u007f-\u009f]{1,128}$/;

/** Reads an id of `size` bytes from any accepted form. Null when the value is not an id. Never throws. */
export function readId(value: unknown, size: IdBytes): string | null {
  if (typeof value === 'string') return readText(value, size);
  if (typeof value === 'object' && value !== null) return readByteList(value, size);
  return null;
}

function readText(text: string, size: IdBytes): string | null {
  if (text.length === size * 2) {
    const lower = text.toLowerCase();
    if (hexOnly.test(lower)) return zeroOnly.test(lower) ? null : lower;
  }
  if (size === 16 && text.length === 36 && uuid.test(text)) return readText(text.replaceAll('-', ''), size);
  const decoded = readBase64(text, size);
  if (decoded) return zeroOnly.test(decoded) ? null : decoded;
  return readable.test(text) && !zeroOnly.test(text) && text.isWellFormed() ? text : null;
}

/**
 * Base64 of exactly `size` bytes. A readable id could be mistaken for base64 without padding,
 * so that form must also look random: both cases, a digit, and no stray bits in its last character.
 */
function readBase64(text: string, size: IdBytes): string | null {
  const padded = size === 16 ? 24 : 12;
  const bare = size === 16 ? 22 : 11;
  if (text.length !== padded && text.length !== bare) return null;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== size) return null;
  const canonical = bytes.toString('base64');
  if (text.length === padded) return canonical === text ? bytes.toString('hex') : null;
  const looksRandom = /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9+/]/.test(text);
  return looksRandom && canonical.slice(0, bare) === text ? bytes.toString('hex') : null;
}

/** `{type:"Buffer",data:[…]}`, a list of bytes, or an object keyed by index; lengths are checked before anything is allocated. */
function readByteList(value: object, size: IdBytes): string | null {
  const source = 'data' in value && Array.isArray(value.data) ? value.data : value;
  const list = Array.isArray(source) ? source : Object.keys(source).length === size ? Object.values(source) : [];
  if (list.length !== size) return null;
  if (!list.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) return null;
  const hex = Buffer.from(list).toString('hex');
  return zeroOnly.test(hex) ? null : hex;
}

/** A parent id: absent, empty and all-zero mean a root. `isInvalid`: another value was sent that is not an id. */
export function readParentId(value: unknown): { id: string | null; isInvalid: boolean } {
  if (value === undefined || value === null || value === '') return { id: null, isInvalid: false };
  const id = readId(value, 8);
  if (id) return { id, isInvalid: false };
  const zero = typeof value === 'string' ? zeroOnly.test(value) : isZeroList(value);
  return { id: null, isInvalid: !zero };
}

function isZeroList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const list = 'data' in value && Array.isArray(value.data) ? value.data : Object.values(value);
  return list.every((byte) => byte === 0);
}

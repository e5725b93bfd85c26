/**
 * Secrets that are recognised by their context: after a name, after `Bearer` or `Basic`, and as passwords in URLs.
 * Names: `password=…`, `"api_key": "…"`, `token: …`, in code, JSON, JSON inside JSON, headers and URLs.
 */
import { countCharacters, isRandom } from './keys.ts';
import { type Detector, digits, dotted, isIn, letters, type Range, runEnd, runStart, setOf } from './search.ts';

/** Endings of the names of secrets, in lower case without dashes, dots and underscores. */
const passwordNames = ['password', 'passwd', 'passphrase', 'pwd', 'passcode', 'secret'] as const;
const keyNames = [
  ...['apikey', 'secretkey', 'secretaccesskey', 'privatekey', 'accesskey', 'accountkey', 'authkey'],
  ...['signingkey', 'encryptionkey', 'masterkey', 'sharedaccesskey', 'servicekey', 'subscriptionkey'],
  ...['token', 'accesstoken', 'authtoken', 'refreshtoken', 'idtoken', 'bearer', 'authorization', 'credential', 'credentials'],
  ...['sharedaccesssignature', 'cookie', 'jwt'],
] as const;
/** Names that are not of secrets: `next_page_token` and `nextPageToken`, but not `X-Amz-Security-Token`. */
const harmlessName =
  /(?:^|[-_.])(?:page|continuation|next|count|max|stop|end|eos|bos|pad|unk|sync|completion|prompt|public)[-_.]?(?:token|key)$/i;
const harmlessCamelName = /(?:Page|Continuation|Next|Count|Max|Stop|End|Sync|Completion|Prompt|Public)(?:Token|Key)$/;

export const nameLengthMax = 64;

/** Last letters of these endings, which exclude most names. */
const lastLetters = setOf(['sig', ...passwordNames, ...keyNames].map((name) => `${name.at(-1)}${name.at(-1)?.toUpperCase()}`).join(''));

export const endsLikeSecret = (text: string, to: number): boolean => isIn(lastLetters, text, to - 1);

export type SecretName = 'password' | 'key';

export function secretNameOf(name: string): SecretName | null {
  if (!endsLikeSecret(name, name.length) || name.length > nameLengthMax) return null;
  const plain = name.replace(/[-_. ]/g, '').toLowerCase();
  if (passwordNames.some((ending) => plain.endsWith(ending))) return 'password';
  // Signatures of Azure URLs. Longer names with this ending are signatures of the reasoning of models.
  if (plain === 'sig') return 'key';
  return keyNames.some((ending) => plain.endsWith(ending)) && !harmlessName.test(name) && !harmlessCamelName.test(name) ? 'key' : null;
}

const keyMin = 16;
const passwordMin = 6;
const keyEntropyMin = 3;
/** Placeholders for a secret. */
const placeholderStart =
  /^(?:\*{3,}|x{3,}|\.{3,}|•{3,}|\$\{|\{\{|<|%\(|\[(?:redacted|filtered|masked|hidden|removed)|redacted|process\.env|os\.environ|env\.)/i;

/** Values of passwords in forms, schemas and documentation. */
const descriptiveWord =
  /^(?:string|number|boolean|object|null|none|undefined|true|false|required|optional|hidden|text|password|secret|passphrase|invalid|missing|unknown|default)$/i;

/**
 * Whether a value under such a name is a secret, and not a description of one.
 * @param isWhole it is a whole value, in quotes or as an attribute, and not a word of a sentence
 */
export function isSecretValue(name: SecretName, value: string, isWhole: boolean): boolean {
  if (placeholderStart.test(value)) return false;
  const rest = withoutTokens(value);
  if (rest.length < (name === 'password' ? passwordMin : keyMin)) return false;
  const { digits, upper, lower, others, entropy } = countCharacters(rest);
  if (name === 'key') return digits > 0 && upper + lower > 0 && entropy >= keyEntropyMin;
  if (isWhole && !/\s/.test(rest) && !descriptiveWord.test(rest)) return true;
  // `password: required` and `password: string` are descriptions.
  return digits > 0 || (upper > 0 && lower > 0 && others > 0) || (others > 0 && entropy >= keyEntropyMin && !/^[\w.\s]{1,500}$/.test(rest));
}

/** Redaction tokens, which hide their values already. */
const redactionToken = /‹[a-z_]{1,16}-[a-z2-7]{16}›/g;

/** A text without the redaction tokens in it. Only complete tokens are removed. */
export const withoutTokens = (text: string): string => (text.includes('‹') ? text.replace(redactionToken, '') : text);

const blank = setOf(' \t');
const quotes = setOf('"\'`');
/** Characters that end an unquoted value. */
const unquotedEnd = setOf(' \t\r\n"\'`,;<>(){}[]\\&|');
const unquoted: Uint8Array = Uint8Array.from(unquotedEnd, (is, code) => (is === 1 || code < 32 ? 0 : 1));
const spacesMax = 4;
const valueMax = 512;
const jsonStart = /^\s{0,64}[[{"]/;
const scheme = /(?:Bearer|Basic|Token|Digest|ApiKey)[ \t]{1,4}/iy;

/** The name before a sign; '' when its last letter is not that of a secret. @param to position of the sign */
function nameBefore(text: string, to: number): string {
  let end = runStart(blank, text, to, spacesMax);
  if (text[end - 1] === ':') end--;
  if (quotes[text.charCodeAt(end - 1)] === 1) {
    end--;
    while (to - end < 12 && text[end - 1] === '\\') end--;
  }
  return endsLikeSecret(text, end) ? text.slice(runStart(dotted, text, end, nameLengthMax + 1), end) : '';
}

/** The value after a sign: the text in quotes, or the word. */
function valueFrom(text: string, from: number): (Range & { isQuoted: boolean }) | null {
  let start = runEnd(blank, text, from, spacesMax);
  let slashes = 0;
  while (slashes < 8 && text[start + slashes] === '\\') slashes++;
  const quote = text[start + slashes];
  if (quote !== undefined && quotes[quote.charCodeAt(0)] === 1) {
    start = afterScheme(text, start + slashes + 1);
    const end = quotedEnd(text, start, quote, slashes);
    return end === null ? null : { start, end, isQuoted: true };
  }
  if (slashes > 0) return null;
  start = afterScheme(text, start);
  const end = unquotedRunEnd(text, start);
  return text[end] === '(' || text[end] === '[' ? null : { start, end, isQuoted: false };
}

function afterScheme(text: string, start: number): number {
  scheme.lastIndex = start;
  return scheme.test(text) ? scheme.lastIndex : start;
}

/**
 * End of a quoted value: a quote with the same depth of escapes. In JSON within JSON each inner backslash is doubled, and a quote inside the
 * value has one backslash more than twice those of the value's own quotes. A value without an end is truncated and ends with its first word.
 */
function quotedEnd(text: string, start: number, quote: string, slashes: number): number | null {
  const last = Math.min(text.length, start + valueMax);
  let before = 0;
  for (let at = start; at < last; at++) {
    const character = text[at];
    if (character === '\n') return null;
    // This quote ends the JSON text, whatever quotes are open inside it.
    if (character === '"' && quote !== '"' && jsonStart.test(text)) return at - before;
    if (character === '\\') before++;
    else if (character !== quote || before % (2 * (slashes + 1)) === 2 * slashes + 1) before = 0;
    else return at - (before % (2 * (slashes + 1)) === slashes ? slashes : before);
  }
  return unquotedRunEnd(text, start);
}

function unquotedRunEnd(text: string, start: number): number {
  const last = Math.min(text.length, start + valueMax);
  let end = start;
  while (end < last) {
    const code = text.charCodeAt(end);
    if (code < 128 ? unquoted[code] !== 1 : code === 0xa0 || code === 0x3000) break;
    end++;
  }
  return '.!?:'.includes(text[end - 1] ?? ' ') ? end - 1 : end;
}

function detectAssignment(text: string, at: number): Range | null {
  const sign = text[at + 1];
  if (sign === '=' || sign === '>' || text.startsWith('//', at + 1)) return null;
  const name = secretNameOf(nameBefore(text, at));
  if (name === null) return null;
  const value = valueFrom(text, at + 1);
  return value && isSecretValue(name, text.slice(value.start, value.end), value.isQuoted) ? value : null;
}

const encodedSigns = /%3[ad]/iy;
const encodedQuote = '%22';

/** Percent-encoded assignments, as in URLs: `api_key%3D…`, `%22api_key%22%3A%22…%22`. */
function detectEncodedAssignment(text: string, at: number): Range | null {
  encodedSigns.lastIndex = at;
  if (!encodedSigns.test(text)) return null;
  const nameEnd = text.startsWith(encodedQuote, at - encodedQuote.length) ? at - encodedQuote.length : at;
  const name = secretNameOf(nameBefore(text, nameEnd));
  if (name === null) return null;
  const isQuoted = text.startsWith(encodedQuote, at + 3);
  const start = isQuoted ? at + 3 + encodedQuote.length : at + 3;
  const run = text.slice(start, unquotedRunEnd(text, start));
  const quote = isQuoted ? run.indexOf(encodedQuote) : -1;
  const value = quote === -1 ? run : run.slice(0, quote);
  return isSecretValue(name, value, isQuoted) ? { start, end: start + value.length } : null;
}

export const assignments: Detector = {
  kind: 'credential',
  signs: ':=%',
  detect: (text, at) => (text[at] === '%' ? detectEncodedAssignment(text, at) : detectAssignment(text, at)),
};

/** Credentials after `Bearer` or `Basic`, anywhere. */
const authScheme = /(?:Bearer|Basic)(?:[ \t]{1,4}|%20|\+)/iy;
const credentialCharacters = setOf(`${digits}${letters}-._~+/=`);
const credentialLengthMin = 16;
const sampleMax = 200;

export const authorizations: Detector = {
  kind: 'credential',
  words: 'bB',
  detect(text, at) {
    const second = text.charCodeAt(at + 1) | 0x20;
    // `be`, `ba`.
    if (second !== 0x65 && second !== 0x61) return null;
    authScheme.lastIndex = at;
    if (!authScheme.test(text)) return null;
    const start = authScheme.lastIndex;
    const sampleEnd = runEnd(credentialCharacters, text, start, sampleMax);
    if (sampleEnd - start < credentialLengthMin || !isRandom(text.slice(start, sampleEnd))) return null;
    const end = runEnd(credentialCharacters, text, sampleEnd);
    return { start, end: text[end - 1] === '.' ? end - 1 : end };
  },
};

// Passwords in URLs: `postgres://ann:…@host`. The user name is not hidden.

/** After `://`: a user name and a colon. The password ends at the last `@` of the authority. Slashes may be escaped, as in some JSON. */
const passwordStart = /:(?:\/\/|\\\/\\\/)[^\s:@/?#"'<>\\`]{0,256}:/y;
/** The same, percent-encoded inside another URL. */
const encodedPasswordStart = /%3A%2F%2F[\w.~-]{0,256}%3A/iy;
const passwordEnd = /[\s/?#"'<>\\`]/;
const passwordMax = 512;
const placeholder = /^(?:\$\{|\{\{|<|\*+$|%[sd]$|\[)/;

export const urlPasswords: Detector = {
  kind: 'credential',
  signs: ':%',
  detect(text, at) {
    if (text[at] === '%') return detectEncodedPassword(text, at);
    const next = text.charCodeAt(at + 1);
    if (next !== 0x2f && next !== 0x5c) return null;
    passwordStart.lastIndex = at;
    if (!passwordStart.test(text)) return null;
    const start = passwordStart.lastIndex;
    const part = text.slice(start, start + passwordMax);
    const stop = part.search(passwordEnd);
    const length = (stop === -1 ? part : part.slice(0, stop)).lastIndexOf('@');
    if (length <= 0 || placeholder.test(part) || withoutTokens(part.slice(0, length)) === '') return null;
    return { start, end: start + length };
  },
};

function detectEncodedPassword(text: string, at: number): Range | null {
  encodedPasswordStart.lastIndex = at;
  if (!encodedPasswordStart.test(text)) return null;
  const start = encodedPasswordStart.lastIndex;
  const part = text.slice(start, start + passwordMax);
  const stop = part.search(passwordEnd);
  const length = (stop === -1 ? part : part.slice(0, stop)).indexOf('%40');
  return length > 0 && withoutTokens(part.slice(0, length)) !== '' ? { start, end: start + length } : null;
}

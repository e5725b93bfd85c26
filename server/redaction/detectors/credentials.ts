/**
 * Secrets by where they stand: behind a name, behind `Bearer` or `Basic`, and as passwords in addresses.
 * Names: `password=…`, `"api_key": "…"`, `token: …`, in code, JSON, JSON inside JSON, headers and addresses.
 */
import { digits, dotted, isIn, isRandom, letters, makeupOf, runEnd, runStart, setOf } from './characters.ts';
import type { Detector, Stretch } from './search.ts';

/** What people call secrets, and whether what is called so is one. */

/** Names end with one of these, without their dashes, dots and underscores, in small letters. */
const passwordNames = ['password', 'passwd', 'passphrase', 'pwd', 'passcode', 'secret'] as const;
const keyNames = [
  ...['apikey', 'secretkey', 'secretaccesskey', 'privatekey', 'accesskey', 'accountkey', 'authkey'],
  ...['signingkey', 'encryptionkey', 'masterkey', 'sharedaccesskey', 'servicekey', 'subscriptionkey'],
  ...['token', 'accesstoken', 'authtoken', 'refreshtoken', 'idtoken', 'bearer', 'authorization', 'credential', 'credentials'],
  ...['sharedaccesssignature', 'cookie', 'jwt'],
] as const;
/** `X-Amz-Security-Token` is one; `max_tokens`, `next_page_token` and `nextPageToken` are none. */
const innocent =
  /(?:^|[-_.])(?:page|continuation|next|count|max|stop|end|eos|bos|pad|unk|sync|completion|prompt|public)[-_.]?(?:token|key)$/i;
const innocentCamel = /(?:Page|Continuation|Next|Count|Max|Stop|End|Sync|Completion|Prompt|Public)(?:Token|Key)$/;

export const nameLengthMax = 64;

/** Last letters of the names: most names are none by this alone. */
const lastLetters = setOf(['sig', ...passwordNames, ...keyNames].map((name) => `${name.at(-1)}${name.at(-1)?.toUpperCase()}`).join(''));

export const endsLikeSecret = (text: string, to: number): boolean => isIn(lastLetters, text, to - 1);

export type SecretName = 'password' | 'key';

export function secretNameOf(name: string): SecretName | null {
  if (!endsLikeSecret(name, name.length) || name.length > nameLengthMax) return null;
  const plain = name.replace(/[-_. ]/g, '').toLowerCase();
  if (passwordNames.some((each) => plain.endsWith(each))) return 'password';
  // How Azure signs an address; longer words of that end are what models sign their thoughts with.
  if (plain === 'sig') return 'key';
  return keyNames.some((each) => plain.endsWith(each)) && !innocent.test(name) && !innocentCamel.test(name) ? 'key' : null;
}

const keyMin = 16;
const passwordMin = 6;
const keyEntropyMin = 3;
/** What stands where a secret will be put, or was taken out. */
const stand =
  /^(?:\*{3,}|x{3,}|\.{3,}|•{3,}|\$\{|\{\{|<|%\(|\[(?:redacted|filtered|masked|hidden|removed)|redacted|process\.env|os\.environ|env\.)/i;

/** What a form, a schema or a manual says of a password. */
const word =
  /^(?:string|number|boolean|object|null|none|undefined|true|false|required|optional|hidden|text|password|secret|passphrase|invalid|missing|unknown|default)$/i;

/**
 * Whether a value under such a name is a secret, not a word about one.
 * @param isWhole it is a value by itself, in quotes or as an attribute, not a word of a sentence
 */
export function isSecretValue(of: SecretName, value: string, isWhole: boolean): boolean {
  if (stand.test(value)) return false;
  const rest = withoutTokens(value);
  if (rest.length < (of === 'password' ? passwordMin : keyMin)) return false;
  const { digits, upper, lower, others, entropy } = makeupOf(rest);
  if (of === 'key') return digits > 0 && upper + lower > 0 && entropy >= keyEntropyMin;
  if (isWhole && !/\s/.test(rest) && !word.test(rest)) return true;
  // `password: required` and `password: string` are words.
  return digits > 0 || (upper > 0 && lower > 0 && others > 0) || (others > 0 && entropy >= keyEntropyMin && !/^[\w.\s]{1,500}$/.test(rest));
}

/** What tokens look like: what is a token already hides nothing more. */
const shape = /‹[a-z_]{1,16}-[a-z2-7]{16}›/g;

/** A text without the tokens in it. Whoever writes something that only begins like one gains nothing by it. */
export const withoutTokens = (text: string): string => (text.includes('‹') ? text.replace(shape, '') : text);

const blank = setOf(' \t');
const quotes = setOf('"\'`');
/** What ends a value that stands without quotes. */
const bareEnd = setOf(' \t\r\n"\'`,;<>(){}[]\\&|');
const bare: Uint8Array = Uint8Array.from(bareEnd, (is, code) => (is === 1 || code < 32 ? 0 : 1));
const spacesMax = 4;
const valueMax = 512;
const isJson = /^\s{0,64}[[{"]/;
const scheme = /(?:Bearer|Basic|Token|Digest|ApiKey)[ \t]{1,4}/iy;

/** @param to the end of what stands before the sign. Nearly all names are none of a secret by their last letter alone: '' for those */
function nameBefore(text: string, to: number): string {
  let end = runStart(blank, text, to, spacesMax);
  if (text[end - 1] === ':') end--;
  if (quotes[text.charCodeAt(end - 1)] === 1) {
    end--;
    while (to - end < 12 && text[end - 1] === '\\') end--;
  }
  return endsLikeSecret(text, end) ? text.slice(runStart(dotted, text, end, nameLengthMax + 1), end) : '';
}

/** The value behind a sign: between its quotes, or up to what ends a word. */
function valueFrom(text: string, from: number): (Stretch & { isQuoted: boolean }) | null {
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
  const end = bareRunEnd(text, start);
  return text[end] === '(' || text[end] === '[' ? null : { start, end, isQuoted: false };
}

function afterScheme(text: string, start: number): number {
  scheme.lastIndex = start;
  return scheme.test(text) ? scheme.lastIndex : start;
}

/**
 * A quote of the same depth of escapes ends it. In JSON within JSON each backslash of the inner one is two, and a quote of the value has one
 * more before it than twice those of its own. A value that never ends was cut, and goes as far as a word.
 */
function quotedEnd(text: string, start: number, quote: string, slashes: number): number | null {
  const last = Math.min(text.length, start + valueMax);
  let before = 0;
  for (let at = start; at < last; at++) {
    const each = text[at];
    if (each === '\n') return null;
    // The text of JSON ends there, whatever quotes it opened itself.
    if (each === '"' && quote !== '"' && isJson.test(text)) return at - before;
    if (each === '\\') before++;
    else if (each !== quote || before % (2 * (slashes + 1)) === 2 * slashes + 1) before = 0;
    else return at - (before % (2 * (slashes + 1)) === slashes ? slashes : before);
  }
  return bareRunEnd(text, start);
}

function bareRunEnd(text: string, start: number): number {
  const last = Math.min(text.length, start + valueMax);
  let end = start;
  while (end < last) {
    const code = text.charCodeAt(end);
    if (code < 128 ? bare[code] !== 1 : code === 0xa0 || code === 0x3000) break;
    end++;
  }
  return '.!?:'.includes(text[end - 1] ?? ' ') ? end - 1 : end;
}

function lookBehind(text: string, at: number): Stretch | null {
  const sign = text[at + 1];
  if (sign === '=' || sign === '>' || text.startsWith('//', at + 1)) return null;
  const name = secretNameOf(nameBefore(text, at));
  if (name === null) return null;
  const value = valueFrom(text, at + 1);
  return value && isSecretValue(name, text.slice(value.start, value.end), value.isQuoted) ? value : null;
}

const encodedSigns = /%3[ad]/iy;
const encodedQuote = '%22';

/** As addresses carry signs and quotes inside a value: `api_key%3D…`, `%22api_key%22%3A%22…%22`. */
function lookEncoded(text: string, at: number): Stretch | null {
  encodedSigns.lastIndex = at;
  if (!encodedSigns.test(text)) return null;
  const named = text.startsWith(encodedQuote, at - encodedQuote.length) ? at - encodedQuote.length : at;
  const name = secretNameOf(nameBefore(text, named));
  if (name === null) return null;
  const isQuoted = text.startsWith(encodedQuote, at + 3);
  const start = isQuoted ? at + 3 + encodedQuote.length : at + 3;
  const run = text.slice(start, bareRunEnd(text, start));
  const quote = isQuoted ? run.indexOf(encodedQuote) : -1;
  const value = quote === -1 ? run : run.slice(0, quote);
  return isSecretValue(name, value, isQuoted) ? { start, end: start + value.length } : null;
}

export const assignments: Detector = {
  kind: 'credential',
  signs: ':=%',
  look: (text, at) => (text[at] === '%' ? lookEncoded(text, at) : lookBehind(text, at)),
};

/** What follows `Bearer` or `Basic`, wherever it stands. */
const authScheme = /(?:Bearer|Basic)(?:[ \t]{1,4}|%20|\+)/iy;
const credential = setOf(`${digits}${letters}-._~+/=`);
const credentialMin = 16;
const doubtedMax = 200;

export const authorizations: Detector = {
  kind: 'credential',
  words: 'bB',
  look(text, at) {
    const second = text.charCodeAt(at + 1) | 0x20;
    // `be`, `ba`.
    if (second !== 0x65 && second !== 0x61) return null;
    authScheme.lastIndex = at;
    if (!authScheme.test(text)) return null;
    const start = authScheme.lastIndex;
    const doubted = runEnd(credential, text, start, doubtedMax);
    if (doubted - start < credentialMin || !isRandom(text.slice(start, doubted))) return null;
    const end = runEnd(credential, text, doubted);
    return { start, end: text[end - 1] === '.' ? end - 1 : end };
  },
};

// Passwords in addresses: `postgres://ann:…@host`. The name before it stays.

/** Behind `://`: a name, a colon, and all up to the last `@` before what ends the part. Slashes may be escaped, as some JSON has them. */
const passwordStart = /:(?:\/\/|\\\/\\\/)[^\s:@/?#"'<>\\`]{0,256}:/y;
/** The same inside a value of another address. */
const encodedPasswordStart = /%3A%2F%2F[\w.~-]{0,256}%3A/iy;
const passwordEnd = /[\s/?#"'<>\\`]/;
const passwordMax = 512;
const placeholder = /^(?:\$\{|\{\{|<|\*+$|%[sd]$|\[)/;

export const urlPasswords: Detector = {
  kind: 'credential',
  signs: ':%',
  look(text, at) {
    if (text[at] === '%') return lookEncodedPassword(text, at);
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

function lookEncodedPassword(text: string, at: number): Stretch | null {
  encodedPasswordStart.lastIndex = at;
  if (!encodedPasswordStart.test(text)) return null;
  const start = encodedPasswordStart.lastIndex;
  const part = text.slice(start, start + passwordMax);
  const stop = part.search(passwordEnd);
  const length = (stop === -1 ? part : part.slice(0, stop)).indexOf('%40');
  return length > 0 && withoutTokens(part.slice(0, length)) !== '' ? { start, end: start + length } : null;
}

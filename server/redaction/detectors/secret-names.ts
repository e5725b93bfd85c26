/** What people call secrets, and whether what is called so is one. */
import { isIn, makeupOf, setOf } from './characters.ts';

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

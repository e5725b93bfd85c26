/** API keys, private keys and web tokens: secrets that are recognised by their own format. */
import {
  alphanumeric,
  base64,
  type CharacterSet,
  type Detector,
  digit,
  digits,
  dotted,
  hexadecimal,
  isIn,
  isInsideWord,
  letters,
  type Range,
  runEnd,
  runStart,
  setOf,
  skipEscape,
  urlSafe,
} from './search.ts';

/** At most this many characters are counted. */
const countedMax = 96;

/** Statistics of the characters of a text. Random keys differ in them from words. */
export interface CharacterCounts {
  /** Number of different characters. */
  distinct: number;
  digits: number;
  lower: number;
  upper: number;
  others: number;
  /** Bits per character, by frequency. */
  entropy: number;
}

/** Frequency of each ASCII character, and of all others together. All zero between two texts: a map for each text took ten times as long. */
const frequencies = new Uint8Array(129);
const beyondAscii = 128;

/** Counts the characters at the beginning of a text. */
export function countCharacters(text: string): CharacterCounts {
  const length = Math.min(text.length, countedMax);
  const counts = { distinct: 0, digits: 0, lower: 0, upper: 0, others: 0, entropy: 0 };
  for (let at = 0; at < length; at++) {
    const code = Math.min(text.charCodeAt(at), beyondAscii);
    if (frequencies[code] === 0) counts.distinct++;
    frequencies[code] = (frequencies[code] as number) + 1;
    if (code >= 48 && code <= 57) counts.digits++;
    else if (code >= 97 && code <= 122) counts.lower++;
    else if (code >= 65 && code <= 90) counts.upper++;
    else counts.others++;
  }
  for (let at = 0; at < length; at++) {
    const code = Math.min(text.charCodeAt(at), beyondAscii);
    const share = (frequencies[code] as number) / length;
    if (share === 0) continue;
    counts.entropy -= share * Math.log2(share);
    frequencies[code] = 0;
  }
  return counts;
}

/** After a prefix that only keys have. False for `xxxxxxxx` and `your_token_here`. */
function couldBeKey(text: string): boolean {
  const { distinct, digits, upper, lower } = countCharacters(text);
  return distinct >= 8 && (digits > 0 || (upper > 0 && lower > 0));
}

/** Where words are possible too, as in `sk-learn-…`: a key contains several digits. */
export function isRandom(text: string): boolean {
  const { digits, upper, lower, entropy, distinct } = countCharacters(text);
  return distinct >= 8 && digits >= 2 && upper + lower > 0 && entropy >= 3;
}

interface KeyFormat {
  prefix: string;
  /** Characters after the prefix. */
  characters: CharacterSet;
  lengthMin: number;
  /** Absent: no limit. */
  lengthMax?: number;
  /** The prefix also occurs as a word: what follows must be random. */
  strict?: true;
}

const many = (characters: CharacterSet, lengthMin: number, ...prefixes: string[]): KeyFormat[] =>
  prefixes.map((prefix) => ({ prefix, characters, lengthMin }));
const exactly = (characters: CharacterSet, length: number, ...prefixes: string[]): KeyFormat[] =>
  prefixes.map((prefix) => ({ prefix, characters, lengthMin: length, lengthMax: length }));
const strictly = (formats: KeyFormat[]): KeyFormat[] => formats.map((format) => ({ ...format, strict: true }));

/** Keys with a prefix that names their issuer. */
const formats: readonly KeyFormat[] = [
  // Glasshouse.
  ...many(urlSafe, 16, 'sk_service_', 'sk_agent_', 'sk_run_', 'sk_user_'),
  // Models: OpenAI, Anthropic, OpenRouter, DeepSeek, Langfuse (`sk-…`), and those with their own prefix.
  ...many(urlSafe, 16, 'sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-ant-', 'sk-or-v1-', 'sk-lf-'),
  ...strictly(many(urlSafe, 20, 'sk-')),
  ...many(alphanumeric, 30, 'gsk_', 'hf_', 'api_org_', 'r8_', 'pplx-', 'xai-', 'fw_', 'csk-', 'tgp_v1_'),
  ...many(urlSafe, 20, 'pcsk_', 'tvly-', 'lsv2_pt_', 'lsv2_sk_', 'nvapi-', 'e2b_', 'jina_'),
  ...strictly(many(urlSafe, 30, 'pa-')),
  // Clouds.
  ...exactly(alphanumeric, 16, 'AKIA', 'ASIA', 'ABIA', 'ACCA'),
  ...exactly(alphanumeric, 20, 'LTAI'),
  ...exactly(alphanumeric, 32, 'p8e-'),
  ...exactly(urlSafe, 35, 'AIza'),
  ...many(dotted, 20, 'ya29.', 'AQ.Ab8'),
  ...many(urlSafe, 24, 'GOCSPX-'),
  ...exactly(hexadecimal, 64, 'dop_v1_', 'doo_v1_', 'dor_v1_'),
  ...many(hexadecimal, 32, 'dapi'),
  ...many(urlSafe, 24, 'hvs.', 'hvb.', 'hvr.', 'dp.pt.', 'dp.st.', 'sbp_', 'sb_secret_', 'nfp_', 'vercel_', 'fo1_', 'FlyV1', 'tskey-'),
  // Source code and packages.
  ...many(alphanumeric, 30, 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'),
  ...many(urlSafe, 40, 'github_pat_'),
  ...many(urlSafe, 20, 'glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glagent-', 'glsoat-', 'gloas-', 'glimt-'),
  ...many(alphanumeric, 36, 'npm_'),
  ...many(urlSafe, 50, 'pypi-', 'rubygems_'),
  ...many(
    urlSafe,
    24,
    'dckr_pat_',
    'ATATT3',
    'ATCTT3',
    'ATBB',
    'figd_',
    'lin_api_',
    'lin_oauth_',
    'ntn_',
    'glsa_',
    'glc_',
    'sntrys_',
    'sntryu_',
  ),
  ...many(urlSafe, 24, 'phx_', 'NRAK-', 'PMAK-', 'CFPAT-', 'ops_ey', 'whsec_', 'xkeysib-', 'shpat_', 'shpss_', 'shpca_', 'shppa_'),
  ...strictly(many(alphanumeric, 24, 'pul-', 'rnd_')),
  ...exactly(hexadecimal, 32, 'key-'),
  // Messaging and payments.
  ...many(urlSafe, 10, 'xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.xox', 'xoxc-', 'xoxd-', 'xapp-'),
  ...many(base64, 30, 'hooks.slack.com/services/', 'hooks.slack.com/workflows/'),
  ...many(alphanumeric, 16, 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'),
  ...exactly(hexadecimal, 32, 'SK', 'AC'),
  ...many(dotted, 40, 'SG.'),
  ...many(urlSafe, 22, 'sq0atp-', 'sq0csp-', 'EAAAE', 'access_token$production$'),
  ...many(urlSafe, 20, 'EAACEdEose0cBA'),
  { prefix: 'AGE-SECRET-KEY-1', characters: alphanumeric, lengthMin: 50 },
];

/** Formats by the first two characters of their prefix, the longest first. */
const formatsByStart: (KeyFormat[] | undefined)[] = new Array(128 * 128);
for (const format of formats.toSorted((a, b) => b.prefix.length - a.prefix.length)) {
  const index = startIndex(format.prefix, 0);
  formatsByStart[index] = [...(formatsByStart[index] ?? []), format];
}

function startIndex(text: string, at: number): number {
  return (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
}

/** Number of characters that decide whether a run is a key. */
const sampleMax = 100;

export const prefixedKeys: Detector = {
  kind: 'api_key',
  words: [...new Set(formats.map(({ prefix }) => prefix[0]))].join(''),
  detect(text, at) {
    if (text.charCodeAt(at + 1) >= 128) return null;
    for (const format of formatsByStart[startIndex(text, at)] ?? []) {
      if (!text.startsWith(format.prefix, at)) continue;
      const end = keyEnd(format, text, at + format.prefix.length);
      if (end !== null) return { start: at, end };
    }
    return null;
  },
};

function keyEnd({ characters, lengthMin, lengthMax, strict }: KeyFormat, text: string, from: number): number | null {
  const sampleEnd = runEnd(characters, text, from, sampleMax);
  const sample = text.slice(from, sampleEnd);
  if (sample.length < lengthMin || (lengthMax !== undefined && sample.length > lengthMax)) return null;
  if (lengthMax !== undefined && isIn(alphanumeric, text, sampleEnd)) return null;
  if (!(strict ? isRandom(sample) : couldBeKey(sample))) return null;
  const end = lengthMax === undefined ? runEnd(characters, text, sampleEnd) : sampleEnd;
  return text[end - 1] === '.' ? end - 1 : end;
}

/** An AWS secret has 40 characters without a prefix. It is recognised shortly after its access key id. */
const awsId = /(?:AKIA|ASIA)[A-Z0-9]{16}/y;
const awsSecretLength = 40;
const distanceMax = 160;
const awsSecretEntropyMin = 4;

function awsSecret(text: string, at: number): Range | null {
  awsId.lastIndex = at;
  if (!awsId.test(text)) return null;
  const last = Math.min(text.length, at + distanceMax);
  for (let start = at + 20; start < last; start++) {
    if (!isIn(base64, text, start)) continue;
    // The `n` of a line break in JSON is not part of the secret.
    const from = text[start - 1] === '\\' ? start + 1 : start;
    const end = runEnd(base64, text, from, awsSecretLength + 1);
    if (end - from === awsSecretLength && countCharacters(text.slice(from, end)).entropy >= awsSecretEntropyMin)
      return { start: from, end };
    start = runEnd(base64, text, start, distanceMax);
  }
  return null;
}

export const awsSecrets: Detector = { kind: 'api_key', words: 'A', detect: awsSecret };

/** Secrets of Azure applications: `abc8Q~` and 31 to 34 more characters. */
const azureRun = setOf('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.~');

export const azureSecrets: Detector = {
  kind: 'api_key',
  signs: '~',
  detect(text, at) {
    if (text[at - 1] !== 'Q' || !isIn(digit, text, at - 2)) return null;
    const start = skipEscape(text, runStart(alphanumeric, text, at - 2, 4));
    const end = runEnd(azureRun, text, at + 1, 40);
    const length = end - at - 1;
    return at - 2 - start === 3 && length >= 31 && length <= 34 && isRandom(text.slice(start, end)) ? { start, end } : null;
  },
};

/** Tokens of Telegram bots: `123456789:AA…`. */
export const telegramTokens: Detector = {
  kind: 'api_key',
  signs: ':',
  detect(text, at) {
    if (text[at + 1] !== 'A' || text[at + 2] !== 'A') return null;
    const start = runStart(digit, text, at, 11);
    const end = runEnd(urlSafe, text, at + 1, 40);
    const isToken = at - start >= 8 && at - start <= 10 && end - at - 1 >= 34 && end - at - 1 <= 36;
    return isToken && !isInsideWord(text, start) && couldBeKey(text.slice(at, end)) ? { start, end } : null;
  },
};

/** Private keys in PEM, also with escaped line breaks, also truncated. */
const pemHeader = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const pemLengthMax = 16_384;
const footerLengthMax = 64;
/** Shorter ones are examples in documentation. */
const pemLengthMin = 40;
/** The lines of a key may be texts of a list; a footer after any of these characters belongs to another text. */
const structure = /[[\]{}]/;
const pemCharacters = setOf(`${digits}${letters}+/= \n\r\t\\:,.-`);

export const privateKeys: Detector = {
  kind: 'private_key',
  signs: '-',
  detect(text, at) {
    if (text.charCodeAt(at + 5) !== 0x42 || !text.startsWith('-----BEGIN ', at)) return null;
    pemHeader.lastIndex = at;
    if (!pemHeader.test(text)) return null;
    const from = pemHeader.lastIndex;
    const rest = text.slice(from, from + pemLengthMax);
    const footer = rest.indexOf('-----END');
    const nextHeader = rest.indexOf('-----BEGIN');
    if (footer >= pemLengthMin && (nextHeader === -1 || nextHeader > footer) && !structure.test(rest.slice(0, footer))) {
      const footerEnd = rest.slice(footer + 8, footer + 8 + footerLengthMax).indexOf('-----');
      return { start: at, end: footerEnd === -1 ? from + footer : from + footer + 8 + footerEnd + 5 };
    }
    // Without a footer the key is truncated.
    let end = runEnd(pemCharacters, text, from, nextHeader === -1 ? pemLengthMax * 2 : nextHeader);
    // Backslashes at the end belong to an escape after the key.
    while (text[end - 1] === '\\') end--;
    return end - from >= pemLengthMin ? { start: at, end } : null;
  },
};

/** JSON web tokens, signed (three parts) or encrypted (five). */
const partLengthMin = 8;
const headerLengthMax = 1024;
const partsMax = 5;

export const jwts: Detector = {
  kind: 'jwt',
  words: 'e',
  detect(text, at) {
    if (!text.startsWith('eyJ', at)) return null;
    const headerEnd = runEnd(urlSafe, text, at, headerLengthMax);
    if (headerEnd - at < partLengthMin || text[headerEnd] !== '.') return null;
    const bodyEnd = runEnd(urlSafe, text, headerEnd + 1);
    const bodyLength = bodyEnd - headerEnd - 1;
    // The second part of an encrypted token is empty when it has no key.
    if (bodyLength < partLengthMin && bodyLength > 0) return null;
    if (text[bodyEnd] !== '.')
      return bodyLength >= partLengthMin && text.startsWith('eyJ', headerEnd + 1) ? { start: at, end: bodyEnd } : null;
    let end = bodyEnd;
    for (let part = 2; part < partsMax && text[end] === '.'; part++) {
      const next = runEnd(urlSafe, text, end + 1);
      if (next === end + 1) break;
      end = next;
    }
    return { start: at, end };
  },
};

/** API keys, private keys and web tokens: what is told by its own form. */
import {
  afterEscape,
  alphanumeric,
  base64,
  type CharacterSet,
  couldBeKey,
  digit,
  digits,
  dotted,
  hexadecimal,
  isIn,
  isInsideWord,
  isRandom,
  letters,
  makeupOf,
  runEnd,
  runStart,
  setOf,
  urlSafe,
} from './characters.ts';
import type { Detector, Stretch } from './search.ts';

interface Shape {
  prefix: string;
  /** What follows the prefix. */
  of: CharacterSet;
  least: number;
  /** Exactly `least` when equal; absent: as many as there are. */
  most?: number;
  /** The prefix is a word of its own in other texts. */
  strict?: true;
}

const many = (of: CharacterSet, least: number, ...prefixes: string[]): Shape[] => prefixes.map((prefix) => ({ prefix, of, least }));
const exactly = (of: CharacterSet, least: number, ...prefixes: string[]): Shape[] =>
  prefixes.map((prefix) => ({ prefix, of, least, most: least }));
const strictly = (shapes: Shape[]): Shape[] => shapes.map((shape) => ({ ...shape, strict: true }));

/** Keys that say by their first letters whose they are. One line each: what they begin with and what follows. */
const shapes: readonly Shape[] = [
  // Our own.
  ...many(urlSafe, 16, 'sk_service_', 'sk_agent_', 'sk_run_', 'sk_user_'),
  // Models: OpenAI, Anthropic, OpenRouter, DeepSeek, Langfuse (`sk-…`), and those with letters of their own.
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
  // Code.
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
  // Messages and money.
  ...many(urlSafe, 10, 'xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.xox', 'xoxc-', 'xoxd-', 'xapp-'),
  ...many(base64, 30, 'hooks.slack.com/services/', 'hooks.slack.com/workflows/'),
  ...many(alphanumeric, 16, 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'),
  ...exactly(hexadecimal, 32, 'SK', 'AC'),
  ...many(dotted, 40, 'SG.'),
  ...many(urlSafe, 22, 'sq0atp-', 'sq0csp-', 'EAAAE', 'access_token$production$'),
  ...many(urlSafe, 20, 'EAACEdEose0cBA'),
  { prefix: 'AGE-SECRET-KEY-1', of: alphanumeric, least: 50 },
];

/** Shapes by the first two letters of their prefix, the longest first. */
const byBeginning: (Shape[] | undefined)[] = new Array(128 * 128);
for (const shape of shapes.toSorted((a, b) => b.prefix.length - a.prefix.length)) {
  const place = beginningOf(shape.prefix, 0);
  byBeginning[place] = [...(byBeginning[place] ?? []), shape];
}

function beginningOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
}

/** Of a run no more is looked at before it counts as a key. */
const doubtedMax = 100;

function look(text: string, at: number): Stretch | null {
  if (text.charCodeAt(at + 1) >= 128) return null;
  for (const shape of byBeginning[beginningOf(text, at)] ?? []) {
    if (!text.startsWith(shape.prefix, at)) continue;
    const end = endOf(shape, text, at + shape.prefix.length);
    if (end !== null) return { start: at, end };
  }
  return null;
}

function endOf({ of, least, most, strict }: Shape, text: string, from: number): number | null {
  const doubted = runEnd(of, text, from, doubtedMax);
  const run = text.slice(from, doubted);
  if (run.length < least || (most !== undefined && run.length > most)) return null;
  if (most !== undefined && isIn(alphanumeric, text, doubted)) return null;
  if (!(strict ? isRandom(run) : couldBeKey(run))) return null;
  const end = most === undefined ? runEnd(of, text, doubted) : doubted;
  return text[end - 1] === '.' ? end - 1 : end;
}

export const prefixedKeys: Detector = { kind: 'api_key', words: [...new Set(shapes.map(({ prefix }) => prefix[0]))].join(''), look };

/** Keys that are told by their build, not by their first letters. */

/** The second half of a pair of AWS is 40 letters that say nothing of themselves; it stands soon behind the first, which does. */
const awsId = /(?:AKIA|ASIA)[A-Z0-9]{16}/y;
const awsSecretLength = 40;
const nearMax = 160;
const awsSecretEntropyMin = 4;

function awsSecret(text: string, at: number): Stretch | null {
  awsId.lastIndex = at;
  if (!awsId.test(text)) return null;
  const last = Math.min(text.length, at + nearMax);
  for (let start = at + 20; start < last; start++) {
    if (!isIn(base64, text, start)) continue;
    const from = backslashed(text, start);
    const end = runEnd(base64, text, from, awsSecretLength + 1);
    if (end - from === awsSecretLength && makeupOf(text.slice(from, end)).entropy >= awsSecretEntropyMin) return { start: from, end };
    start = runEnd(base64, text, start, nearMax);
  }
  return null;
}

/** The `n` of a line break in JSON is none of the secret. */
const backslashed = (text: string, start: number): number => (text[start - 1] === '\\' ? start + 1 : start);

export const awsSecrets: Detector = { kind: 'api_key', words: 'A', look: awsSecret };

/** Secrets of Azure applications: `abc8Q~` and 31 to 34 more. */
const azureRun = setOf('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.~');

export const azureSecrets: Detector = {
  kind: 'api_key',
  signs: '~',
  look(text, at) {
    if (text[at - 1] !== 'Q' || !isIn(digit, text, at - 2)) return null;
    const start = afterEscape(text, runStart(alphanumeric, text, at - 2, 4));
    const end = runEnd(azureRun, text, at + 1, 40);
    const length = end - at - 1;
    return at - 2 - start === 3 && length >= 31 && length <= 34 && isRandom(text.slice(start, end)) ? { start, end } : null;
  },
};

/** Bots of Telegram: `123456789:AA…`. */
export const telegramTokens: Detector = {
  kind: 'api_key',
  signs: ':',
  look(text, at) {
    if (text[at + 1] !== 'A' || text[at + 2] !== 'A') return null;
    const start = runStart(digit, text, at, 11);
    const end = runEnd(urlSafe, text, at + 1, 40);
    const isToken = at - start >= 8 && at - start <= 10 && end - at - 1 >= 34 && end - at - 1 <= 36;
    return isToken && !isInsideWord(text, start) && couldBeKey(text.slice(at, end)) ? { start, end } : null;
  },
};

/** Private keys as PEM has them, also with `\n` for their line breaks, cut ones too. */

const begin = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const keyMax = 16_384;
const footMax = 64;
/** A shorter one is an example in a manual. */
const cutMin = 40;
/** Lines of a key may be the texts of a list, but what ends within another object is another text. */
const structure = /[[\]{}]/;
const body = setOf(`${digits}${letters}+/= \n\r\t\\:,.-`);

export const privateKeys: Detector = {
  kind: 'private_key',
  signs: '-',
  look(text, at) {
    if (text.charCodeAt(at + 5) !== 0x42 || !text.startsWith('-----BEGIN ', at)) return null;
    begin.lastIndex = at;
    if (!begin.test(text)) return null;
    const head = begin.lastIndex;
    const inside = text.slice(head, head + keyMax);
    const foot = inside.indexOf('-----END');
    const next = inside.indexOf('-----BEGIN');
    if (foot >= cutMin && (next === -1 || next > foot) && !structure.test(inside.slice(0, foot))) {
      const last = inside.slice(foot + 8, foot + 8 + footMax).indexOf('-----');
      return { start: at, end: last === -1 ? head + foot : head + foot + 8 + last + 5 };
    }
    // Whoever cut the text cut the key.
    let end = runEnd(body, text, head, next === -1 ? keyMax * 2 : next);
    // Of an escape that goes on behind it.
    while (text[end - 1] === '\\') end--;
    return end - head >= cutMin ? { start: at, end } : null;
  },
};

/** JSON web tokens, signed (three parts) or encrypted (five). */

const partMin = 8;
const headMax = 1024;
const partsMax = 5;

export const jwts: Detector = {
  kind: 'jwt',
  words: 'e',
  look(text, at) {
    if (!text.startsWith('eyJ', at)) return null;
    const head = runEnd(urlSafe, text, at, headMax);
    if (head - at < partMin || text[head] !== '.') return null;
    const body = runEnd(urlSafe, text, head + 1);
    // An encrypted one may name no key: its second part is empty then.
    if (body - head - 1 < partMin && body !== head + 1) return null;
    if (text[body] !== '.') return body - head - 1 >= partMin && text.startsWith('eyJ', head + 1) ? { start: at, end: body } : null;
    let end = body;
    for (let part = 2; part < partsMax && text[end] === '.'; part++) {
      const next = runEnd(urlSafe, text, end + 1);
      if (next === end + 1) break;
      end = next;
    }
    return { start: at, end };
  },
};

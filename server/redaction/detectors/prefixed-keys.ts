/** Keys that say by their first letters whose they are. One line each: what they begin with and what follows. */
import { alphanumeric, base64, type CharacterSet, dotted, hexadecimal, isIn, runEnd, urlSafe } from './characters.ts';
import type { Detector, Stretch } from './detector.ts';
import { couldBeKey, isRandom } from './randomness.ts';

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

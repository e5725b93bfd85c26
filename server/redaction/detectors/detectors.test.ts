import { describe, expect, it } from 'vitest';
import { seededSecrets } from '../../fixtures/seeded-secrets.ts';
import { detectors } from '../hiding.ts';
import { type Detector, Search } from './search.ts';

const search = new Search(detectors);
const found = (text: string) => search.in(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('a value of each format is found completely, and nothing around it', () => {
  for (const { kind, shape, value, text } of seededSecrets(204, 7)) {
    const ways: [string, string][] = [
      ['alone', text],
      ['in a sentence', `Look (${text}), please.`],
      ['behind a line break of JSON', `first\\n${text}\\nthird`],
      ['in a block of code', `\`\`\`\n${text}\n\`\`\``],
    ];
    it.each(ways)(`${shape} %s: ${text.slice(0, 30)}`, (_, given) => {
      expect(found(given)).toContain(`${kind} ${value}`);
    });
  }
});

it.each([
  ['mail ann%40example.com%2C now', ['email ann%40example.com']],
  ['?to=%20eve%2Bnews%40example.com', ['email eve%2Bnews%40example.com']],
  [String.raw`{"to":"ann\u0040example.com"}`, [String.raw`email ann\u0040example.com`]],
  [String.raw`{"t":"Hi\nann@example.com"}`, ['email ann@example.com']],
  [String.raw`{"a":"{\"password\":\"h8nter2\"}"}`, ['credential h8nter2']],
  [String.raw`{"a":"{\"b\":\"{\\\"api_key\\\":\\\"0a1b2c3d4e5f60718293\\\"}\"}"}`, ['credential 0a1b2c3d4e5f60718293']],
  ['https://x.example/?api_key%3D0a1b2c3d4e5f60718293%26a', ['credential 0a1b2c3d4e5f60718293%26a']],
  ['https://x.example/?token=0a1b2c3d4e5f60718293&b=1', ['credential 0a1b2c3d4e5f60718293']],
  ['"password": "hunter"', ['credential hunter']],
  [String.raw`https:\/\/ann:s3cretx@host.example\/a`, ['credential s3cretx']],
  ['https://ann:p@ss@host.example/a', ['credential p@ss']],
  ['Bearer sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ', ['api_key sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ']],
  ['tel: +1 415 555 2671 or +4915112345678.', ['phone +1 415 555 2671', 'phone +4915112345678']],
])('%s', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

it.each([
  'The password: required, at least 8 characters',
  '{"password": {"type": "string"}, "token": "string", "max_tokens": 4096, "next_page_token": "a1b2c3d4e5f6a7b8"}',
  'total_tokens=1234567890123456, prompt_token_count: 512',
  'import sk-learn-contrib and scikit-learn',
  'logo@2x.png, @scope/pkg@1.2.3, lodash@4.17.21, git@github.com:a/b.git, @app.route',
  'at 2026-01-15T10:00:00+01:00 it took 1768471200123456789 ns, 1768471200123 ms, 0.4111111111111111',
  '4111111111111112 4000000000000000 1234567890123456',
  'DE00123456781234567812 GB82WEST12345698765431',
  '000-12-3456 666-12-3456 912-12-3456 123-00-4567 123-45-0000 123-45-67890 20123-45-6789',
  'a+15 +123 +0123456789 1+4915112345678',
  'std::vector<int> 12:30:45 127.0.0.1 1.2.3.4.5 ::1 aa:bb',
  '550e8400-e29b-41d4-a716-446655440000 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  'eyJ is how they begin; eyJhbGciOiJIUzI1NiJ9 alone is a head',
  'token = os.environ["TOKEN_OF_THE_DAY_1"], secret = getSecret(1)',
  'the bearer of good news 2026, Basic authentication-is-described-here',
  '‹email-abcdefghijklmnop› password=‹credential-abcdefghijklmnop›',
])('nothing is found in %s', (text) => {
  expect(found(text)).toEqual([]);
});

describe('the cost of a text is bounded', () => {
  /** Patterns match at one position and have no unbounded repetition: none can backtrack over a text. */
  it('no pattern has an unbounded repetition', async () => {
    const sources = import.meta.glob<string>('./*.ts', { query: '?raw', import: 'default', eager: true });
    const files = Object.entries(sources).filter(([path]) => !path.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(4);
    for (const [path, source] of files) {
      const patterns = [...source.matchAll(/\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/([a-z]*)(?=[;,.)\n\]])/g)].filter(
        ([, flags]) => flags?.includes('y'),
      );
      for (const [pattern] of patterns) expect(`${path} ${pattern}`).not.toMatch(/(?:[^\\][*+]|\{\d+,\})[^\]]*$/);
    }
  });

  /** Detectors that count their calls. */
  const counted = (): { used: Detector[]; calls: () => number } => {
    let calls = 0;
    const used = detectors.map((detector) => ({
      ...detector,
      detect: (text: string, at: number) => {
        calls++;
        return detector.detect(text, at);
      },
    }));
    return { used, calls: () => calls };
  };
  const size = 200_000;
  const hostile = [
    ...[
      'a@',
      'a@a.',
      '@',
      ':',
      '=',
      'password=',
      '"password":"',
      'token:',
      '-----BEGIN PRIVATE KEY-----',
      'eyJ',
      'eyJa.',
      'eyJ-',
      'sk-',
      'AKIA',
      '+1',
      '+1 ',
      '%40',
    ],
    ...[
      '4111 ',
      '4',
      '1.',
      '1:',
      ':1',
      '::',
      'DE12',
      'DE 1 ',
      '\\',
      '\\u0040',
      'Bearer ',
      'Bearer a',
      '://a:',
      '://',
      '8Q~',
      '1:AA',
      'SG.',
      'a',
      '/AKIAAAAAAAAAAAAAAAAA',
      '123-',
    ],
  ];
  it.each(hostile)('repeated %j causes at most four detector calls per character', (unit) => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    const { used, calls } = counted();
    new Search(used).in(text);
    expect(calls()).toBeLessThanOrEqual(4 * text.length);
  });

  /** A call far from both ends costs the same in a text of any length: the text is cut off after what it may read. */
  it.each(hostile)('a detector called in %j reads a bounded part of the text, or finds a value', (unit) => {
    const reach = 40_000;
    const long = unit.repeat(Math.ceil((4 * reach) / unit.length));
    for (let at = 2 * reach; at < 2 * reach + unit.length; at++) {
      for (const detector of detectors) {
        const [whole, part] = [detector.detect(long, at), detector.detect(long.slice(at - reach, at + reach), reach)];
        if (whole !== null && whole.end - at >= reach - 1_000) continue;
        expect(part && { start: part.start + at - reach, end: part.end + at - reach }).toEqual(whole);
      }
    }
  });
});

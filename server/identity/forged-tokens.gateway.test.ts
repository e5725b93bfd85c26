/**
 * Tokens that are forged or no longer valid are all refused in the same way, without a reason. The key of the deployment is known here, so
 * that the checks besides the signature are tested too.
 */
import { createHmac, createPublicKey, generateKeyPairSync, hkdfSync, type KeyObject, sign as signWith } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../fixtures/add-member.ts';
import { testClock } from '../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../fixtures/test-cloud.ts';

const secret = 'a secret of these tests, which is longer than it must be';
const derived = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32));
const ours = derived('glasshouse session token');
const startMs = Date.UTC(2026, 5, 1);
const loginMs = 12 * 3600 * 1000;
let nowMs = startMs;

let cloud: TestCloud;
let other: TestTenant;
/** A gateway that trusts the header of a token would request keys here. */
let keyServer: Server;
let keyRequests = 0;

beforeAll(async () => {
  cloud = await startTestCloud({ secret, clock: testClock(() => nowMs) });
  other = await cloud.addTenant('other');
  keyServer = createServer((_, response) => {
    keyRequests++;
    response.end(JSON.stringify({ keys: [{ ...stranger.publicKey.export({ format: 'jwk' }), kid: 'theirs', alg: 'RS256' }] }));
  });
  await once(keyServer.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  keyServer.close();
  await cloud.stop();
});

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangerCurve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const strangerPem = stranger.publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Json = Record<string, unknown>;
type Signer = (input: string) => Buffer;

const part = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const hmac =
  (key: Buffer | string, hash = 'sha256'): Signer =>
  (input) =>
    createHmac(hash, key).update(input).digest();
const rsa =
  (key: KeyObject, hash = 'sha256'): Signer =>
  (input) =>
    signWith(hash, Buffer.from(input), key);
const byUs = hmac(ours);
const byStranger = rsa(stranger.privateKey);
const byNobody: Signer = () => Buffer.alloc(0);

const header = { alg: 'HS256', typ: 'JWT' };

function token(head: unknown, claims: unknown, signer: Signer): string {
  const input = `${part(head)}.${part(claims)}`;
  return `${input}.${signer(input).toString('base64url')}`;
}

/** Claims of a login's token. */
const claimsOf = (login: string): Json => JSON.parse(Buffer.from(login.split('.')[1] as string, 'base64url').toString()) as Json;
const claims = (): Json => claimsOf(cloud.tenant.token);
const without = (name: string): Json => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
const seconds = (offset: number): number => Math.floor(nowMs / 1000) + offset;
const segments = () => cloud.tenant.token.split('.') as [string, string, string];
const keyUrl = () => `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;

type Forgery = [name: string, forge: () => string];

const listed = (values: unknown[], forge: (value: unknown) => string): Forgery[] =>
  values.map((value) => [JSON.stringify(value) ?? 'nothing', () => forge(value)]);

const algorithms: Forgery[] = [
  ...listed(['none', 'None', 'NONE', 'nOnE', '', null, undefined], (alg) => token({ ...header, alg }, claims(), byNobody)),
  ...listed(
    [...['none', 'hs256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES256', 'EdDSA', 'dir', 'A256KW'], null, undefined, 256, ['HS256']],
    (alg) => token({ ...header, alg }, claims(), byUs),
  ),
  ['HS384, signed so', () => token({ ...header, alg: 'HS384' }, claims(), hmac(ours, 'sha384'))],
  ['HS512, signed so', () => token({ ...header, alg: 'HS512' }, claims(), hmac(ours, 'sha512'))],
  ['RS256 by a stranger', () => token({ ...header, alg: 'RS256' }, claims(), byStranger)],
  ['RS512 by a stranger', () => token({ ...header, alg: 'RS512' }, claims(), rsa(stranger.privateKey, 'sha512'))],
  ['ES256 by a stranger', () => token({ ...header, alg: 'ES256' }, claims(), rsa(strangerCurve.privateKey))],
  ['HS256 with a public key as its secret', () => token(header, claims(), hmac(strangerPem))],
  [
    'HS256 with the bytes of a public key',
    () => token(header, claims(), hmac(createPublicKey(strangerPem).export({ type: 'spki', format: 'der' }))),
  ],
  ['HS256 over a signature of RS256', () => token(header, claims(), byStranger)],
];

const secrets: Forgery[] = [
  ...listed(['', ' ', 'secret', 'glasshouse', 'null', '\0'.repeat(32), secret.toUpperCase()], (key) =>
    token(header, claims(), hmac(String(key))),
  ),
  ['the secret that the key is made from', () => token(header, claims(), hmac(secret))],
  ['the key as hex', () => token(header, claims(), hmac(ours.toString('hex')))],
  ['half of the key', () => token(header, claims(), hmac(ours.subarray(0, 16)))],
  ['a key made for something else', () => token(header, claims(), hmac(derived('glasshouse sealed text')))],
  ['a key made for nothing', () => token(header, claims(), hmac(derived('')))],
  ['no key', () => token(header, claims(), byNobody)],
  ['a signature of zeros', () => token(header, claims(), () => Buffer.alloc(32))],
];

/** Signed with our key, with wrong claims. */
const wrongClaims: Forgery[] = [
  ...['exp', 'nbf', 'iss', 'aud', 'sub', 'sid', 'tenant_id'].map(
    (name): Forgery => [`no ${name}`, () => token(header, without(name), byUs)],
  ),
  ...Object.entries({
    exp: [null, '9999999999', 0, -1, true, {}],
    nbf: [null, '0', {}],
    iss: [null, '', 'Glasshouse', 'https://glasshouse', ['glasshouse']],
    aud: [null, '', 'glasshouse', ['glasshouse-dashboard'], ['glasshouse-dashboard', 'another'], {}],
    sub: [null, '', 7, 'nobody', { $ne: '' }],
    sid: [null, '', 7, 'nobody', { $ne: '' }, "' OR '1'='1", '%'],
    tenant_id: [null, '', 7, 'nobody', { $ne: '' }],
  }).flatMap(([name, values]) =>
    values.map((value): Forgery => [`${name} ${JSON.stringify(value)}`, () => token(header, { ...claims(), [name]: value }, byUs)]),
  ),
  ['the tenant of others', () => token(header, { ...claims(), tenant_id: other.tenant_id }, byUs)],
  ['the user of others', () => token(header, { ...claims(), sub: other.user_id }, byUs)],
  ['the login of others', () => token(header, { ...claims(), sid: claimsOf(other.token).sid }, byUs)],
  ['expired', () => token(header, { ...claims(), exp: seconds(-3600) }, byUs)],
  ['not yet valid', () => token(header, { ...claims(), nbf: seconds(3600) }, byUs)],
  ['claims that are a list', () => token(header, [claims()], byUs)],
  ['claims that are a text', () => token(header, '"words"', byUs)],
  ['claims that are no JSON', () => token(header, '{"sid":', byUs)],
  ['no claims', () => token(header, '', byUs)],
];

const headers: Forgery[] = [
  ...listed(['jwt', 'at+jwt', 'JWE', '', null, undefined, ['JWT']], (typ) => token({ ...header, typ }, claims(), byUs)),
  ['an extension that must be understood', () => token({ ...header, crit: ['sid'], sid: 'x' }, claims(), byUs)],
  ['claims that are not encoded', () => token({ ...header, crit: ['b64'], b64: false }, claims(), byUs)],
  ...listed(['../../../../dev/null', '/dev/null', "x' UNION SELECT 'key' --", 'theirs', ''], (kid) =>
    token({ ...header, kid }, claims(), hmac('')),
  ),
  ['kid of the stranger', () => token({ ...header, alg: 'RS256', kid: 'theirs' }, claims(), byStranger)],
  ['jku', () => token({ ...header, alg: 'RS256', kid: 'theirs', jku: keyUrl() }, claims(), byStranger)],
  ['x5u', () => token({ ...header, alg: 'RS256', x5u: keyUrl() }, claims(), byStranger)],
  ['iss as an address', () => token({ ...header, alg: 'RS256' }, { ...claims(), iss: keyUrl() }, byStranger)],
  ['jwk', () => token({ ...header, alg: 'RS256', jwk: stranger.publicKey.export({ format: 'jwk' }) }, claims(), byStranger)],
  ['jwk of a shared key', () => token({ ...header, jwk: { kty: 'oct', k: part('mine') } }, claims(), hmac('mine'))],
  ['x5c', () => token({ ...header, alg: 'RS256', x5c: [strangerPem] }, claims(), byStranger)],
  ['a header that is no JSON', () => token('{"alg":"HS256"', claims(), byUs)],
  ['no header', () => token('', claims(), byUs)],
];

/** Made from a valid token. */
const mangled: Forgery[] = (
  [
    ['without a signature', (h, p) => `${h}.${p}`],
    ['with an empty signature', (h, p) => `${h}.${p}.`],
    ['without its first byte', (h, p, s) => `${h}.${p}.${s.slice(2)}`],
    ['cut off', (h, p, s) => `${h}.${p}.${s.slice(0, -4)}`],
    ['cut off in its claims', (h, p, s) => `${h}.${p.slice(0, -8)}.${s}`],
    ['with more signature', (h, p, s) => `${h}.${p}.${s}AAAA`],
    ['with another first character', (h, p, s) => `${h}.${p}.${s.startsWith('A') ? 'B' : 'A'}${s.slice(1)}`],
    ['with two headers', (h, p, s) => `${h}.${h}.${p}.${s}`],
    ['with two sets of claims', (h, p, s) => `${h}.${p}.${p}.${s}`],
    ['with two signatures', (h, p, s) => `${h}.${p}.${s}.${s}`],
    ['twice', (h, p, s) => `${h}.${p}.${s}.${h}.${p}.${s}`],
    ['twice with a comma', (h, p, s) => `${h}.${p}.${s},${h}.${p}.${s}`],
    ['turned around', (h, p, s) => `${s}.${p}.${h}`],
    ['without a header', (_, p, s) => `.${p}.${s}`],
    ['without claims', (h, _, s) => `${h}..${s}`],
    ['with a dot before', (h, p, s) => `.${h}.${p}.${s}`],
    ['with a dot after', (h, p, s) => `${h}.${p}.${s}.`],
    ['with a space in it', (h, p, s) => `${h}. ${p}.${s}`],
    ['as the parts of an encrypted one', (h, p, s) => `${h}.${s}.${s}.${p}.${s}`],
    ['as JSON', (h, p, s) => JSON.stringify({ protected: h, payload: p, signature: s })],
    ['with another header', (_, p, s) => `${part({ ...header, kid: 'x' })}.${p}.${s}`],
    ['in other letters', (h, p, s) => `${h}.${p}.${s}`.toLowerCase()],
    ['very long', (h, p, s) => `${h}.${p}.${s.repeat(150)}`],
    ['as nothing but dots', () => '..'],
    ['as no token', () => 'null'],
  ] as [string, (h: string, p: string, s: string) => string][]
).map(([name, mangle]): Forgery => [name, () => mangle(...segments())]);

/** Changed claims with the original signature. */
const changed: Forgery[] = Object.entries({ role: 'admin', sub: 'x', tenant_id: 'x', sid: 'x', exp: 9_999_999_999, email: 'x@y.test' }).map(
  ([name, value]): Forgery => [name, () => `${segments()[0]}.${part({ ...claims(), [name]: value })}.${segments()[2]}`],
);

const groups = { algorithms, secrets, wrongClaims, headers, mangled, changed };

const answerTo = async (credential: Record<string, string>, path = '/v1/traces', method = 'GET') => {
  const response = await cloud.fetch(path, { method, headers: { 'X-Service-App-Id': cloud.tenant.app_id, ...credential } });
  return `${response.status} ${await response.text()}`;
};
const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });

describe.each(Object.entries(groups))('%s', (_, forgeries) => {
  it.each(forgeries)('%s', async (_name, forge) => {
    const forged = forge();
    const refusal = await answerTo(bearer('x'));
    expect(refusal).toMatch(/^401 .*"unauthorized"/);
    expect(await answerTo(bearer(forged))).toBe(refusal);
    expect(await answerTo({ Authorization: forged })).toBe(refusal);
    expect(await answerTo(bearer(forged), '/v1/auth/me')).toBe(refusal);
    expect(await answerTo(bearer(forged), '/v1/traces', 'POST')).toBe(refusal);
    expect(await answerTo({ Cookie: `glasshouse_session=${forged}`, 'X-Glasshouse-Page': '1' })).toBe(refusal);
  });
});

it('all of them were tried, no keys were requested, and a correct token passes', async () => {
  expect(new Set(Object.values(groups).flatMap((forgeries) => forgeries.map(([, forge]) => forge()))).size).toBeGreaterThanOrEqual(120);
  expect(keyRequests).toBe(0);
  expect(await answerTo(bearer(token(header, claims(), byUs)))).toMatch(/^200 /);
});

it('allows a clock difference of exactly a minute, and no login after its end', async () => {
  const status = async (change: Json) => (await answerTo(bearer(token(header, { ...claims(), ...change }, byUs)))).slice(0, 3);
  expect([await status({ exp: seconds(-59) }), await status({ exp: seconds(-60) })]).toEqual(['200', '401']);
  expect([await status({ nbf: seconds(60) }), await status({ nbf: seconds(61) })]).toEqual(['200', '401']);
  nowMs = startMs + loginMs - 1;
  expect(await status({})).toBe('200');
  nowMs = startMs + loginMs;
  expect(await status({ exp: seconds(3600) })).toBe('401');
  nowMs = startMs;
});

it('an ended login is refused, even with a correct token', async () => {
  const { client, token: ended } = await addMember(cloud, cloud.tenant, 'leaver@acme.test', 'read');
  expect(await answerTo(bearer(ended))).toMatch(/^200 /);
  await client.auth.logout();
  const refusal = await answerTo(bearer('x'));
  expect(await answerTo(bearer(ended))).toBe(refusal);
  expect(await answerTo(bearer(token(header, claimsOf(ended), byUs)))).toBe(refusal);
});

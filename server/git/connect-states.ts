/**
 * The OAuth `state` of a pending connection, which the provider returns with its code. It names the app and the actor and is signed, so it
 * cannot be forged or changed. Its nonce works once. It is bound to the browser that started the connection, so nobody can be tricked into
 * connecting their repositories to somebody else's app.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type GitProvider, type GitStore, gitProviders } from '../control/git-store.ts';
import { type DerivedKeys, derivedKeys, type Secrets } from '../identity/secrets.ts';
import type { Clock } from '../platform/clock.ts';
import { jsonOf } from '../platform/json.ts';

const lifeMs = 10 * 60 * 1000;

const claims = z.object({
  nonce: z.string(),
  expires_at: z.string(),
  provider: z.enum(gitProviders),
  tenant_id: z.string(),
  app_id: z.string(),
  actor_kind: z.enum(['user', 'key', 'system']),
  actor_id: z.string(),
  /** SHA-256 of the browser's secret. */
  browser: z.string(),
});
export type StateClaims = z.output<typeof claims>;

export interface PendingConnection {
  state: string;
  expires_at: string;
  /** Cookie for the browser that started the connection. */
  browserSecret: string;
}

export class ConnectStates {
  readonly #keys: DerivedKeys;
  readonly #store: GitStore;
  readonly #clock: Clock;

  constructor(secrets: Secrets, store: GitStore, clock: Clock) {
    this.#keys = derivedKeys(secrets, 'glasshouse git connect state');
    this.#store = store;
    this.#clock = clock;
  }

  async begin(
    who: Pick<StateClaims, 'tenant_id' | 'app_id' | 'actor_kind' | 'actor_id'>,
    provider: GitProvider,
  ): Promise<PendingConnection> {
    const nonce = randomBytes(24).toString('base64url');
    const browserSecret = randomBytes(24).toString('base64url');
    const expires_at = new Date(this.#clock.now() + lifeMs).toISOString();
    await this.#store.issueNonce({ tenant_id: who.tenant_id, app_id: who.app_id }, nonce, expires_at);
    const signed: StateClaims = { ...who, nonce, expires_at, provider, browser: digestOf(browserSecret) };
    const body = Buffer.from(JSON.stringify(signed)).toString('base64url');
    return { state: `${body}.${sign(this.#keys[0], body)}`, expires_at, browserSecret };
  }

  /** Consumes a state. Null when it is invalid, expired, used, from another browser, or its app was deleted. */
  async consume(state: string, browserSecret: string | undefined): Promise<StateClaims | null> {
    const [body = '', signature = '', ...more] = state.split('.');
    if (more.length > 0 || browserSecret === undefined) return null;
    if (!this.#keys.some((key) => isSame(signature, sign(key, body)))) return null;
    const read = claims.safeParse(jsonOf(Buffer.from(body, 'base64url').toString())).data;
    if (!read || Date.parse(read.expires_at) <= this.#clock.now() || !isSame(digestOf(browserSecret), read.browser)) return null;
    const { tenant_id, app_id, nonce } = read;
    return (await this.#store.consumeNonce({ tenant_id, app_id }, nonce)) ? read : null;
  }
}

const sign = (key: Uint8Array, body: string): string => createHmac('sha256', key).update(body).digest('base64url');

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const digestOf = (secret: string): string => sha256(secret).toString('base64url');

/** Compares digests, so that both have the same length. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));

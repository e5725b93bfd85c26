/**
 * Sign-in by OpenID Connect: code flow with PKCE. The state of a sign-in (verifier, state, nonce, target page) is in a sealed cookie, so that
 * any gateway can finish what another began.
 */
import { isIP } from 'node:net';
import * as client from 'openid-client';
import { z } from 'zod';
import type { LinkedIdentity } from '../control/user-store.ts';
import type { Clock } from '../platform/clock.ts';
import { SealedTexts } from './sealed-text.ts';

export interface OpenIdSettings {
  /** Its address, under which `.well-known/openid-configuration` is found. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A sign-in that has begun. */
export interface Begun {
  /** Authorisation URL of the provider. */
  url: string;
  /** Cookie for the browser that begins; useless in another one. */
  sealed: string;
}

/** Whom the provider vouches for. */
export interface Vouched {
  identity: LinkedIdentity;
  /** Null when the provider does not say that the address is theirs. */
  email: string | null;
  name: string | null;
  returnTo: string;
}

/** The provider is unreachable. */
export class OpenIdUnavailable extends Error {}

const lifeMs = 10 * 60 * 1000;
/** How far clocks may be apart. */
const leewaySeconds = 300;
const sealedFor = 'openid sign-in';

const waiting = z.object({ verifier: z.string(), state: z.string(), nonce: z.string(), returnTo: z.string(), expiresAtMs: z.number() });

export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #sealed: SealedTexts;
  readonly #clock: Clock;
  /** Used nonces, each with the expiry of its cookie. */
  readonly #spent = new Map<string, number>();
  #configuration: Promise<client.Configuration> | null = null;

  constructor(settings: OpenIdSettings, secret: string, clock: Clock) {
    this.#settings = settings;
    this.#sealed = new SealedTexts(secret, sealedFor);
    this.#clock = clock;
  }

  /**
   * @param callback the address that the provider sends the browser back to
   * @param returnTo where the user wanted to go
   * @throws OpenIdUnavailable
   */
  async begin(callback: string, returnTo: string): Promise<Begun> {
    const configuration = await this.#discovered();
    const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const expiresAtMs = this.#clock.now() + lifeMs;
    return { url: url.href, sealed: this.#sealed.seal(JSON.stringify({ verifier, state, nonce, returnTo, expiresAtMs }), sealedFor) };
  }

  /**
   * Null without a verified user: the browser did not begin here, it took too long, it came back before, the user declined, or the answer is
   * invalid.
   * @param came complete callback URL
   * @throws OpenIdUnavailable
   */
  async finish(came: string, sealed: string | undefined): Promise<Vouched | null> {
    const begun = this.#opened(sealed);
    if (!begun || !this.#spend(begun)) return null;
    const configuration = await this.#discovered();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(came), {
        pkceCodeVerifier: begun.verifier,
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || claims.iat > this.#clock.now() / 1000 + leewaySeconds) return null;
      const said = claims.email === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      const email = said.email_verified === true && typeof said.email === 'string' ? said.email : null;
      const name = typeof said.name === 'string' ? said.name : null;
      return { identity: { issuer: claims.iss, subject: claims.sub }, email, name, returnTo: begun.returnTo };
    } catch (error) {
      if (isUnreachable(error)) throw new OpenIdUnavailable('The identity provider does not answer', { cause: error });
      return null;
    }
  }

  #opened(sealed: string | undefined): z.output<typeof waiting> | null {
    const text = sealed === undefined ? null : this.#sealed.open(sealed, sealedFor);
    const begun = text === null ? null : waiting.parse(JSON.parse(text));
    return begun && begun.expiresAtMs > this.#clock.now() ? begun : null;
  }

  /** False when it was spent before: a provider that is careless with its codes would let the same one in again. */
  #spend({ nonce, expiresAtMs }: z.output<typeof waiting>): boolean {
    for (const [old, overMs] of this.#spent) if (overMs <= this.#clock.now()) this.#spent.delete(old);
    if (this.#spent.has(nonce)) return false;
    this.#spent.set(nonce, expiresAtMs);
    return true;
  }

  /** Discovered once, and again after a failure: a provider that was down at the start must not require a restart. */
  #discovered(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const address = new URL(issuer);
    // Token signatures are always verified, also where TLS authenticates the provider.
    const execute = [client.enableNonRepudiationChecks, ...(isOnThisMachine(address) ? [client.allowInsecureRequests] : [])];
    this.#configuration ??= client.discovery(address, clientId, clientSecret, undefined, { execute }).catch((error) => {
      this.#configuration = null;
      throw new OpenIdUnavailable('The identity provider does not answer', { cause: error });
    });
    return this.#configuration;
  }
}

/** Plain http is for providers that no network lies between. */
const isOnThisMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.')));

const unreachable: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);
/** Error codes of `fetch` for connections that failed or broke. */
const networkErrors: ReadonlySet<string> = new Set(['fetch failed', 'terminated']);

/** Whether the provider could not be reached, as opposed to an error or an invalid answer. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TypeError && networkErrors.has(error.message)) return true;
  return ('code' in error && unreachable.has(error.code)) || isUnreachable(error.cause);
}

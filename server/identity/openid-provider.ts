/**
 * Sign-in by OpenID Connect: code flow with PKCE. The state of a sign-in (verifier, state, nonce, target page) is in a sealed cookie, so that
 * any gateway can finish a sign-in that another one started.
 */
import { isIP } from 'node:net';
import * as client from 'openid-client';
import { z } from 'zod';
import type { LinkedIdentity } from '../control/user-store.ts';
import type { Clock } from '../platform/clock.ts';
import { SealedTexts } from './sealed-text.ts';
import type { Secrets } from './secrets.ts';

export interface OpenIdSettings {
  /** Base URL of `.well-known/openid-configuration`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A sign-in that has started. */
export interface PendingSignIn {
  /** Authorisation URL of the provider. */
  url: string;
  /** Cookie for the browser that started the sign-in. */
  sealed: string;
}

/** User as verified by the provider. */
export interface VerifiedUser {
  identity: LinkedIdentity;
  /** Null when the provider has not verified the address. */
  email: string | null;
  name: string | null;
  returnTo: string;
}

/** The provider is unreachable. */
export class OpenIdUnavailable extends Error {}

const lifeMs = 10 * 60 * 1000;
/** Allowed clock difference. */
const leewaySeconds = 300;
const purpose = 'openid sign-in';

const signInState = z.object({ verifier: z.string(), state: z.string(), nonce: z.string(), returnTo: z.string(), expiresAtMs: z.number() });

export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #sealed: SealedTexts;
  readonly #clock: Clock;
  /** Used nonces, each with the expiry of its cookie. */
  readonly #usedNonces = new Map<string, number>();
  #configuration: Promise<client.Configuration> | null = null;

  constructor(settings: OpenIdSettings, secrets: Secrets, clock: Clock) {
    this.#settings = settings;
    this.#sealed = new SealedTexts(secrets, purpose);
    this.#clock = clock;
  }

  /**
   * @param callback redirect URL
   * @param returnTo page that the user wanted
   * @throws OpenIdUnavailable
   */
  async begin(callback: string, returnTo: string): Promise<PendingSignIn> {
    const configuration = await this.#discover();
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
    return { url: url.href, sealed: this.#sealed.seal(JSON.stringify({ verifier, state, nonce, returnTo, expiresAtMs }), purpose) };
  }

  /**
   * Null without a verified user: the browser did not start the sign-in, it took too long, it was finished before, the user declined, or the
   * response is invalid.
   * @param callbackUrl complete URL of the callback request
   * @throws OpenIdUnavailable
   */
  async finish(callbackUrl: string, sealed: string | undefined): Promise<VerifiedUser | null> {
    const pending = this.#open(sealed);
    if (!pending || !this.#consume(pending)) return null;
    const configuration = await this.#discover();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(callbackUrl), {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || claims.iat > this.#clock.now() / 1000 + leewaySeconds) return null;
      const userInfo = claims.email === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      const email = userInfo.email_verified === true && typeof userInfo.email === 'string' ? userInfo.email : null;
      const name = typeof userInfo.name === 'string' ? userInfo.name : null;
      return { identity: { issuer: claims.iss, subject: claims.sub }, email, name, returnTo: pending.returnTo };
    } catch (error) {
      if (isUnreachable(error)) throw new OpenIdUnavailable('The identity provider does not answer', { cause: error });
      return null;
    }
  }

  #open(sealed: string | undefined): z.output<typeof signInState> | null {
    const text = sealed === undefined ? null : this.#sealed.open(sealed, purpose);
    const pending = text === null ? null : signInState.parse(JSON.parse(text));
    return pending && pending.expiresAtMs > this.#clock.now() ? pending : null;
  }

  /** False when it was used before: a provider may accept the same code twice. */
  #consume({ nonce, expiresAtMs }: z.output<typeof signInState>): boolean {
    for (const [old, expiryMs] of this.#usedNonces) if (expiryMs <= this.#clock.now()) this.#usedNonces.delete(old);
    if (this.#usedNonces.has(nonce)) return false;
    this.#usedNonces.set(nonce, expiresAtMs);
    return true;
  }

  /** Discovers the provider once, and again after a failure, so that a provider that was down at the start does not require a restart. */
  #discover(): Promise<client.Configuration> {
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

/** Plain http is allowed only for providers on this machine. */
const isOnThisMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.')));

const unreachable: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);
/** Error codes of `fetch` for connections that failed or broke. */
const networkErrors: ReadonlySet<string> = new Set(['fetch failed', 'terminated']);

/** Whether the provider could not be reached, as opposed to an error or an invalid response. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TypeError && networkErrors.has(error.message)) return true;
  return ('code' in error && unreachable.has(error.code)) || isUnreachable(error.cause);
}

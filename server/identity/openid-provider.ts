/**
 * Signing in with an identity provider by OpenID Connect: the code flow with PKCE. What must be known when the browser comes back (the
 * verifier, the state, the nonce, where it wanted to go) waits in the browser itself, sealed, so any gateway can finish what another began.
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
  /** Where the provider asks the user. */
  url: string;
  /** For a cookie of the browser that begins; it serves in no other. */
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

/** The provider cannot be asked now. */
export class OpenIdUnavailable extends Error {}

const lifeMs = 10 * 60 * 1000;
const sealedFor = 'openid sign-in';

const waiting = z.object({ verifier: z.string(), state: z.string(), nonce: z.string(), returnTo: z.string(), expiresAtMs: z.number() });

export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #sealed: SealedTexts;
  readonly #clock: Clock;
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
   * Null when nobody is vouched for: the browser did not begin here, it took too long, the user said no, or the answer is not the provider's.
   * @param came the whole address that the browser came back to
   * @throws OpenIdUnavailable
   */
  async finish(came: string, sealed: string | undefined): Promise<Vouched | null> {
    const begun = this.#opened(sealed);
    if (!begun) return null;
    const configuration = await this.#discovered();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(came), {
        pkceCodeVerifier: begun.verifier,
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) return null;
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

  /** Asked once, and again after a failure: a provider that was down when the gateway started is no reason to start it anew. */
  #discovered(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const address = new URL(issuer);
    const execute = isOnThisMachine(address) ? [client.allowInsecureRequests] : [];
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

/** What never reached the provider, or its answer, as opposed to an answer that is no. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.cause instanceof Error && isUnreachable(error.cause));

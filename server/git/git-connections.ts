/**
 * Repository access of apps through connected accounts. Tokens are stored sealed and are sent only to the host that issued them; expired ones
 * are renewed, once for concurrent callers.
 */
import { z } from 'zod';
import type { Actor } from '../control/actor.ts';
import type { GitConnection, GitProvider, GitStore } from '../control/git-store.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import type { Clock } from '../platform/clock.ts';
import { jsonOf } from '../platform/json.ts';
import type { Scope } from '../platform/scope.ts';
import { type GitAccess, GitError, type GitHost, type GitTokens } from './git-host.ts';

/** Tokens are renewed this long before they expire, because requests take time. */
const earlyMs = 60_000;

const storedTokens = z.object({ access_token: z.string(), refresh_token: z.string().nullable(), expires_at: z.string().nullable() });

/** A git host with an app's access to it. */
export interface Connected {
  host: GitHost;
  access: GitAccess;
}

export class GitConnections {
  readonly #hosts: ReadonlyMap<GitProvider, GitHost>;
  readonly #store: GitStore;
  readonly #texts: SealedTexts;
  readonly #clock: Clock;
  readonly #renewing = new Map<string, Promise<GitTokens | null>>();

  constructor(hosts: readonly GitHost[], store: GitStore, texts: SealedTexts, clock: Clock) {
    this.#hosts = new Map(hosts.map((host) => [host.provider, host]));
    this.#store = store;
    this.#texts = texts;
    this.#clock = clock;
  }

  /** Null for a provider that is not configured. */
  host(provider: GitProvider): GitHost | null {
    return this.#hosts.get(provider) ?? null;
  }

  /** Exchanges an authorisation code. @throws GitError */
  async connect(by: Actor, scope: Scope, host: GitHost, code: string, requestedInstallation: number | null): Promise<void> {
    const tokens = await host.exchange(code);
    const installation_id = await host.installation(tokens.access_token, requestedInstallation);
    await this.#store.connect(by, scope, { provider: host.provider, installation_id, sealed_tokens: this.#seal(scope, tokens) });
  }

  /** Null without a usable connection. @throws GitError `unavailable` */
  async find(scope: Scope): Promise<Connected | null> {
    const connection = await this.#store.findConnection(scope);
    const host = connection && this.host(connection.provider);
    if (!host) return null;
    const tokens = await this.#tokens(scope, connection, host);
    return tokens && { host, access: { access_token: tokens.access_token, installation_id: connection.installation_id } };
  }

  async #tokens(scope: Scope, { sealed_tokens }: GitConnection, host: GitHost): Promise<GitTokens | null> {
    const stored = storedTokens.safeParse(jsonOf(this.#texts.open(sealed_tokens, ownerOf(scope)) ?? '')).data;
    if (!stored) return null;
    const { refresh_token, expires_at } = stored;
    if (expires_at === null || Date.parse(expires_at) - earlyMs > this.#clock.now()) return stored;
    if (refresh_token === null) return null;
    // A refresh token works once, so concurrent callers share one renewal.
    const running = this.#renewing.get(sealed_tokens) ?? this.#renew(scope, sealed_tokens, refresh_token, host);
    this.#renewing.set(sealed_tokens, running);
    const done = () => this.#renewing.delete(sealed_tokens);
    running.then(done, done);
    return running;
  }

  async #renew(scope: Scope, from: string, refreshToken: string, host: GitHost): Promise<GitTokens | null> {
    try {
      const tokens = await host.renew(refreshToken);
      await this.#store.renew(scope, from, this.#seal(scope, tokens));
      return tokens;
    } catch (error) {
      if (error instanceof GitError && error.errorKind === 'unauthorized') return null;
      throw error;
    }
  }

  #seal(scope: Scope, tokens: GitTokens): string {
    return this.#texts.seal(JSON.stringify(tokens), ownerOf(scope));
  }
}

const ownerOf = ({ tenant_id, app_id }: Scope): string => `git connection of ${tenant_id}/${app_id}`;

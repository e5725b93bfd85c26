/**
 * Repository access of apps through connected accounts. Tokens are stored sealed and are sent only to the host that issued them; expired ones
 * are renewed, once for concurrent callers, also those of other gateways.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Actor } from '../control/actor.ts';
import type { GitConnection, GitProvider, GitStore } from '../control/git-store.ts';
import type { SealedTexts } from '../identity/sealed-text.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Clock } from '../platform/clock.ts';
import { jsonOf } from '../platform/json.ts';
import type { Scope } from '../platform/scope.ts';
import { type GitAccess, GitError, type GitHost, type GitTokens } from './git-host.ts';

/** Tokens are renewed this long before they expire, because requests take time. */
const earlyMs = 60_000;
/** Longer than a lease, so that the renewal of a gateway that has gone is done by another one. */
const renewal = { attempts: 150, ms: 100 };

/** During a change of the secret tokens are sealed again once by each gateway that has another one. */
const keepAttempts = 10;

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
  readonly #leases: Leases;

  constructor(hosts: readonly GitHost[], store: GitStore, texts: SealedTexts, leases: Leases, clock: Clock) {
    this.#hosts = new Map(hosts.map((host) => [host.provider, host]));
    this.#store = store;
    this.#texts = texts;
    this.#leases = leases;
    this.#clock = clock;
  }

  /** Those that are configured. */
  get providers(): GitProvider[] {
    return [...this.#hosts.keys()];
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
    // A refresh token works once, so callers wait for the renewal of another one.
    for (let attempt = 1; attempt <= renewal.attempts; attempt++) {
      const found = await this.#find(scope);
      if (found !== 'renewing') return found;
      await sleep(renewal.ms);
    }
    throw new GitError('unavailable', 'The access to the repository is being renewed');
  }

  async #find(scope: Scope): Promise<Connected | null | 'renewing'> {
    const connection = await this.#store.findConnection(scope);
    const host = connection && this.host(connection.provider);
    if (!host) return null;
    const tokens = await this.#tokens(scope, connection, host);
    return tokens === 'renewing'
      ? tokens
      : tokens && { host, access: { access_token: tokens.access_token, installation_id: connection.installation_id } };
  }

  async #tokens(scope: Scope, { sealed_tokens }: GitConnection, host: GitHost): Promise<GitTokens | null | 'renewing'> {
    const stored = storedTokens.safeParse(jsonOf(this.#open(scope, sealed_tokens) ?? '')).data;
    if (!stored) return null;
    const { refresh_token, expires_at } = stored;
    if (expires_at === null || Date.parse(expires_at) - earlyMs > this.#clock.now()) return stored;
    if (refresh_token === null) return null;
    const lease = await this.#leases.claim(`git tokens/${scope.app_id}`);
    if (!lease) return 'renewing';
    try {
      const isCurrent = (await this.#store.findConnection(scope))?.sealed_tokens === sealed_tokens;
      return isCurrent ? await this.#renew(scope, sealed_tokens, refresh_token, host) : 'renewing';
    } finally {
      await this.#leases.release(lease.claim);
    }
  }

  async #renew(scope: Scope, from: string, refreshToken: string, host: GitHost): Promise<GitTokens | null> {
    try {
      const tokens = await host.renew(refreshToken);
      await this.#keep(scope, from, tokens);
      return tokens;
    } catch (error) {
      if (error instanceof GitError && error.errorKind === 'unauthorized') return null;
      throw error;
    }
  }

  /** Stores renewed tokens also when those before were sealed again meanwhile: the host has forgotten these. */
  async #keep(scope: Scope, from: string, tokens: GitTokens): Promise<void> {
    const renewed = this.#open(scope, from);
    for (let attempt = 1, sealed = from; attempt <= keepAttempts; attempt++) {
      if (await this.#store.renew(scope, sealed, this.#seal(scope, tokens))) return;
      const connection = await this.#store.findConnection(scope);
      // Somebody else has connected the app.
      if (!connection || this.#open(scope, connection.sealed_tokens) !== renewed) return;
      sealed = connection.sealed_tokens;
    }
    throw new GitError('unavailable', 'The renewed access to the repository could not be stored');
  }

  #open(scope: Scope, sealed: string): string | null {
    return this.#texts.open(sealed, gitTokensOwner(scope));
  }

  #seal(scope: Scope, tokens: GitTokens): string {
    return this.#texts.seal(JSON.stringify(tokens), gitTokensOwner(scope));
  }
}

/** What tokens are sealed for. */
export const gitTokensPurpose = 'git tokens';
export const gitTokensOwner = ({ tenant_id, app_id }: Scope): string => `git connection of ${tenant_id}/${app_id}`;

import type { IncomingMessage } from 'node:http';
import type { Environment, EnvironmentStore } from '../control/environment-store.ts';
import type { EnvironmentStamp } from '../platform/environment-stamp.ts';
import type { Principal } from './authenticator.ts';
import { headerOf } from './header-names.ts';

/**
 * Says which environment a write belongs to. Where there are keys, the key decides and what the sender claims counts for nothing; on one's
 * own machine there is nobody to deceive.
 */
export interface EnvironmentStamps {
  /** Null: what the writes themselves say is right. */
  of(principal: Principal, request: IncomingMessage): Promise<EnvironmentStamp | null>;
}

/** Writes say where they come from. */
export const asSent: EnvironmentStamps = { of: async () => null };

const digits = /^\d{1,9}$/;

/** From the credential (docs/reference/access.md#environment-of-a-write). A target that it does not allow is none: the write is kept. */
export class KeyedStamps implements EnvironmentStamps {
  readonly #environments: EnvironmentStore;

  constructor(environments: EnvironmentStore) {
    this.#environments = environments;
  }

  async of(principal: Principal, request: IncomingMessage): Promise<EnvironmentStamp> {
    const environment = await this.#environmentOf(principal, request);
    return { name: environment?.name ?? '', version: environment?.current_version ?? null };
  }

  async #environmentOf({ scope, key }: Principal, request: IncomingMessage): Promise<Environment | null> {
    if (!key) return (await this.#named(scope, request)) ?? this.#environments.findDefault(scope);
    if (key.environment_id !== null) return this.#environments.find(scope, key.environment_id);
    const ofPullRequest = await this.#ofPullRequest(scope, request);
    const named = ofPullRequest === undefined ? await this.#named(scope, request) : ofPullRequest;
    return named && key.environment_kinds?.includes(named.kind) ? named : null;
  }

  /** Undefined when no pull request is named; one that has no preview is no environment. */
  async #ofPullRequest(scope: Principal['scope'], request: IncomingMessage): Promise<Environment | null | undefined> {
    const sent = headerOf(request, 'prNumber');
    if (sent === undefined) return undefined;
    return sent !== null && digits.test(sent) ? this.#environments.findPreview(scope, Number(sent)) : null;
  }

  async #named(scope: Principal['scope'], request: IncomingMessage): Promise<Environment | null> {
    const name = headerOf(request, 'environment');
    return name ? this.#environments.findNamed(scope, name) : null;
  }
}

import type { IncomingMessage } from 'node:http';
import type { Environment, EnvironmentStore } from '../control/environment-store.ts';
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import type { Principal } from './authenticator.ts';
import { headerOf } from './header-names.ts';

/**
 * Decides to which environment a write is attributed: in the cloud by its API key, whatever the data says; on a local gateway by the data.
 */
export interface EnvironmentResolver {
  /** Null: the environment named in the data itself applies. */
  of(principal: Principal, request: IncomingMessage): Promise<EnvironmentAttribution | null>;
}

/** Local gateways: the environment named in the data. */
export const asSent: EnvironmentResolver = { of: async () => null };

const digits = /^\d{1,9}$/;

/** From the credential (docs/reference/access.md#environment-of-a-write). An environment that the key does not allow is ignored; the write is stored without one. */
export class KeyEnvironmentResolver implements EnvironmentResolver {
  readonly #environments: EnvironmentStore;

  constructor(environments: EnvironmentStore) {
    this.#environments = environments;
  }

  async of(principal: Principal, request: IncomingMessage): Promise<EnvironmentAttribution> {
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

  /** Undefined when no pull request is named; null when it has no preview environment. */
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

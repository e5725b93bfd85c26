/** Reads the key of the destination from the environment, for gateways that are set up by programs. Another store has all other secrets. */
import { destinationKeyOf, type SecretStore, SecretStoreError } from './secret-store.ts';

const variable = 'GLASSHOUSE_FORWARD_KEY';
/** Name of the destination from the environment. Its key must never go to another one. */
export const environmentName = 'env';

export class EnvironmentSecrets implements SecretStore {
  readonly #otherStore: SecretStore;
  readonly #key: string | null;

  constructor(otherStore: SecretStore, environment: NodeJS.ProcessEnv = process.env) {
    this.#otherStore = otherStore;
    this.#key = environment[variable]?.trim() || null;
  }

  get isDurable(): boolean {
    return this.#otherStore.isDurable;
  }

  async read(name: string): Promise<string | null> {
    return this.#isEnvironmentKey(name) ? this.#key : this.#otherStore.read(name);
  }

  async write(name: string, secret: string): Promise<void> {
    if (this.#isEnvironmentKey(name))
      throw new SecretStoreError(`The key comes from ${variable}. Change it there, or unset it to store one here`);
    return this.#otherStore.write(name, secret);
  }

  /** The environment variable stays until the gateway starts without it. */
  remove(name: string): Promise<void> {
    return this.#otherStore.remove(name);
  }

  #isEnvironmentKey(name: string): boolean {
    return this.#key !== null && name === destinationKeyOf(environmentName);
  }
}

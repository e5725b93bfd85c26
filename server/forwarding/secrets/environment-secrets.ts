/** The key of the one destination that the environment names, for gateways that are set up by programs; everything else is kept beneath. */
import { destinationKeyOf, type SecretStore, SecretStoreError } from './secret-store.ts';

const variable = 'GLASSHOUSE_FORWARD_KEY';
/** Name of the destination from the environment. Its key must never go to another one. */
export const environmentName = 'env';

export class EnvironmentSecrets implements SecretStore {
  readonly #beneath: SecretStore;
  readonly #key: string | null;

  constructor(beneath: SecretStore, environment: NodeJS.ProcessEnv = process.env) {
    this.#beneath = beneath;
    this.#key = environment[variable]?.trim() || null;
  }

  get isDurable(): boolean {
    return this.#beneath.isDurable;
  }

  async read(name: string): Promise<string | null> {
    return this.#isOurs(name) ? this.#key : this.#beneath.read(name);
  }

  async write(name: string, secret: string): Promise<void> {
    if (this.#isOurs(name)) throw new SecretStoreError(`The key comes from ${variable}. Change it there, or unset it to store one here`);
    return this.#beneath.write(name, secret);
  }

  /** The environment variable stays until the gateway starts without it. */
  remove(name: string): Promise<void> {
    return this.#beneath.remove(name);
  }

  #isOurs(name: string): boolean {
    return this.#key !== null && name === destinationKeyOf(environmentName);
  }
}

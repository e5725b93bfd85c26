/** The key of the redaction tokens. Each installation has one, created when it is first needed. */
import { randomBytes } from 'node:crypto';
import type { SecretStore } from './secrets/secret-store.ts';

const name = 'valve-token-key';
const keyBytes = 32;

export class TokenKey {
  readonly #secrets: Pick<SecretStore, 'read' | 'write'>;
  #key: Promise<Uint8Array> | null = null;

  constructor(secrets: Pick<SecretStore, 'read' | 'write'>) {
    this.#secrets = secrets;
  }

  /** @throws SecretStoreError when it can be neither read nor stored: with a key that is lost later, a value would have two tokens */
  get(): Promise<Uint8Array> {
    // Concurrent callers share one result.
    this.#key ??= this.#readOrCreate().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  async #readOrCreate(): Promise<Uint8Array> {
    const stored = Buffer.from((await this.#secrets.read(name)) ?? '', 'base64');
    if (stored.length === keyBytes) return stored;
    const created = randomBytes(keyBytes);
    await this.#secrets.write(name, created.toString('base64'));
    return created;
  }
}

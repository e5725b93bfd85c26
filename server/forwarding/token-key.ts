/** The key that tokens are made with. One for the installation, made when it is first needed. */
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

  /** @throws SecretStoreError when it can be neither read nor kept: with a key that is lost tomorrow one value would have two tokens */
  get(): Promise<Uint8Array> {
    // Concurrent callers share one result.
    this.#key ??= this.#readOrMake().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  async #readOrMake(): Promise<Uint8Array> {
    const kept = Buffer.from((await this.#secrets.read(name)) ?? '', 'base64');
    if (kept.length === keyBytes) return kept;
    const made = randomBytes(keyBytes);
    await this.#secrets.write(name, made.toString('base64'));
    return made;
  }
}

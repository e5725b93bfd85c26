/**
 * Secrets in a file encrypted by the system's keychain. Without a keychain they are in memory only: a file with weak encryption would be
 * worse than none.
 */
import { z } from 'zod';
import { type SecretStore, SecretStoreError } from '../../server/entry/local.ts';
import { DurableFile } from './durable-file.ts';

/** Encryption by the system. Used only once the app is ready. */
export interface Cipher {
  /** Whether the encryption protects a copied file. */
  isSafe(): Promise<boolean>;
  seal(text: string): Promise<Buffer>;
  open(sealed: Buffer): Promise<string>;
}

const fields = { sealed: z.record(z.string(), z.base64()).default({}) };

export class SealedSecrets implements SecretStore {
  readonly #cipher: Cipher;
  readonly #file: DurableFile<typeof fields>;
  readonly #isSafe: Promise<boolean>;
  readonly #inMemory = new Map<string, string>();
  #isDurable = true;
  /** Path of an unreadable file that was set aside, until the next write: its secrets are missing, not absent. */
  #lost: string | null;

  /** @param ready resolves when the keychain is available */
  constructor(path: string, ready: Promise<unknown>, cipher: Cipher) {
    this.#cipher = cipher;
    this.#file = new DurableFile(path, { fields });
    this.#lost = this.#file.setAside;
    this.#isSafe = ready.then(() => cipher.isSafe()).catch(() => false);
    void this.#isSafe.then((isSafe) => {
      this.#isDurable = isSafe;
    });
  }

  get isDurable(): boolean {
    return this.#isDurable;
  }

  async read(name: string): Promise<string | null> {
    if (!(await this.#isSafe)) return this.#inMemory.get(name) ?? null;
    const { sealed } = this.#file.values;
    const found = Object.hasOwn(sealed, name) ? sealed[name] : undefined;
    if (found !== undefined) return orStoreError('cannot decrypt the stored secret', () => this.#cipher.open(Buffer.from(found, 'base64')));
    if (this.#lost === null) return null;
    throw new SecretStoreError(`The stored secrets are damaged and were set aside as ${this.#lost}. Enter the key again`);
  }

  async write(name: string, secret: string): Promise<void> {
    if (!(await this.#isSafe)) {
      this.#inMemory.set(name, secret);
      return;
    }
    const sealed = await orStoreError('does not accept the secret', () => this.#cipher.seal(secret));
    await orStoreError('encrypted the secret, but the file cannot be written', () => this.#store({ [name]: sealed.toString('base64') }));
  }

  async remove(name: string): Promise<void> {
    this.#inMemory.delete(name);
    const { [name]: removed, ...rest } = this.#file.values.sealed;
    if (removed !== undefined) await orStoreError('cannot remove the secret', async () => this.#file.change({ sealed: rest }));
  }

  async #store(entry: Record<string, string>): Promise<void> {
    this.#file.change({ sealed: { ...this.#file.values.sealed, ...entry } });
    this.#lost = null;
  }
}

async function orStoreError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw new SecretStoreError(`The keychain of this system ${what}. Enter the key again, or check whether the keychain is locked`);
  }
}

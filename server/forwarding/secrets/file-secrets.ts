/**
 * Secrets in a file that only its owner can read, for machines without a keychain, such as servers. An unreadable file is never overwritten:
 * its user has to decide.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOf } from '../../platform/json.ts';
import type { Log } from '../../platform/log.ts';
import { ownerOnly, replaceFile } from '../../platform/replace-file.ts';
import { type SecretStore, SecretStoreError } from './secret-store.ts';

const groupAndOthers = 0o077;
const bytesMax = 1024 * 1024;
const document = z.strictObject({ version: z.literal(1), secrets: z.record(z.string(), z.string()) });

type Secrets = z.output<typeof document>['secrets'];

export class FileSecrets implements SecretStore {
  readonly isDurable = true;
  readonly #path: string;
  readonly #log: Log;
  /** Changes run one at a time: each starts from the file of the previous one. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  async read(name: string): Promise<string | null> {
    const secrets = await this.#all();
    return Object.hasOwn(secrets, name) ? (secrets[name] ?? null) : null;
  }

  write(name: string, secret: string): Promise<void> {
    return this.#change((secrets) => ({ ...secrets, [name]: secret }));
  }

  remove(name: string): Promise<void> {
    return this.#change(({ [name]: _, ...rest }) => rest);
  }

  #change(edit: (secrets: Secrets) => Secrets): Promise<void> {
    const result = this.#lastChange.then(async () => {
      const text = JSON.stringify({ version: 1, secrets: edit(await this.#all()) }, null, 2);
      await this.#orStoreError(() => replaceFile(this.#path, `${text}\n`));
    });
    this.#lastChange = result.catch(() => {
      // The caller handles the error; the next change is independent.
    });
    return result;
  }

  async #all(): Promise<Secrets> {
    const text = await this.#orStoreError(() => this.#text());
    if (text === null) return {};
    const parsed = document.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data.secrets;
    throw new SecretStoreError(`${this.#path} is damaged, or of a newer version. Repair it, or move it away and enter the keys again`);
  }

  async #text(): Promise<string | null> {
    // A symbolic link could lead to another user's file.
    const file = await open(this.#path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!file) return null;
    try {
      await this.#restrict(file);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }

  /** Restricts the file to its owner before use, and warns the owner that others may have read it. */
  async #restrict(file: FileHandle): Promise<void> {
    const { mode, uid, size } = await file.stat();
    if (size > bytesMax) throw new SecretStoreError(`${this.#path} is too large to be a file of keys`);
    // Windows has no such modes; other users cannot read the user's folder there.
    if (process.platform === 'win32') return;
    if (uid !== process.getuid?.()) throw new SecretStoreError(`${this.#path} belongs to another user, who can read and change it`);
    if ((mode & groupAndOthers) === 0) return;
    await file.chmod(ownerOnly);
    const oldMode = (mode & 0o777).toString(8);
    this.#log.error('secrets_file_closed_to_others', {
      file: this.#path,
      mode: oldMode,
      advice: 'make new keys if others use this machine',
    });
  }

  async #orStoreError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SecretStoreError) throw error;
      throw new SecretStoreError(`${this.#path} cannot be used: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
    }
  }
}

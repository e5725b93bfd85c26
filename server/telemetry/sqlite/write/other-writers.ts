import type { OpenDatabase } from '../file/open.ts';

/**
 * Caches of a writer are valid only without other writers. The lock of the data folder ensures that. Where it cannot (a file that was replaced,
 * a network drive without locks), this detects commits of other connections.
 */
export class OtherWriters {
  readonly #dataVersion;
  #lastVersion: number | undefined;

  constructor(db: OpenDatabase) {
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** Whether another connection may have committed since the last call. Call it inside the transaction, so that no commit can come in between. */
  haveCommitted(): boolean {
    const version = this.#dataVersion.get();
    const isOther = version !== this.#lastVersion;
    this.#lastVersion = version;
    return isOther;
  }
}

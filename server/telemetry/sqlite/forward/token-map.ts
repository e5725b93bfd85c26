/** Persists the token map, on the writer's connection. */
import type { Token } from '../../../redaction/tokens.ts';
import type { OpenDatabase } from '../open.ts';
import { stored } from '../stored-names.ts';

export class TokenMap {
  readonly #db: OpenDatabase;
  readonly #now: () => number;

  constructor(db: OpenDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Durably, all or none. One that is kept already stays as it was. */
  keep(scope: number, tokens: readonly Token[]): void {
    const add = this.#db.prepare(
      `INSERT OR IGNORE INTO ${stored.redactionTokens} (scope, token, kind, value, first_ms) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#db
      .transaction(() => {
        for (const { token, kind, value } of tokens) add.run(scope, token, kind, value, this.#now());
      })
      .immediate();
  }
}

/**
 * Deletes rows for one writer, and none from the moment at which a later writer of its tenants has begun: a gateway that was suspended, or whose lease
 * ended while it removed something, must not remove what the later one stores.
 *
 * A writer notes its epoch in the database before it reads or writes anything. Each deletion carries a condition on the highest noted epoch, which
 * the database evaluates when it executes the deletion. What an earlier writer has begun to delete is over before a later one begins.
 */
import type { ClickHouseClient } from '@clickhouse/client';
import { StorageError } from '../../storage-error.ts';

/** A deletion is answered when it is done, however long it takes. */
export const deleteSettings = { lightweight_deletes_sync: '2', mutations_sync: '2', max_execution_time: 0 } as const;

const newest = 'SELECT max(ver) FROM setting WHERE name = {writer:String}';
const running = `SELECT count() AS found FROM system.mutations
  WHERE database = currentDatabase() AND NOT is_done AND position(command, {writer:String}) > 0`;

export class FencedDeletes {
  readonly #client: ClickHouseClient;
  /** Name of the setting. No other one begins with it, so that it is found in texts of deletions. */
  readonly #writer: string;
  readonly #epoch: number;

  /** @param part of the tenants of the writer; null for all */
  constructor(client: ClickHouseClient, epoch: number, part: number | null) {
    this.#client = client;
    this.#writer = `writer/${part ?? 'all'}/`;
    this.#epoch = epoch;
  }

  /**
   * From now on no earlier writer deletes anything.
   * @throws StorageError when a later writer has begun, or a deletion of an earlier one is still running
   */
  async begin(): Promise<void> {
    const values = [{ name: this.#writer, value: '', ver: String(this.#epoch) }];
    await this.#client.insert({ table: 'setting', values, format: 'JSONEachRow' });
    await this.check();
    if ((await this.#number(running)) > 0) throw new StorageError('busy', 'What another gateway deletes is not finished yet');
  }

  /** @throws StorageError when a later writer has begun */
  async check(): Promise<void> {
    if ((await this.#number(`SELECT (${newest}) AS found`)) > this.#epoch)
      throw new StorageError('stopping', 'Another gateway writes for these tenants now');
  }

  /** Resolves when the rows are gone, or when a later writer has begun. */
  async delete(table: string, condition: string, params: Record<string, unknown>): Promise<void> {
    await this.#client.command({
      query: `DELETE FROM ${table} WHERE ${condition} AND (${newest}) <= {epoch:UInt64}`,
      query_params: { ...params, writer: this.#writer, epoch: this.#epoch },
      clickhouse_settings: deleteSettings,
    });
  }

  async #number(query: string): Promise<number> {
    const result = await this.#client.query({ query, query_params: { writer: this.#writer }, format: 'JSONEachRow' });
    return Number((await result.json<{ found: string | number }>())[0]?.found ?? 0);
  }
}

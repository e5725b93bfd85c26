/** Deletes rows for one writer, and none once a later writer of its tenants has begun. */
import type { ClickHouseClient } from '@clickhouse/client';
import { StorageError } from '../../storage-error.ts';
import { type Fence, newestEpoch, overtaken, runningInserts } from './fence.ts';

/** A deletion is answered when it is done, however long it takes. */
export const deleteSettings = { lightweight_deletes_sync: '2', mutations_sync: '2', max_execution_time: 0 } as const;

const runningDeletes = `SELECT count() FROM system.mutations
  WHERE database = currentDatabase() AND NOT is_done AND position(command, {writer:String}) > 0`;
const running = `SELECT (${runningDeletes}) + (${runningInserts}) AS found`;

export class FencedDeletes {
  readonly #client: ClickHouseClient;
  readonly #fence: Fence;

  constructor(client: ClickHouseClient, fence: Fence) {
    this.#client = client;
    this.#fence = fence;
  }

  /**
   * From now on no earlier writer changes anything.
   * @throws StorageError when a later writer has begun, or a change of an earlier one is still running
   */
  async begin(): Promise<void> {
    const values = [{ name: this.#fence.writer, value: '', ver: String(this.#fence.epoch) }];
    await this.#client.insert({ table: 'setting', values, format: 'JSONEachRow' });
    await this.check();
    if ((await this.#number(running)) > 0) throw new StorageError('busy', 'What another gateway writes or deletes is not finished yet');
  }

  /** @throws StorageError when a later writer has begun */
  async check(): Promise<void> {
    if ((await this.#number(`SELECT (${newestEpoch}) AS found`)) > this.#fence.epoch) throw overtaken();
  }

  /** Resolves when the rows are gone, or when a later writer has begun. */
  async delete(table: string, condition: string, params: Record<string, unknown>): Promise<void> {
    await this.#client.command({
      query: `DELETE FROM ${table} WHERE ${condition} AND (${newestEpoch}) <= {epoch:UInt64}`,
      query_params: { ...params, ...this.#fence },
      clickhouse_settings: deleteSettings,
    });
  }

  async #number(query: string): Promise<number> {
    const result = await this.#client.query({ query, query_params: { ...this.#fence }, format: 'JSONEachRow' });
    return Number((await result.json<{ found: string | number }>())[0]?.found ?? 0);
  }
}

/** Rewrites the parts of tables that hold deleted rows: a deletion only marks them. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { Scope } from '../../../platform/scope.ts';
import { ofApp } from '../read/read-context.ts';
import { appTables } from './app-tables.ts';
import { deleteSettings } from './fenced-deletes.ts';

const isMarked = '_row_exists = 0';

export class ByteErasure {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** Erases what was deleted before, of all apps. */
  async erase(): Promise<void> {
    const marked = await this.#rows<{ table: string }>(
      'SELECT DISTINCT table FROM system.parts WHERE database = currentDatabase() AND active AND has_lightweight_delete',
    );
    for (const { table } of marked) {
      if (!appTables.includes(table)) continue;
      await this.#client.command({ query: `ALTER TABLE ${table} APPLY DELETED MASK`, clickhouse_settings: deleteSettings });
    }
  }

  /** Whether a part that is read holds deleted rows of an app. */
  async areLeft({ tenant_id, app_id }: Scope): Promise<boolean> {
    const counts = appTables.map((table) => `SELECT count() AS rows FROM ${table} WHERE ${ofApp} AND ${isMarked}`);
    const rows = await this.#rows<{ rows: number }>(
      `SELECT sum(rows) AS rows FROM (${counts.join(' UNION ALL ')}) SETTINGS apply_deleted_mask = 0`,
      { tenant_id, app_id },
    );
    return (rows[0]?.rows ?? 0) > 0;
  }

  async #rows<Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
    const result = await this.#client.query({ query, query_params, format: 'JSONEachRow' });
    return result.json<Row>();
  }
}

/** How far the telemetry of a cluster is filled, as it is stored there. It is read before anything over there is changed. */
import { StartRefusal } from '../../platform/start-refusal.ts';
import { connectClickHouse } from '../../telemetry/clickhouse/connect.ts';
import { storageFailure } from '../../telemetry/clickhouse/storage-failure.ts';
import type { Position } from './telemetry-source.ts';

export interface Progress {
  /** Name of the store that it is filled from. */
  installation: string;
  copied: Position;
  /** Everything up to here was compared; null when nothing was. */
  compared: Position | null;
  /** Version of the last text that was compared. */
  textsFrom: string;
}

/** Of its row in `setting`. */
export const progressName = 'migrated_from';

const tablesWithData = [
  'record',
  'log',
  'text',
  'span',
  'trace',
  'place',
  'score',
  'deletion',
  'runaway',
  'runaway_threshold',
  'erased_app',
];

/**
 * What an earlier run left; null when the database is empty, with or without tables. Only reads.
 * @param url of ClickHouse
 * @throws StartRefusal when it has anything else
 * @throws StorageError
 */
export async function readProgress(url: string, installation: string): Promise<Progress | null> {
  const client = connectClickHouse({ url, connections: 1 });
  const rows = async <Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> =>
    (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  try {
    const existing = await rows<{ name: string }>('SELECT name FROM system.tables WHERE database = currentDatabase()');
    const names = new Set(existing.map(({ name }) => name));
    const [stored] = names.has('setting')
      ? await rows<{ value: string }>('SELECT value FROM setting FINAL WHERE name = {name:String}', { name: progressName })
      : [];
    const progress = stored ? (JSON.parse(stored.value) as Progress) : null;
    if (progress?.installation === installation) return progress;
    const counts = tablesWithData.filter((table) => names.has(table)).map((table) => `SELECT count() AS rows FROM ${table}`);
    const [found] =
      counts.length === 0 ? [] : await rows<{ rows: number }>(`SELECT sum(rows) AS rows FROM (${counts.join(' UNION ALL ')})`);
    const from = progress ? 'from another gateway' : 'that was not moved there by this command';
    if (progress || Number(found?.rows ?? 0) > 0)
      throw new StartRefusal(`The database of GLASSHOUSE_CLICKHOUSE_URL has telemetry ${from}: name an empty one`);
    return null;
  } catch (error) {
    throw storageFailure(error) ?? error;
  } finally {
    await client.close();
  }
}

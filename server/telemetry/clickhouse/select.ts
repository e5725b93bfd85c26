/** Queries that only read, and that the database ends when nobody waits for them any more. */
import type { ClickHouseClient, ClickHouseSettings, QueryParams, ResultSet } from '@clickhouse/client';

/** The database watches the connection of a query only when the query may not write. */
const readOnly: ClickHouseSettings = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 };

/**
 * The result of a query. When the signal aborts it rejects with an error of the client, and the database ends the query.
 * @param decode reads all of the result
 */
export async function select<Format extends 'JSON' | 'JSONEachRow', T>(
  client: ClickHouseClient,
  query: QueryParams & { format: Format },
  signal: AbortSignal | undefined,
  decode: (result: ResultSet<Format>) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const settings = { ...readOnly, ...query.clickhouse_settings };
  const result = await client.query({ ...query, clickhouse_settings: settings, ...(signal && { abort_signal: signal }) });
  // Once the result has begun, the client leaves the signal to its reader.
  const close = () => result.close();
  if (signal?.aborted) close();
  signal?.addEventListener('abort', close);
  try {
    return await decode(result);
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

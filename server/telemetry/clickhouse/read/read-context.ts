/** What the reads of the ClickHouse store have in common. */
import type { ClickHouseClient, QueryParams, ResultSet } from '@clickhouse/client';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RemoteReads } from '../../sqlite/read/read-calls.ts';
import type { ReaderPool } from '../../sqlite/read/reader-pool.ts';
import { select } from '../select.ts';
import { storageFailure } from '../storage-failure.ts';
import { ErasedApps } from '../write/erased-apps.ts';
import { QueryPool } from './query-pool.ts';
import { bound, type Sql } from './sql.ts';
import type { StoreCursors } from './store-cursors.ts';

/** Condition that a row belongs to the app of a query; its parameters are those of `inApp`. */
export const ofApp = 'tenant_id = {tenant_id:String} AND app_id = {app_id:String}';

/** Ids of traces in any spelling, each once, as they are stored. */
export const readIds = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => readId(id, 16)).filter((id) => id !== null))];

export class ReadContext {
  readonly cursors: StoreCursors;
  readonly erased: ErasedApps;
  readonly #client: ClickHouseClient;
  readonly #queries: QueryPool;
  readonly #copies: ReaderPool | null;

  /** @param copies reads copies of traces; null where none is read */
  constructor(client: ClickHouseClient, cursors: StoreCursors, queries = new QueryPool(), copies: ReaderPool | null = null) {
    this.#client = client;
    this.#queries = queries;
    this.#copies = copies;
    this.cursors = cursors;
    this.erased = new ErasedApps(client);
  }

  /**
   * Rows of a query, whose values are parameters: `{name:Type}`.
   * @throws StorageError
   */
  rows<Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
    return this.#select({ query, query_params, format: 'JSONEachRow' }, (result) => result.json<Row>());
  }

  /** Rows of a query about one app, with its ids as parameters. */
  inApp<Row>(scope: Scope, query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> {
    const { tenant_id, app_id } = this.erased.readable(scope);
    return this.rows(query, { tenant_id, app_id, ...query_params });
  }

  /** Rows of a query about one app. Its condition on rows is `ofApp`. */
  find<Row>(scope: Scope, query: Sql): Promise<Row[]> {
    const { query: text, parameters } = bound(query);
    return this.inApp(scope, text, parameters);
  }

  /** The same with the number of rows before LIMIT and OFFSET, of the same moment. */
  async page<Row>(scope: Scope, query: Sql): Promise<{ rows: Row[]; total: number }> {
    const { tenant_id, app_id } = this.erased.readable(scope);
    const { query: text, parameters } = bound(query);
    return this.#select(
      {
        query: text,
        query_params: { tenant_id, app_id, ...parameters },
        format: 'JSON',
        clickhouse_settings: { exact_rows_before_limit: 1 },
      },
      async (result) => {
        const { data, rows_before_limit_at_least: total } = await result.json<Row>();
        return { rows: data, total: total ?? data.length };
      },
    );
  }

  /**
   * The reads of the SQLite store over a copy of some traces, so that they answer the same in both stores. Traces that are not stored are
   * unknown in the copy too. Log records of other traces of their conversations may make further traces appear in lists of the copy.
   * @param traceIds in any spelling
   */
  over(scope: Scope, traceIds: readonly string[], { scores }: { scores: boolean } = { scores: false }): RemoteReads {
    const { app_id } = this.erased.readable(scope);
    const trace_ids = app_id === scope.app_id ? readIds(traceIds) : [];
    return must(this.#copies, 'copies are read by threads').readsOver({ trace_ids, scores });
  }

  /** Refuses later reads, cancels queries, and ends its threads. */
  async stop(): Promise<void> {
    this.#queries.stop();
    await this.#copies?.stop();
  }

  /** The tenant of a query is its parameter of that name. */
  #select<Format extends 'JSON' | 'JSONEachRow', T>(
    query: QueryParams & { query_params: Record<string, unknown>; format: Format },
    decode: (result: ResultSet<Format>) => Promise<T>,
  ): Promise<T> {
    const tenant = query.query_params['tenant_id'];
    return this.#queries.run(typeof tenant === 'string' ? tenant : null, async ({ signal, leftMs }) => {
      const limit = leftMs === null ? {} : { max_execution_time: leftMs / 1000 };
      try {
        return await select(this.#client, { ...query, clickhouse_settings: { ...query.clickhouse_settings, ...limit } }, signal, decode);
      } catch (error) {
        throw storageFailure(error) ?? error;
      }
    });
  }
}

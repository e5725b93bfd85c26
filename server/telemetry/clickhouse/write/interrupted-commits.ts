/**
 * Takes back what interrupted commits have stored. A commit inserts into several tables, so a gateway that is killed, or a database that fails, may leave
 * some of its rows. Its last insert holds its number for each tenant (usage-rows.ts): rows of later commits were never acknowledged, so they are removed
 * before anything else is written for the tenant. What was sent is deleted, and comes again if its sender repeats it. Rows derived from it may have
 * replaced earlier ones, so those traces are derived again from what is left.
 */
import type { ClickHouseClient } from '@clickhouse/client';
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import type { Scope } from '../../../platform/scope.ts';
import { DeferredText } from '../../sqlite/read/unread-text.ts';
import { StorageError } from '../../storage-error.ts';
import { ExportedRows } from '../loaded/exported-rows.ts';
import { LoadedTraces } from '../loaded/loaded-traces.ts';
import { type AppChanges, noChanges } from '../loaded/sent-items.ts';
import { partsOf } from '../parameter-lists.ts';
import { ofApp } from '../read/read-context.ts';
import type { StoredTraceReader } from '../stored-traces.ts';
import { appKey } from './app-key.ts';
import type { FencedDeletes } from './fenced-deletes.ts';
import type { Inserts } from './inserts.ts';
import { commitRow, lastCommit } from './usage-rows.ts';
import type { Commits } from './versions.ts';

const ofTenant = 'tenant_id = {tenant_id:String}';
const isLastCommit = `app_id = '' AND trace_id = '${lastCommit}'`;

/** Of a tenant without a commit, the row has zeros. Without its number, every row of a place tells of a commit that has ended. */
const lastEnded = `
SELECT toString(if(countIf(${isLastCommit}) > 0, maxIf(ver, ${isLastCommit}), max(ver))) AS ver,
  toString(if(countIf(${isLastCommit}) > 0, maxIf(arrival, ${isLastCommit}), max(arrival))) AS arrival
FROM place WHERE ${ofTenant}`;

const isLater = '> {ver:UInt64}';
/** A final record of a later commit that replaced a pending one has its order of arrival, and is kept: the pending one may be gone. */
const isNew = `commit ${isLater} AND arrival > {arrival:UInt64}`;
const rowsOf = (kind: FoundTrace['kind'], table: string, condition: string) =>
  `SELECT DISTINCT '${kind}' AS kind, app_id, trace_id FROM ${table} WHERE ${ofTenant} AND ${condition}`;
/** The last insert of a commit is one of two at the same time: the rows of its traces may be missing. */
const withoutRow = `app_id != '' AND ver = {ver:UInt64}
  AND (app_id, trace_id) NOT IN (SELECT app_id, trace_id FROM trace WHERE ${ofTenant} AND ver = {ver:UInt64})`;
const interrupted = [
  rowsOf('sent', 'record', isNew),
  rowsOf('sent', 'log', `ver ${isLater}`),
  rowsOf('derived', 'record', `commit ${isLater} AND arrival <= {arrival:UInt64}`),
  rowsOf('derived', 'span', `ver ${isLater}`),
  rowsOf('derived', 'trace', `ver ${isLater}`),
  rowsOf('derived', 'place', withoutRow),
].join('\nUNION ALL ');

interface FoundTrace {
  kind: 'sent' | 'derived';
  app_id: string;
  trace_id: string;
}

/** Grouped instead of FINAL, which would read all of an app: an index finds the few parts of the tables that have these ids. */
const storedIn = (table: string, spanId: string, key: string) =>
  `SELECT trace_id, ${spanId} AS span_id, hour FROM ${table} WHERE ${ofApp} AND trace_id IN {ids:Array(String)}
   GROUP BY ${key} HAVING argMax(gone, ver) = 0`;
const storedRows = `
${storedIn('trace', "''", 'trace_id, hour')}
UNION ALL ${storedIn('span', 'span_id', 'trace_id, span_id, hour')}`;

interface StoredRow {
  trace_id: string;
  /** '' for the row of a trace. */
  span_id: string;
  hour: number;
}

interface Parts {
  client: ClickHouseClient;
  stored: StoredTraceReader;
  inserts: Inserts;
  deletes: FencedDeletes;
  commits: Commits;
  prices: PriceOverrides;
  /** Whether a trace is removed anyway. */
  isRemoved(scope: Scope, traceId: string): boolean;
  onFailure(event: string, app: string, error: unknown): void;
}

export class InterruptedCommits {
  readonly #parts: Parts;
  /** Tenants that have none. */
  readonly #without = new Set<string>();

  /** Make one when a writer begins, because the last commit of an earlier one may have been interrupted. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A commit was interrupted. */
  expect(): void {
    this.#without.clear();
  }

  /** Call it before anything of a tenant is read in order to change it, while nothing writes. It may be repeated after a failure. */
  async undo(tenant_id: string): Promise<void> {
    if (this.#without.has(tenant_id)) return;
    const [last = { ver: '0', arrival: '0' }] = await this.#rows<{ ver: string; arrival: string }>(lastEnded, { tenant_id });
    const found = await this.#rows<FoundTrace>(interrupted, { tenant_id, ...last });
    const changes: AppChanges[] = [];
    for (const [app_id, ofApp] of Map.groupBy(found, (trace) => trace.app_id)) {
      const scope = { tenant_id, app_id };
      const idsOf = (kind: FoundTrace['kind']) => [
        ...new Set(ofApp.filter((trace) => trace.kind === kind).map(({ trace_id }) => trace_id)),
      ];
      await this.#deleteSent(scope, idsOf('sent'), last);
      const ids = idsOf('derived').filter((id) => !this.#parts.isRemoved(scope, id));
      for (const part of partsOf(ids)) changes.push(...(await this.#derivedAgain(scope, part)));
    }
    const { inserts, commits } = this.#parts;
    if (changes.length > 0) await inserts.commit(commits.next(), changes, [commitRow(tenant_id, commits.lastArrival)], commits.generation);
    this.#without.add(tenant_id);
  }

  async #deleteSent(scope: Scope, ids: readonly string[], last: { ver: string; arrival: string }): Promise<void> {
    const { deletes } = this.#parts;
    for (const part of partsOf(ids)) {
      const condition = `${ofApp} AND trace_id IN {ids:Array(String)}`;
      const params = { ...scope, ...last, ids: part };
      await deletes.delete('record', `${condition} AND ${isNew}`, params);
      await deletes.delete('log', `${condition} AND ver ${isLater}`, params);
    }
  }

  /** What takes too long must not keep the tenant from being written for: such a trace keeps its rows until it changes. */
  async #derivedAgain(scope: Scope, ids: readonly string[]): Promise<AppChanges[]> {
    try {
      return [await this.#rowsAgain(scope, ids)];
    } catch (error) {
      if (!(error instanceof StorageError) || error.errorKind !== 'slow') throw error;
      if (ids.length === 1) {
        this.#parts.onFailure('interrupted_commit_not_undone', appKey(scope), error);
        return [];
      }
      const middle = Math.ceil(ids.length / 2);
      return [...(await this.#derivedAgain(scope, ids.slice(0, middle))), ...(await this.#derivedAgain(scope, ids.slice(middle)))];
    }
  }

  /** All rows of the traces, and the removal of those that are stored and do not hold. */
  async #rowsAgain(scope: Scope, ids: readonly string[], texts: 'all' | 'deferred' = 'deferred'): Promise<AppChanges> {
    const copy = new LoadedTraces(this.#parts.prices);
    try {
      copy.load(scope, await this.#parts.stored.readForWrite(scope, ids, [], texts));
      copy.changes.touch(scope, ids);
      const [changes = noChanges(scope)] = new ExportedRows(copy.db, copy.changes).take([], this.#parts.commits.nextArrival);
      addRemovals(changes, await this.#rows<StoredRow>(storedRows, { ...scope, ids }));
      return changes;
    } catch (error) {
      if (error instanceof DeferredText && texts === 'deferred') return await this.#rowsAgain(scope, ids, 'all');
      throw error;
    } finally {
      copy.close();
    }
  }

  async #rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    const result = await this.#parts.client.query({ query, query_params, format: 'JSONEachRow' });
    return result.json<Row>();
  }
}

function addRemovals({ traces, spans }: AppChanges, stored: readonly StoredRow[]): void {
  const keyOf = ({ trace_id, span_id, hour }: StoredRow) => `${trace_id} ${span_id} ${hour}`;
  const kept = new Set([...traces.map((row) => keyOf({ ...row, span_id: '' })), ...spans.map(keyOf)]);
  for (const row of stored) {
    const { trace_id, span_id, hour } = row;
    if (kept.has(keyOf(row))) continue;
    if (span_id === '') traces.push({ hour, trace_id, gone: 1 });
    else spans.push({ hour, trace_id, span_id, gone: 1 });
  }
}

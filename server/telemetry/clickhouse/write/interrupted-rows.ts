/** Finds what interrupted commits of a tenant have stored (interrupted-commits.ts). Its queries read columns of all of its rows, so give them time. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { Scope } from '../../../platform/scope.ts';
import { ofApp } from '../read/read-context.ts';
import { lastCommit } from './usage-rows.ts';

/** The last commit that has ended: what has a higher number was never acknowledged. */
export interface EndedCommit {
  ver: string;
  /** What arrived later came in a later commit. */
  arrival: string;
}

const ofTenant = 'tenant_id = {tenant_id:String}';
const ofLastCommit = `
SELECT toString(ver) AS ver, toString(arrival) AS arrival FROM place FINAL
WHERE ${ofTenant} AND app_id = '' AND trace_id = '${lastCommit}'`;
/** Of a store without the row of the last commit: every row of a place tells of a commit that has ended. */
const ofPlaces = `
SELECT toString((SELECT max(ver) FROM place WHERE ${ofTenant}) AS ended) AS ver,
  toString((SELECT max(arrival) FROM record WHERE ${ofTenant} AND commit <= ended)) AS arrival`;

const isLater = '> {ver:UInt64}';
/** A final record of a later commit that replaced a pending one has its order of arrival, and is kept: the pending one may be gone. */
const isKept = `commit ${isLater} AND arrival <= {arrival:UInt64}`;
const isNew = `commit ${isLater} AND arrival > {arrival:UInt64}`;
const rowsOf = (kind: InterruptedRow['kind'], table: string, condition: string, id = 'trace_id') =>
  `SELECT DISTINCT '${kind}' AS kind, app_id, ${id} AS id FROM ${table} WHERE ${ofTenant} AND ${condition}`;
/** The last insert of a commit is one of two at the same time: the rows of its traces may be missing. */
const isWithoutRow = `app_id != '' AND ver = {ver:UInt64}
  AND (app_id, trace_id) NOT IN (SELECT app_id, trace_id FROM trace WHERE ${ofTenant} AND ver = {ver:UInt64} AND gone = 0)`;
const interrupted = [
  rowsOf('sent', 'record', isNew),
  rowsOf('sent', 'log', `ver ${isLater}`),
  rowsOf('text', 'text', `ver ${isLater}`, 'toString(hash)'),
  rowsOf('derived', 'record', isKept),
  rowsOf('derived', 'span', `ver ${isLater}`),
  rowsOf('derived', 'trace', `ver ${isLater}`),
  rowsOf('derived', 'place', isWithoutRow),
].join('\nUNION ALL ');

/** Conditions of deletions, with `ids` and an `EndedCommit`. */
export const sentLater: Readonly<Record<'record' | 'log' | 'text', string>> = {
  record: `${ofApp} AND trace_id IN {ids:Array(String)} AND ${isNew}`,
  log: `${ofApp} AND trace_id IN {ids:Array(String)} AND ver ${isLater}`,
  text: `${ofApp} AND hash IN {ids:Array(String)} AND ver ${isLater}`,
};

export interface InterruptedRow {
  /** `sent`: a trace with records or log records; `text`: a long text; `derived`: a trace whose other rows may be wrong. */
  kind: 'sent' | 'text' | 'derived';
  app_id: string;
  id: string;
}

const textsIn = (table: string) => `SELECT arrayJoin(texts) AS hash FROM ${table} WHERE ${ofApp} AND hasAny(texts, {ids:Array(String)})`;
const usedTexts = `SELECT DISTINCT toString(hash) AS hash FROM (${textsIn('record')} UNION ALL ${textsIn('log')}) WHERE hash IN {ids:Array(String)}`;

/** Grouped instead of FINAL, which would read all of an app: an index finds the few parts of the tables that have these ids. */
const storedIn = (table: string, spanId: string, key: string) =>
  `SELECT trace_id, ${spanId} AS span_id, hour FROM ${table} WHERE ${ofApp} AND trace_id IN {ids:Array(String)}
   GROUP BY ${key} HAVING argMax(gone, ver) = 0`;
const storedRows = `
${storedIn('trace', "''", 'trace_id, hour')}
UNION ALL ${storedIn('span', 'span_id', 'trace_id, span_id, hour')}`;

export interface StoredRow {
  trace_id: string;
  /** '' for the row of a trace. */
  span_id: string;
  hour: number;
}

export class InterruptedRows {
  readonly #client: ClickHouseClient;

  /** @param client without a limit of time */
  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  async lastEnded(tenant_id: string): Promise<EndedCommit> {
    const [last] = await this.#rows<EndedCommit>(ofLastCommit, { tenant_id });
    const [ended = { ver: '0', arrival: '0' }] = last ? [last] : await this.#rows<EndedCommit>(ofPlaces, { tenant_id });
    return ended;
  }

  after(tenant_id: string, { ver, arrival }: EndedCommit): Promise<InterruptedRow[]> {
    return this.#rows(interrupted, { tenant_id, ver, arrival });
  }

  /** Those that hold, of traces. @param ids one of `partsOf` */
  stored({ tenant_id, app_id }: Scope, ids: readonly string[]): Promise<StoredRow[]> {
    return this.#rows(storedRows, { tenant_id, app_id, ids });
  }

  /** Those that a record or log record has. @param hashes one of `partsOf` */
  async usedTexts({ tenant_id, app_id }: Scope, hashes: readonly string[]): Promise<Set<string>> {
    const used = await this.#rows<{ hash: string }>(usedTexts, { tenant_id, app_id, ids: hashes });
    return new Set(used.map(({ hash }) => hash));
  }

  async #rows<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    const result = await this.#client.query({ query, query_params, format: 'JSONEachRow' });
    return result.json<Row>();
  }
}

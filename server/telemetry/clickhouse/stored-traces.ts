/** Reads everything that is stored of some traces. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { Scope } from '../../platform/scope.ts';
import { resourceKey } from '../sqlite/file/resource-key.ts';
import { deferredText, unreadText } from '../sqlite/read/unread-text.ts';
import { StorageError } from '../storage-error.ts';
import { BlobsAway, type TextBlobs } from './blobs/text-blobs.ts';
import type { StoredTraces } from './loaded/loaded-traces.ts';
import { scoredKey } from './loaded/score-keys.ts';
import { partsOf } from './parameter-lists.ts';
import { select } from './select.ts';
import type { LogRow, PlaceRow, RecordRow, ScoreRow, StoredTextRow } from './stored-rows.ts';

/** Spans of a copy: more do not fit into the memory of its thread. */
const recordsMax = 250_000;

const ofApp = 'tenant_id = {tenant_id:String} AND app_id = {app_id:String}';

/** `deferred`: without those in blobs, which few writes need (DeferredText). */
export type ReadTexts = 'all' | 'deferred';

interface ReadAll {
  scores: boolean;
  texts?: ReadTexts;
  /** Whose log records are read although no trace may be stored that they belong to. */
  conversations?: readonly string[];
  check?: () => void;
}

export class StoredTraceReader {
  readonly #client: ClickHouseClient;
  readonly #blobs: TextBlobs;
  readonly #signal: AbortSignal | undefined;

  /** @param signal cancels its queries */
  constructor(client: ClickHouseClient, blobs: TextBlobs, signal?: AbortSignal) {
    this.#client = client;
    this.#blobs = blobs;
    this.#signal = signal;
  }

  /**
   * Traces with the log records of their conversations. Ids that are not stored are in `trace_ids` too.
   * @param scores whether to read the scores of the traces and of their spans
   * @param check called between queries; throws to end it
   */
  async read(
    scope: Scope,
    traceIds: readonly string[],
    { scores, check = () => {} }: { scores: boolean; check?: () => void },
  ): Promise<StoredTraces> {
    const places = await this.#placesOf(scope, traceIds, []);
    check();
    return this.#readAll(scope, traceIds, places, { scores, check });
  }

  /** Versions of what is stored of traces, as text: another one for each change but those of scores. */
  async versions(scope: Scope, traceIds: readonly string[]): Promise<string> {
    const versions = `SELECT trace_id, toString(ver) AS ver FROM place FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)}`;
    const places = await this.#byIds<{ trace_id: string; ver: string }>(scope, traceIds, versions);
    return places
      .map(({ trace_id, ver }) => `${trace_id} ${ver}`)
      .sort()
      .join('\n');
  }

  /**
   * The traces that a write may change: those, and all others of their conversations.
   * @throws BlobsAway
   */
  async readForWrite(
    scope: Scope,
    traceIds: readonly string[],
    conversations: readonly string[],
    texts: ReadTexts = 'all',
  ): Promise<StoredTraces> {
    const known = new Set(conversations);
    for (;;) {
      const places = await this.#placesOf(scope, traceIds, [...known]);
      const before = known.size;
      for (const place of places) for (const conversation of place.conversations) known.add(conversation);
      if (known.size > before) continue;
      const all = new Set([...traceIds, ...places.map(({ trace_id }) => trace_id)]);
      const found = await this.#readAll(scope, [...all], places, { scores: false, texts, conversations });
      // What is stored about a trace must not change because of that.
      if (found.away !== null) throw new BlobsAway({ message: `A value of a trace cannot be read now: ${found.away}` });
      return found;
    }
  }

  async #readAll(
    scope: Scope,
    trace_ids: readonly string[],
    places: readonly PlaceRow[],
    { scores, texts: which = 'all', conversations: also = [], check = () => {} }: ReadAll,
  ): Promise<StoredTraces> {
    const stored = places.map(({ trace_id }) => trace_id);
    if (stored.length + also.length === 0) return { trace_ids, records: [], logs: [], texts: new Map(), away: null, places, scores: [] };
    const conversations = [...new Set([...places.flatMap((place) => place.conversations), ...also])];
    const selectLogs = `SELECT trace_id, span_id, conversation, hash, arrival, received_ms, attribution, turn, resource, record, texts
      FROM log FINAL WHERE ${ofApp}`;
    const [records, ofTraces, ofConversations] = await Promise.all([
      this.#byIds<RecordRow>(
        scope,
        stored,
        `SELECT trace_id, span_id, arrival, received_ms, attribution, prepared, resource, instrumentation, record, texts
         FROM record FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)} ORDER BY arrival LIMIT ${recordsMax + 1}`,
      ),
      this.#byIds<LogRow>(scope, stored, `${selectLogs} AND trace_id IN {ids:Array(String)}`),
      this.#byIds<LogRow>(scope, conversations, `${selectLogs} AND conversation IN {ids:Array(String)}`),
    ]);
    const logs = [...new Map([...ofTraces, ...ofConversations].map((log) => [`${log.trace_id} ${log.span_id} ${log.hash}`, log])).values()];
    if (records.length > recordsMax) throw new StorageError('slow', `Traces of more than ${recordsMax} spans cannot be opened at once`);
    check();
    const hashes = new Set([...records, ...logs].flatMap(({ texts }) => texts));
    const [texts, scoreRows] = await Promise.all([
      this.#textsOf(scope, [...hashes], which),
      scores ? this.#scoresOf(scope, stored, records) : [],
    ]);
    return { trace_ids, records, logs, ...texts, places, scores: scoreRows };
  }

  /** A text that cannot be read is replaced by one that says so: also one that is missing, as while its trace is removed. */
  async #textsOf(scope: Scope, hashes: readonly string[], which: ReadTexts): Promise<Pick<StoredTraces, 'texts' | 'away'>> {
    const columns = 'hash, argMax(text, ver) AS text, argMax(blob, ver) AS blob';
    const query = `SELECT ${columns} FROM text WHERE ${ofApp} AND hash IN {ids:Array(String)} GROUP BY hash`;
    const rows = await this.#byIds<StoredTextRow>(scope, hashes, query);
    const texts = new Map(hashes.map((hash) => [hash, unreadText('A value cannot be read: it is not stored')]));
    if (which === 'deferred') {
      for (const { hash, text, blob } of rows) texts.set(hash, blob ? deferredText : text);
      return { texts, away: null };
    }
    const read = await this.#blobs.read(scope, rows, this.#signal);
    for (const text of read) texts.set(text.hash, 'text' in text ? text.text : unreadText(`A value cannot be read: ${text.unread}`));
    const away = read.find((text) => 'isAway' in text && text.isAway);
    return { texts, away: away && 'unread' in away ? away.unread : null };
  }

  async #placesOf(scope: Scope, ids: readonly string[], conversations: readonly string[]): Promise<PlaceRow[]> {
    const columns = `SELECT trace_id, arrival, hour, listed_us, added_tags, span_hours, conversations FROM place FINAL WHERE ${ofApp}`;
    const [byId, byConversation] = await Promise.all([
      this.#byIds<PlaceRow>(scope, ids, `${columns} AND trace_id IN {ids:Array(String)}`),
      this.#byIds<PlaceRow>(scope, conversations, `${columns} AND hasAny(conversations, {ids:Array(String)})`),
    ]);
    return [...new Map([...byId, ...byConversation].map((place) => [place.trace_id, place])).values()];
  }

  #scoresOf(scope: Scope, traceIds: readonly string[], records: readonly RecordRow[]): Promise<ScoreRow[]> {
    const keys = new Set([...traceIds, ...records.map(({ span_id }) => span_id)].map((id) => scoredKey(resourceKey(id))));
    return this.#byIds<ScoreRow>(
      scope,
      [...keys],
      `SELECT * EXCEPT (tenant_id, app_id, ver, gone) FROM score FINAL WHERE ${ofApp} AND resource IN {ids:Array(String)} ORDER BY arrival`,
    );
  }

  /** Rows by ids, some thousand at a time. */
  async #byIds<Row>(scope: Scope, ids: readonly string[], sql: string): Promise<Row[]> {
    const parts = await Promise.all(partsOf(ids).map((part) => this.#query<Row>(sql, { ...scope, ids: part })));
    return parts.flat();
  }

  #query<Row>(query: string, query_params: Record<string, unknown>): Promise<Row[]> {
    return select(this.#client, { query, query_params, format: 'JSONEachRow' }, this.#signal, (result) => result.json<Row>());
  }
}

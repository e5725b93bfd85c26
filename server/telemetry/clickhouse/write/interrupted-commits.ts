/**
 * Takes back what interrupted commits have stored. A commit inserts into several tables, so a gateway that is killed, or a database that fails, may leave
 * some of its rows. Its last insert holds its number for each tenant (usage-rows.ts): rows of later commits were never acknowledged, so they are removed
 * before anything else is written for the tenant. What was sent is deleted, and comes again if its sender repeats it. Rows derived from it may have
 * replaced earlier ones, so those traces are derived again from what is left.
 */
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import type { Scope } from '../../../platform/scope.ts';
import { DeferredText } from '../../sqlite/read/unread-text.ts';
import { BlobsAway } from '../blobs/text-blobs.ts';
import { ExportedRows } from '../loaded/exported-rows.ts';
import { LoadedTraces } from '../loaded/loaded-traces.ts';
import { type AppChanges, noChanges } from '../loaded/sent-items.ts';
import { partsOf } from '../parameter-lists.ts';
import type { ReadTexts, StoredTraceReader } from '../stored-traces.ts';
import { appKey } from './app-key.ts';
import type { BlobRemoval } from './blob-removal.ts';
import type { FencedDeletes } from './fenced-deletes.ts';
import type { Inserts } from './inserts.ts';
import { type EndedCommit, type InterruptedRow, type InterruptedRows, type StoredRow, sentLater } from './interrupted-rows.ts';
import { commitRow } from './usage-rows.ts';
import type { Commits } from './versions.ts';
import { writeFailure } from './write-failure.ts';

interface Parts {
  rows: InterruptedRows;
  stored: StoredTraceReader;
  inserts: Inserts;
  deletes: FencedDeletes;
  blobs: Pick<BlobRemoval, 'note'>;
  commits: Commits;
  prices: PriceOverrides;
  /** Whether a trace is removed anyway. */
  isRemoved(scope: Scope, traceId: string): boolean;
  onFailure(event: string, app: string, error: unknown): void;
}

interface Trace {
  scope: Scope;
  id: string;
}

/** Between tries to derive traces whose values are in a blob store that is away. */
const awayMs = 10_000;

export class InterruptedCommits {
  readonly #parts: Parts;
  /** Tenants that have none. */
  readonly #without = new Set<string>();
  /** Traces of a tenant that wait for the blob store, to be tried again after this time. */
  readonly #away = new Map<string, { traces: readonly Trace[]; afterMs: number }>();

  /** Make one when a writer begins, because the last commit of an earlier one may have been interrupted. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A commit of these tenants was interrupted. */
  expect(tenants: Iterable<string>): void {
    for (const tenant of tenants) this.#without.delete(tenant);
  }

  /** Call it before anything of a tenant is read in order to change it, while nothing writes. It may be repeated after a failure. */
  async undo(tenant_id: string): Promise<void> {
    const away = this.#away.get(tenant_id);
    const due = away && away.afterMs <= performance.now() ? away.traces : [];
    const isKnown = this.#without.has(tenant_id);
    if (isKnown && due.length === 0) return;
    const found = isKnown ? [] : await this.#removeSent(tenant_id);
    const derived = found.filter(({ kind }) => kind === 'derived').map(({ app_id, id }) => ({ scope: { tenant_id, app_id }, id }));
    await this.#deriveAgain(tenant_id, [...due, ...derived]);
    this.#without.add(tenant_id);
  }

  /** @returns what was found */
  async #removeSent(tenant_id: string): Promise<InterruptedRow[]> {
    const { rows, blobs, inserts } = this.#parts;
    const last = await rows.lastEnded(tenant_id);
    const found = await rows.after(tenant_id, last);
    for (const [app_id, ofApp] of Map.groupBy(found, (row) => row.app_id)) {
      const scope = { tenant_id, app_id };
      const idsOf = (kind: InterruptedRow['kind']) => ofApp.filter((row) => row.kind === kind).map(({ id }) => id);
      const sent = idsOf('sent');
      await this.#delete('record', scope, sent, last);
      await this.#delete('log', scope, sent, last);
      for (const texts of partsOf(idsOf('text'))) {
        const used = await rows.usedTexts(scope, texts);
        const unused = texts.filter((hash) => !used.has(hash));
        if (unused.length === 0) continue;
        await blobs.note(scope, unused);
        await this.#delete('text', scope, unused, last).finally(() => inserts.forget());
      }
    }
    return found;
  }

  async #delete(table: keyof typeof sentLater, scope: Scope, ids: readonly string[], last: EndedCommit): Promise<void> {
    for (const part of partsOf([...new Set(ids)])) {
      const { ver, arrival } = last;
      await this.#parts.deletes.delete(table, sentLater[table], { ...scope, ver, ids: part, ...(table === 'record' && { arrival }) });
    }
  }

  async #deriveAgain(tenant_id: string, traces: readonly Trace[]): Promise<void> {
    const { inserts, commits, isRemoved } = this.#parts;
    const changes: AppChanges[] = [];
    const away: Trace[] = [];
    const kept = traces.filter(({ scope, id }) => !isRemoved(scope, id));
    for (const [, ofApp] of Map.groupBy(kept, ({ scope }) => scope.app_id)) {
      const { scope } = ofApp[0] as Trace;
      for (const part of partsOf([...new Set(ofApp.map(({ id }) => id))])) changes.push(...(await this.#changesOf(scope, part, away)));
    }
    if (changes.length > 0) await inserts.commit(commits.next(), changes, [commitRow(tenant_id, commits.lastArrival)], commits.generation);
    if (away.length > 0) this.#away.set(tenant_id, { traces: away, afterMs: performance.now() + awayMs });
    else this.#away.delete(tenant_id);
  }

  /** One trace that cannot be read must not keep the tenant from being written for: it keeps its rows until it changes. @param away gets those to try again */
  async #changesOf(scope: Scope, ids: readonly string[], away: Trace[]): Promise<AppChanges[]> {
    try {
      return [await this.#rowsAgain(scope, ids)];
    } catch (error) {
      const { errorKind } = writeFailure(error);
      const isOfTraces = error instanceof BlobsAway || errorKind === 'slow' || errorKind === 'mistake' || errorKind === 'corrupt';
      if (!isOfTraces) throw error;
      if (ids.length > 1) {
        const middle = Math.ceil(ids.length / 2);
        return [...(await this.#changesOf(scope, ids.slice(0, middle), away)), ...(await this.#changesOf(scope, ids.slice(middle), away))];
      }
      this.#parts.onFailure('interrupted_commit_not_undone', appKey(scope), error);
      if (error instanceof BlobsAway) for (const id of ids) away.push({ scope, id });
      return [];
    }
  }

  /** All rows of the traces, and the removal of those that are stored and do not hold. */
  async #rowsAgain(scope: Scope, ids: readonly string[], texts: ReadTexts = 'deferred'): Promise<AppChanges> {
    const { rows, stored, prices, commits } = this.#parts;
    const copy = new LoadedTraces(prices);
    try {
      copy.load(scope, await stored.readForWrite(scope, ids, [], texts));
      copy.changes.touch(scope, ids);
      const [changes = noChanges(scope)] = new ExportedRows(copy.db, copy.changes).take([], commits.nextArrival);
      addRemovals(changes, await rows.stored(scope, ids));
      return changes;
    } catch (error) {
      if (error instanceof DeferredText && texts === 'deferred') return await this.#rowsAgain(scope, ids, 'all');
      throw error;
    } finally {
      copy.close();
    }
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

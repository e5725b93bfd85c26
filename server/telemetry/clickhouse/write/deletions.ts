/**
 * Deletes traces that people asked to delete (ADR 043). An accepted deletion is a list of traces in the store, so a restart continues it. The
 * traces are removed some at a time between writes; a write for one that waits removes it first. From then on no read returns anything of them.
 * Last, their blobs are removed, and the parts of tables that hold their bytes are rewritten.
 */
import type { Scope } from '../../../platform/scope.ts';
import type { DeletionChange, DeletionState, TraceDeletion, TraceSelection } from '../../trace-deletions.ts';
import { partsOf } from '../parameter-lists.ts';
import { deletionColumns, deletionOf, findDeletion, type StoredDeletion } from '../read/deletion-reads.ts';
import { ofApp, type ReadContext } from '../read/read-context.ts';
import { countOf, selectTraces } from '../read/trace-selection.ts';
import { appKey, appOfKey } from './app-key.ts';
import { BackgroundWork } from './background-work.ts';
import type { BlobRemoval } from './blob-removal.ts';
import type { ByteErasure } from './byte-erasure.ts';
import type { DeletedTraces, GroupWriter } from './group-writer.ts';
import type { Inserts } from './inserts.ts';
import type { TenantUsage } from './tenant-usage.ts';
import { type TraceRemoval, tracesAtOnce } from './trace-removal.ts';
import type { Commits } from './versions.ts';

interface Parts {
  context: ReadContext;
  inserts: Inserts;
  commits: Commits;
  writer: GroupWriter;
  removal: TraceRemoval;
  usage: TenantUsage;
  bytes: ByteErasure;
  blobs: Pick<BlobRemoval, 'remove'>;
  owns(tenantId: string): boolean;
  onChange(change: DeletionChange): void;
  onFailure(event: string, key: string, error: unknown): void;
}

const openDeletions = `SELECT tenant_id, app_id, ${deletionColumns} FROM deletion FINAL WHERE state != 'done'`;
const tracesOfDeletion = `SELECT trace_id FROM deletion_trace FINAL WHERE ${ofApp} AND id = {id:String}`;

/** Rows of one insert. */
const rowsAtOnce = 10_000;

export class Deletions implements DeletedTraces {
  readonly #parts: Parts;
  /** Those that are not done, by id. */
  readonly #open = new Map<string, StoredDeletion>();
  /** Deletions of traces that are not removed yet, by app and trace. */
  readonly #waiting = new Map<string, Map<string, string>>();
  readonly #work: BackgroundWork;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#work = new BackgroundWork({
      step: (key) => this.#step(key),
      onFailure: (key, error) => parts.onFailure('traces_not_deleted', key, error),
    });
  }

  /** Continues what was accepted. */
  async resume(): Promise<void> {
    const { context, owns } = this.#parts;
    const open = await context.rows<StoredDeletion>(openDeletions);
    for (const deletion of open) if (owns(deletion.tenant_id)) await this.#continue(deletion);
  }

  async #continue(deletion: StoredDeletion): Promise<void> {
    const { tenant_id, app_id, id } = deletion;
    const listed = await this.#parts.context.inApp<{ trace_id: string }>({ tenant_id, app_id }, tracesOfDeletion, { id });
    this.#open.set(id, deletion);
    for (const { trace_id } of listed) this.#waitingOf(deletion).set(trace_id, id);
    this.#work.start(appKey(deletion));
  }

  /** Resolves when it is durable. It may be repeated. */
  async begin(scope: Scope, id: string, selection: TraceSelection): Promise<TraceDeletion> {
    const { tenant_id, app_id } = scope;
    const existing = (await findDeletion(this.#parts.context, scope, id))?.decode();
    if (existing) {
      // It may be that of another gateway, which began it while it lost the tenant.
      if (existing.state !== 'done' && !this.#open.has(id))
        await this.#parts.writer.alone(() => this.#continue({ tenant_id, app_id, ...existing }));
      return existing;
    }
    const selected = await this.#select(scope, selection);
    const { traces, spans } = countOf(selected);
    const deletion: StoredDeletion = { tenant_id, app_id, id, created_ms: Date.now(), state: 'removing', traces, spans, removed_traces: 0 };
    // While no copy of the traces is open: what arrives from now on finds that they are deleted.
    await this.#parts.writer.alone(async () => {
      await this.#putTraces(
        scope,
        selected.map(({ trace_id }) => ({ id, trace_id })),
      );
      await this.#put(deletion);
      for (const { trace_id } of selected) this.#waitingOf(scope).set(trace_id, id);
      this.#open.set(id, deletion);
    });
    this.#work.start(appKey(scope));
    return deletionOf(deletion);
  }

  has(scope: Scope, traceId: string): boolean {
    return this.#waiting.get(appKey(scope))?.has(traceId) ?? false;
  }

  async remove(scope: Scope, traceIds: readonly string[]): Promise<void> {
    for (const part of partsOf(traceIds)) await this.#remove(scope, part);
  }

  async #remove(scope: Scope, traceIds: readonly string[]): Promise<void> {
    const waiting = this.#waitingOf(scope);
    const removed = Map.groupBy(traceIds, (traceId) => waiting.get(traceId) ?? '');
    await this.#parts.writer.undoInterrupted(scope.tenant_id);
    const bytes = await this.#parts.removal.remove(scope, traceIds);
    await this.#parts.usage.release(scope.tenant_id, bytes);
    await this.#putTraces(
      scope,
      traceIds.map((trace_id) => ({ id: waiting.get(trace_id) ?? '', trace_id, gone: 1 })),
    );
    for (const [id, ids] of removed) {
      const deletion = this.#open.get(id);
      if (!deletion) continue;
      deletion.removed_traces += ids.length;
      await this.#put(deletion);
    }
    for (const traceId of traceIds) waiting.delete(traceId);
    if (waiting.size === 0) this.#waiting.delete(appKey(scope));
  }

  /** Ends after the step that is running. */
  stop(): Promise<void> {
    return this.#work.stop();
  }

  /** @returns whether work is left */
  async #step(key: string): Promise<boolean> {
    const scope = appOfKey(key);
    const waiting = this.#waiting.get(key);
    if (waiting) {
      // A write may remove some of them before it is the turn of this step.
      const next = () => partsOf([...waiting.keys().take(tracesAtOnce)])[0] ?? [];
      await this.#parts.writer.alone(async () => {
        const ids = next();
        if (ids.length > 0) await this.remove(scope, ids);
      });
      return true;
    }
    const open = [...this.#open.values()].filter((deletion) => appKey(deletion) === key);
    if (open.length === 0) return false;
    for (const deletion of open) if (deletion.state === 'removing') await this.#setState(deletion, 'erasing');
    if (await this.#parts.blobs.remove(scope)) return true;
    await this.#parts.bytes.erase();
    if (await this.#parts.bytes.areLeft(scope)) return true;
    for (const deletion of open) {
      this.#open.delete(deletion.id);
      await this.#setState(deletion, 'done');
    }
    return false;
  }

  async #select(scope: Scope, selection: TraceSelection) {
    const found = await selectTraces(this.#parts.context, scope, selection);
    return found.filter(({ trace_id }) => !this.has(scope, trace_id));
  }

  async #setState(deletion: StoredDeletion, state: DeletionState): Promise<void> {
    deletion.state = state;
    await this.#put(deletion);
    const { tenant_id, app_id, id } = deletion;
    this.#parts.onChange({ scope: { tenant_id, app_id }, id, state });
  }

  #put(deletion: StoredDeletion): Promise<void> {
    return this.#insert('deletion', [deletion]);
  }

  async #putTraces({ tenant_id, app_id }: Scope, rows: readonly object[]): Promise<void> {
    for (let at = 0; at < rows.length; at += rowsAtOnce)
      await this.#insert(
        'deletion_trace',
        rows.slice(at, at + rowsAtOnce).map((row) => ({ tenant_id, app_id, ...row })),
      );
  }

  async #insert(table: string, rows: readonly object[]): Promise<void> {
    const ver = String(this.#parts.commits.next());
    await this.#parts.inserts.insert(
      table,
      rows.map((row) => ({ ...row, ver })),
    );
  }

  #waitingOf(scope: Scope): Map<string, string> {
    const key = appKey(scope);
    const existing = this.#waiting.get(key);
    if (existing) return existing;
    const added = new Map<string, string>();
    this.#waiting.set(key, added);
    return added;
  }
}

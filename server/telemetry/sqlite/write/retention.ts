/**
 * Removes traces that are older than the retention rule, a little at a time in idle time. Age is the time of arrival, which is the order of
 * blocks: everything up to one block, the cutoff, is old. A trace is removed when all its data is old; data shared with remaining traces
 * stays. The newest trace, span, text and block always stay, so that no id is ever reused.
 */
import type { RetentionRule } from '../../file-maintenance.ts';
import { readOrWhy } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { type RecordReader, readRecord } from '../read/record-reader.ts';
import type { Place } from './block-builder.ts';
import { dropBlocks, sweepIndexEntries } from './leftovers.ts';
import { ScoreTargets } from './score-targets.ts';
import { textReuseBlocks } from './text-store.ts';
import { runTimeSlice } from './time-slice.ts';
import type { Removed, TraceRemoval } from './trace-removal.ts';

const dayMs = 24 * 3600 * 1000;
/** Interval between checks for traces that have become too old. */
const checkIntervalMs = 10 * 60_000;
/** Rows read in one step. It takes a few milliseconds, for which a write may have to wait. */
const stepRows = 2_000;

interface OldRow extends Place {
  id: number;
  trace: number;
}

interface TextRow {
  id: number;
  scope: number;
  block: number;
  size: number;
}

/** Old data that remaining traces need. */
interface Needed {
  traces: Set<number>;
  texts: Set<number>;
  blocks: Set<number>;
  /** True if one of their records is damaged, because it may need any text. */
  anyText: boolean;
}

export class Retention {
  readonly #db: OpenDatabase;
  readonly #records: RecordReader;
  readonly #removal: TraceRemoval;
  readonly #now: () => number;
  #pass: Generator<void> | null = null;
  #dueMs = 0;
  /** Last block up to which removal is complete. */
  #done = 0;

  constructor(db: OpenDatabase, records: RecordReader, removal: TraceRemoval, now: () => number) {
    this.#db = db;
    this.#records = records;
    this.#removal = removal;
    this.#now = now;
  }

  /** The rule applies from now on. */
  setRule({ keep_days, max_bytes }: RetentionRule): void {
    const keep = this.#db.prepare('UPDATE retention SET keep_days = ?, max_bytes = ?');
    this.#db.transaction(() => keep.run(keep_days, max_bytes)).immediate();
    this.#dueMs = 0;
    this.#done = 0;
    this.#pass = null;
  }

  /** Runs one step. False when there is nothing to do for a while. */
  step(): boolean {
    this.#pass ??= this.#begin();
    if (!this.#pass) return false;
    if (this.#pass.next().done) this.#pass = null;
    this.#records.forget();
    return true;
  }

  #begin(): Generator<void> | null {
    const now = this.#now();
    if (now < this.#dueMs) return null;
    this.#dueMs = now + checkIntervalMs;
    const cutoff = Math.min(this.#cutoff(now), this.#numberFrom('SELECT coalesce(max(id), 0) FROM block') - 1);
    if (cutoff <= this.#done) return null;
    return this.#removeUpTo(cutoff);
  }

  /** Last block that is too old; 0 for none. */
  #cutoff(now: number): number {
    const { keep_days, max_bytes } = this.#db.prepare('SELECT keep_days, max_bytes FROM retention').get() as RetentionRule;
    const byAge = keep_days === null ? 0 : this.#lastBefore(now - keep_days * dayMs);
    return max_bytes === null ? byAge : Math.max(byAge, this.#lastBeyond(max_bytes));
  }

  #lastBefore(received_ms: number): number {
    const first = this.#db.prepare<[number], number>('SELECT id FROM block WHERE received_ms >= ? ORDER BY id LIMIT 1').pluck();
    return (first.get(received_ms) ?? Number.MAX_SAFE_INTEGER) - 1;
  }

  /** Oldest blocks whose spans account for the excess: rows and indexes take several times the size of the blocks. */
  #lastBeyond(bytesMax: number): number {
    const pragma = (name: string) => Number(this.#db.pragma(name, { simple: true }));
    const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
    if (used <= bytesMax) return 0;
    let excess = this.#numberFrom('SELECT sum(length(data)) FROM block') * (1 - bytesMax / used);
    let last = 0;
    for (const [id, bytes] of this.#db.prepare<[], [number, number]>('SELECT id, length(data) FROM block ORDER BY id').raw().iterate()) {
      if (excess <= 0) break;
      excess -= bytes;
      last = id;
    }
    return last;
  }

  *#removeUpTo(cutoff: number): Generator<void> {
    const newest = ['SELECT trace FROM span ORDER BY id DESC LIMIT 1', 'SELECT max(id) FROM trace'].map((sql) => this.#numberFrom(sql));
    const needed: Needed = { traces: new Set(newest), texts: new Set(), blocks: new Set(), anyText: false };
    const targets = new ScoreTargets(this.#db);
    while (targets.step()) yield;
    const before = this.#numberFrom('SELECT removed_traces FROM retention');
    for (const table of ['span', 'span_log'])
      for (const rows of this.#oldRows(table, cutoff)) {
        yield;
        yield* this.#removeOrKeep(rows, cutoff, needed, targets);
      }
    yield* this.#dropTexts(cutoff, needed);
    yield* dropBlocks(this.#db, cutoff, (block) => needed.blocks.has(block));
    if (this.#numberFrom('SELECT removed_traces FROM retention') > before) yield* sweepIndexEntries(this.#db);
    this.#done = cutoff;
  }

  /** Old rows of a table, step by step; many steps have none. */
  *#oldRows(table: string, cutoff: number): Generator<OldRow[]> {
    const rows = this.#db.prepare<[number, number, number], OldRow>(
      `SELECT id, trace, block, at, size FROM ${table} WHERE id > ? AND id <= ? AND block <= ?`,
    );
    const last = this.#numberFrom(`SELECT coalesce(max(id), 0) FROM ${table}`);
    for (let at = 0; at < last; at += stepRows) yield rows.all(at, at + stepRows, cutoff);
  }

  /** Removes the traces of old rows, or collects the data that they need. */
  *#removeOrKeep(rows: readonly OldRow[], cutoff: number, needed: Needed, targets: ScoreTargets): Generator<void> {
    const remaining = [...Map.groupBy(rows, (row) => row.trace)];
    const addRemoved = this.#db.prepare<[number, number]>('UPDATE retention SET removed_traces = removed_traces + ?, removed_ms = ?');
    const step = this.#db.transaction(() => {
      let removed = 0;
      // Counts spans that arrived since the last step.
      while (targets.step());
      const isMore = runTimeSlice(() => {
        const [trace, traceRows] = remaining.at(-1) as [number, OldRow[]];
        const { wasListed, isComplete } = this.#removeOrKeepTrace(trace, traceRows, cutoff, needed, targets);
        if (wasListed) removed++;
        if (isComplete) remaining.pop();
        return remaining.length > 0;
      });
      if (removed > 0) addRemoved.run(removed, this.#now());
      return isMore;
    });
    while (remaining.length > 0 && step.immediate()) yield;
  }

  #removeOrKeepTrace(trace: number, rows: readonly OldRow[], cutoff: number, needed: Needed, targets: ScoreTargets): Removed {
    if (!needed.traces.has(trace) && !this.#removal.mustStay(trace, cutoff)) return this.#removal.remove(trace, targets);
    needed.traces.add(trace);
    for (const row of rows) {
      needed.blocks.add(row.block);
      const { value: texts } = readOrWhy(() => readRecord(this.#records.bytes(row)).textIds);
      if (texts) for (const text of texts) needed.texts.add(text);
      else needed.anyText = true;
    }
    return { wasListed: false, isComplete: true, spans: [] };
  }

  /** Deletes texts that no remaining trace needs and no later trace may refer to. Blocks of the other texts stay. */
  *#dropTexts(cutoff: number, needed: Needed): Generator<void> {
    const repeatable = this.#numberFrom('SELECT repeated_up_to FROM retention');
    const newest = this.#numberFrom('SELECT coalesce(max(id), 0) FROM chunk');
    const rows = this.#db.prepare<[number, number], TextRow>('SELECT id, scope, block, size FROM chunk WHERE id > ? ORDER BY id LIMIT ?');
    const drop = this.#db.prepare('DELETE FROM chunk WHERE id = ?');
    const isNeeded = (id: number) => needed.anyText || needed.texts.has(id);
    const isKept = ({ id, block }: TextRow) => id <= repeatable || id === newest || block > cutoff - textReuseBlocks || isNeeded(id);
    let page: TextRow[] = [];
    const step = this.#db.transaction(() =>
      runTimeSlice(() => {
        const text = page.pop();
        if (!text) return false;
        if (isKept(text)) needed.blocks.add(text.block);
        else {
          drop.run(text.id);
          this.#removal.release(text.scope, text.size);
        }
        return true;
      }),
    );
    for (let at = 0; ; ) {
      page = rows.all(at, stepRows).filter(({ block }) => block <= cutoff);
      if (page.length === 0) return;
      at = (page.at(-1) as TextRow).id;
      while (step.immediate()) yield;
      yield;
    }
  }

  #numberFrom(sql: string): number {
    return this.#db.prepare<[], number>(sql).pluck().get() ?? 0;
  }
}

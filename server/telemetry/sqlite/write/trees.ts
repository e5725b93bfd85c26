/** Caches the traces that are being written. An evicted trace is read back from its rows. */

import type { Statement } from 'better-sqlite3';
import { TraceTree } from '../../trace-tree.ts';
import { flag } from '../file/codes.ts';
import { type DamageReporter, requireNumbers, storedTags } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { LogRows } from './log-rows.ts';
import type { StoredTree, StoredTreeSpan } from './stored-tree.ts';

/** Enough for traces in progress; more would slow down the garbage collector. A larger trace is cached only while it is being written. */
const spansMax = 20_000;

interface Row {
  id: number;
  span_id: unknown;
  parent_id: unknown;
  start_us: number;
  start_rest_ns: number;
  duration_ns: number;
  status: 0 | 1 | 2;
  type: number;
  flags: number;
  cost: number | null;
  tokens: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  name: number;
  trace_name: number | null;
  session: number | null;
  user: number | null;
  metadata: number | null;
}

/** A trace being written. */
export interface OpenTrace {
  id: number;
  tree: StoredTree;
  tags: Set<string>;
  /** Those of the tags that people gave it. */
  addedTags: Set<string>;
  /** The alphabetically first of each name among the spans, '' for none. */
  names: Names;
  /** Spans with log records, stored or not. */
  logged: Set<string>;
  /** Cached terms of the trace, and documents whose terms are indexed; may be incomplete. */
  terms: Set<number>;
  /** The trace is not new: some of its terms may be stored without being in `terms`. */
  hasOtherTerms: boolean;
  documents: Set<string>;
}

export interface Names {
  session_name: string;
  prompt_name: string;
  trace_name: string;
}

export const noNames: Readonly<Names> = { session_name: '', prompt_name: '', trace_name: '' };

interface TraceRow extends Names {
  tags: string;
  added_tags: string;
}

export class Trees {
  readonly #trees = new Map<number, OpenTrace>();
  readonly #rows;
  readonly #traceRow;
  readonly #logs: LogRows;
  readonly #damageReporter: DamageReporter;
  /** Traces of the running commit; `#spans` counts the spans of all others. */
  readonly #inUse = new Set<OpenTrace>();
  #spans = 0;

  constructor(db: OpenDatabase, logs: LogRows, damageReporter: DamageReporter) {
    this.#logs = logs;
    this.#damageReporter = damageReporter;
    this.#rows = treeRowsOf(db);
    const termValue = (column: string) => `coalesce((SELECT value FROM term WHERE term.id = trace.${column}), '') AS ${column}`;
    this.#traceRow = db.prepare<[number], TraceRow>(
      `SELECT tags, added_tags, ${termValue('session_name')}, ${termValue('prompt_name')}, ${termValue('trace_name')} FROM trace WHERE id = ?`,
    );
  }

  /** @param isNew the trace has no spans yet */
  of(id: number, isNew: boolean): OpenTrace {
    const cached = this.#trees.get(id);
    if (cached) {
      this.#trees.delete(id);
      this.#trees.set(id, cached);
      if (!this.#inUse.has(cached)) this.#spans -= cached.tree.size;
      this.#inUse.add(cached);
      return cached;
    }
    const tree = new TraceTree<number, number>();
    if (!isNew) for (const row of this.#rows.iterate(id)) tree.put(fromRow(row));
    const {
      tags = '[]',
      added_tags = '[]',
      session_name = '',
      prompt_name = '',
      trace_name = '',
    } = (isNew ? undefined : this.#traceRow.get(id)) ?? {};
    const names = { session_name, prompt_name, trace_name };
    const readTags = (list: string) => new Set(this.#damageReporter.read('trace', id, () => storedTags(list)) ?? []);
    const trace: OpenTrace = {
      id,
      tree,
      tags: readTags(tags),
      addedTags: readTags(added_tags),
      names,
      logged: new Set(isNew ? [] : this.#logs.loggedSpans(id)),
      terms: new Set(),
      hasOtherTerms: !isNew,
      documents: new Set(),
    };
    this.#trees.set(id, trace);
    this.#inUse.add(trace);
    return trace;
  }

  /** Evicts the least recently used traces beyond the limit. Call after a commit. */
  trim(): void {
    for (const { tree } of this.#inUse) this.#spans += tree.size;
    this.#inUse.clear();
    for (const [id, { tree }] of this.#trees) {
      if (this.#spans <= spansMax) return;
      this.#trees.delete(id);
      this.#spans -= tree.size;
    }
  }

  /** Evicts a removed trace. */
  drop(id: number): void {
    const trace = this.#trees.get(id);
    if (!trace) return;
    this.#trees.delete(id);
    if (!this.#inUse.delete(trace)) this.#spans -= trace.tree.size;
  }

  forget(): void {
    this.#trees.clear();
    this.#inUse.clear();
    this.#spans = 0;
  }
}

/** Statement for the spans of a trace, to be read by `fromRow`. */
export const treeRowsOf = (db: OpenDatabase): Statement<[number], Row> =>
  db.prepare<[number], Row>(`
    SELECT id, span_id, parent_id, start_us, start_rest_ns, duration_ns, status, type, flags, cost, tokens,
           input_tokens, output_tokens, name, trace_name, session, user, metadata
    FROM span WHERE trace = ?`);

/** @throws StorageError `corrupt`, because invalid numbers would make the sums wrong */
export function fromRow(row: Row): StoredTreeSpan {
  requireNumbers(row, ['start_us', 'start_rest_ns', 'duration_ns', 'status', 'type', 'flags', 'name'], 'A span');
  return {
    row: row.id,
    span_id: readStoredId(row.span_id),
    parent_id: row.parent_id === null ? null : readStoredId(row.parent_id),
    start_us: row.start_us,
    start_rest_ns: row.start_rest_ns,
    duration_ns: row.duration_ns,
    status: row.status,
    generation: row.type === 1,
    pending: (row.flags & flag.pending) !== 0,
    placeholder: (row.flags & flag.placeholder) !== 0,
    bookkeeping: (row.flags & flag.bookkeeping) !== 0,
    has_input: hasSide(row.flags, flag.hasInput),
    has_output: hasSide(row.flags, flag.hasOutput),
    cost: row.cost,
    tokens:
      row.tokens ?? (row.input_tokens === null && row.output_tokens === null ? null : (row.input_tokens ?? 0) + (row.output_tokens ?? 0)),
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    name: row.name,
    trace_name: row.trace_name ?? 0,
    session: row.session ?? 0,
    user: row.user ?? 0,
    metadata: row.metadata ?? 0,
  };
}

/** Null when it is unknown. */
function hasSide(flags: number, side: number): boolean | null {
  if ((flags & side) !== 0) return true;
  return (flags & flag.hasPreview) === 0 ? null : false;
}

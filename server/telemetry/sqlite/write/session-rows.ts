/**
 * Updates the sums of sessions whose traces changed. A session consists of all traces with at least one span that has its id, but for bookkeeping
 * (docs/reference/ingest.md#sessions).
 */
import { picosOf, picosPerDollar } from '../../trace-tree.ts';
import { type DamageReporter, requireNumbers, storedTags } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { StoredRollup } from './stored-tree.ts';
import type { Names, OpenTrace } from './trees.ts';

/** Contribution of a trace to its sessions. */
interface Part extends Names {
  start_us: number;
  end_us: number;
  /** Cost in picodollars, whose sum is exact in any order. */
  picos: bigint;
  tokens: number;
  longest_ns: number;
  tags: readonly string[];
}

interface Row extends Omit<Part, 'picos' | 'tags'> {
  id: number;
  cost: number;
  tags: string;
}

/** The contributions to a session, by trace. */
interface Session {
  scope: number;
  parts: Map<number, Part>;
}

/** Enough for active sessions; a session that was evicted is read back from the rows of its traces. */
const partsMax = 10_000;

export class SessionRows {
  readonly #sessions = new Map<number, Session>();
  readonly #changed = new Set<number>();
  readonly #traces;
  readonly #save;
  readonly #remove;
  readonly #damageReporter: DamageReporter;

  constructor(db: OpenDatabase, damageReporter: DamageReporter) {
    this.#damageReporter = damageReporter;
    const termValue = (column: string) => `coalesce((SELECT value FROM term WHERE term.id = trace.${column}), '') AS ${column}`;
    // From the terms to the traces: without CROSS, the planner looks for the term of each trace of the store in the recent ones.
    this.#traces = db.prepare<[number], Row>(`
      SELECT trace.id, start_us, end_us, cost, tokens, longest_ns, tags,
             ${termValue('session_name')}, ${termValue('prompt_name')}, ${termValue('trace_name')}
      FROM all_trace_terms AS terms CROSS JOIN trace ON trace.id = terms.trace
      WHERE terms.term = ? AND trace.span_count > 0 AND trace.bookkeeping = 0`);
    this.#save = db.prepare(`INSERT OR REPLACE INTO session (id, scope, name, start_us, end_us, trace_count, cost, tokens, latency_ns, tags)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#remove = db.prepare('DELETE FROM session WHERE id = ?');
  }

  /** Expected row of a session, in the order of `sessionColumns`; null when it should not exist. */
  expected(id: number): unknown[] | null {
    const parts = [...this.#read(id).values()];
    return parts.length === 0 ? null : rowValuesOf(parts);
  }

  /** Updates the contribution of a changed trace. */
  put(scope: number, session: number, trace: OpenTrace, rollup: StoredRollup): void {
    if (rollup.bookkeeping) {
      this.drop(scope, session, trace);
      return;
    }
    const { id, names, tags } = trace;
    const { start_us, end_us, cost, tokens, longest_ns } = rollup;
    this.#open(scope, session).parts.set(id, {
      start_us,
      end_us,
      picos: BigInt(picosOf(cost)),
      tokens,
      longest_ns,
      ...names,
      tags: [...tags],
    });
  }

  /** Removes a trace from a session. */
  drop(scope: number, session: number, trace: OpenTrace): void {
    this.#open(scope, session).parts.delete(trace.id);
  }

  /** Writes the rows of changed sessions, and deletes those without traces. */
  save(): void {
    for (const id of this.#changed) {
      const { scope, parts } = this.#sessions.get(id) as Session;
      this.#write(id, scope, parts);
    }
    this.#changed.clear();
  }

  /** Sums a session from the rows of its traces, because cached ids may be of deleted ones. Caches nothing, since the transaction may fail. */
  recompute(scope: number, id: number): void {
    this.#sessions.delete(id);
    this.#write(id, scope, this.#read(id));
  }

  #write(id: number, scope: number, parts: Session['parts']): void {
    if (parts.size === 0) this.#remove.run(id);
    else this.#save.run(id, scope, ...rowValuesOf([...parts.values()]));
  }

  #open(scope: number, id: number): Session {
    this.#changed.add(id);
    const session = this.#sessions.get(id) ?? { scope, parts: this.#read(id) };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  #read(id: number): Session['parts'] {
    return new Map(this.#damageReporter.rows('trace', this.#traces.all(id), partOf));
  }

  /** Evicts the least recently used sessions beyond the limit. Call after a commit. */
  trim(): void {
    let parts = 0;
    for (const session of this.#sessions.values()) parts += session.parts.size;
    for (const [id, session] of this.#sessions) {
      if (parts <= partsMax) return;
      this.#sessions.delete(id);
      parts -= session.parts.size;
    }
  }

  /** Call after a rollback: cached values may be wrong. */
  forget(): void {
    this.#sessions.clear();
    this.#changed.clear();
  }
}

function partOf({ id, cost, tags, ...row }: Row): [number, Part] {
  requireNumbers({ ...row, cost }, ['start_us', 'end_us', 'cost', 'tokens', 'longest_ns'], 'A trace');
  return [id, { ...row, picos: BigInt(picosOf(cost)), tags: storedTags(tags) }];
}

export const sessionColumns = ['name', 'start_us', 'end_us', 'trace_count', 'cost', 'tokens', 'latency_ns', 'tags'] as const;

/** Name, start, end, number of traces, cost, tokens, latency, tags. */
function rowValuesOf(parts: Part[]): unknown[] {
  const smallest = (key: keyof Names) =>
    parts.reduce((least, part) => (least === '' || (part[key] !== '' && part[key] < least) ? part[key] : least), '');
  const sum = { start_us: Number.POSITIVE_INFINITY, end_us: 0, picos: 0n, tokens: 0, longest_ns: 0 };
  const tags = new Set<string>();
  for (const part of parts) {
    sum.start_us = Math.min(sum.start_us, part.start_us);
    sum.end_us = Math.max(sum.end_us, part.end_us);
    sum.picos += part.picos;
    sum.tokens += part.tokens;
    sum.longest_ns = Math.max(sum.longest_ns, part.longest_ns);
    for (const tag of part.tags) tags.add(tag);
  }
  return [
    smallest('session_name') || smallest('prompt_name') || smallest('trace_name'),
    sum.start_us,
    sum.end_us,
    parts.length,
    Number(sum.picos) / picosPerDollar,
    Math.min(sum.tokens, Number.MAX_SAFE_INTEGER),
    sum.longest_ns,
    JSON.stringify([...tags].sort()),
  ];
}

/** Writes the tags that people give to traces, beside those that their spans were sent with. */
import type { WriteOutcome } from '../../../ingest/sink.ts';
import { addedTagsMax, type TagChange } from '../../trace-tags.ts';
import { storedTags } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Touched, TraceRows } from './trace-rows.ts';
import type { TraceTerms } from './trace-terms.ts';
import type { OpenTrace, Trees } from './trees.ts';

interface Stores {
  traces: TraceRows;
  terms: TraceTerms;
  trees: Trees;
}

export class TagWriter {
  readonly #stores: Stores;
  readonly #sentTags;

  constructor(db: OpenDatabase, stores: Stores) {
    this.#stores = stores;
    // Spans from before migration 5 have no tags here. One of theirs is never among the added ones, so it is not removed either.
    this.#sentTags = db
      .prepare<[number], string>('SELECT DISTINCT term.value FROM span JOIN term ON term.id = span.tags WHERE span.trace = ?')
      .pluck();
  }

  /**
   * `accepted` counts the changed traces, `duplicates` those that needed no change, `conflicts` names traces that would have too many tags; if
   * there are any, nothing is changed. Unknown traces are left out.
   */
  apply(scope: number, { trace_ids, add, remove }: TagChange, touched: Map<number, Touched>): WriteOutcome {
    const outcome: WriteOutcome = { accepted: 0, duplicates: 0, conflicts: [] };
    const changes: { entry: Touched; added: string[]; removed: string[] }[] = [];
    for (const traceId of new Set(trace_ids)) {
      const entry = this.#find(scope, traceId, touched);
      if (!entry) continue;
      const { tags, addedTags } = entry.trace;
      const added = [...new Set(add)].filter((tag) => !tags.has(tag));
      const removed = [...new Set(remove)].filter((tag) => addedTags.has(tag) && !add.includes(tag));
      if (addedTags.size + added.length - removed.length > addedTagsMax) outcome.conflicts.push(traceId);
      else if (added.length + removed.length > 0) changes.push({ entry, added, removed });
      else outcome.duplicates++;
    }
    if (outcome.conflicts.length > 0) return { ...outcome, duplicates: 0 };
    for (const { entry, added, removed } of changes) this.#change(entry, added, removed);
    return { ...outcome, accepted: changes.length };
  }

  #change(entry: Touched, added: string[], removed: string[]): void {
    const { scope, trace } = entry;
    this.#stores.terms.addTags(scope, trace, added);
    if (removed.length > 0) {
      const sent = this.#sentTagsOf(trace);
      this.#stores.terms.removeTags(scope, trace, removed, (tag) => sent.has(tag));
    }
    entry.isTagged = true;
  }

  #sentTagsOf({ id }: OpenTrace): Set<string> {
    return new Set(this.#sentTags.all(id).flatMap(storedTags));
  }

  /** Null for an unknown trace, also one whose spans have not arrived. */
  #find(scope: number, traceId: string, touched: Map<number, Touched>): Touched | null {
    const { traces, trees } = this.#stores;
    const id = traces.find(scope, traceId);
    if (id === undefined) return null;
    const existing = touched.get(id);
    if (existing) return existing;
    const trace = trees.of(id, false);
    if (!trace.tree.isVisible) return null;
    const entry: Touched = {
      scope,
      trace,
      traceId,
      arrived: new Map(),
      inserted: 0,
      replaced: [],
      isTagged: false,
      steps: [],
      isTurn: false,
    };
    touched.set(id, entry);
    return entry;
  }
}

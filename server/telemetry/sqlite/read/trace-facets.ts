/** Most frequent values of the newest traces of a list. */
import { desc } from 'drizzle-orm';
import type { FacetName, TraceFacets, TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import { statuses, termKey } from '../file/codes.ts';
import { storedTags } from '../file/damaged.ts';
import { traces } from '../file/schema.ts';
import type { ReadContext } from './read-context.ts';
import { tracesWhere } from './trace-where.ts';

/** Number of traces that a reader counts in some 50 ms. */
const countedMax = 10_000;

/** Number of terms that are counted for each facet. */
const termsMax = 200;

/** If at least one in this many traces is counted, postings are scanned; otherwise each trace is looked up. */
const sparseFactor = 20;

/** Fields of spans, which are only in the term index. */
const termFields = { model: termKey.model, semantic_kind: termKey.kind, environment: termKey.environment } as const;

type Counts = Map<string, number>;

interface CountedRow {
  id: number;
  status: number;
  user: number;
  session: number;
  prompt: number;
  tags: string;
}

export class TraceFacetReads {
  readonly #context: ReadContext;
  readonly #terms;
  readonly #postings;
  readonly #lookups;
  readonly #rows;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    this.#rows = db.prepare<[string], CountedRow>(
      `SELECT trace.id, status, user, session, prompt_name AS prompt, tags FROM json_each(?) AS place
       CROSS JOIN trace ON trace.id = place.value ORDER BY place.key`,
    );
    this.#terms = db.prepare<[number, string, number], { id: number; value: string }>(
      'SELECT id, value FROM term WHERE scope = ? AND key = ? LIMIT ?',
    );
    this.#postings = db
      .prepare<[number, number, number], number>('SELECT trace FROM trace_term WHERE term = ? AND trace BETWEEN ? AND ?')
      .pluck();
    this.#lookups = db
      .prepare<[number, string], number>('SELECT count(*) FROM trace_term WHERE term = ? AND trace IN (SELECT value FROM json_each(?))')
      .pluck();
  }

  facets(scope: number, query: TracesNarrowing & { limit: number }): TraceFacets {
    const { lookup, damageReporter } = this.#context;
    const newest = this.#newest(scope, query);
    const rows = newest.slice(0, countedMax);
    const text = (term: number) => lookup.text(term);
    const ids = rows.map(({ id }) => id);
    const counts: Record<FacetName, Counts> = {
      status: countValues(rows.map(({ status }) => statuses[status] ?? '')),
      model: this.#countTerms(scope, termFields.model, ids),
      semantic_kind: this.#countTerms(scope, termFields.semantic_kind, ids),
      user_id: withNames(countValues(rows.map(({ user }) => user)), text),
      session_id: withNames(countValues(rows.map(({ session }) => session)), text),
      tags: countValues(damageReporter.rows('trace', rows, ({ tags }) => storedTags(tags)).flat()),
      prompt_name: withNames(countValues(rows.map(({ prompt }) => prompt)), text),
      environment: this.#countTerms(scope, termFields.environment, ids),
    };
    const facets = (Object.keys(counts) as FacetName[]).map((name) => ({ name, ...mostFrequent(counts[name], query.limit) }));
    return { looked_at: rows.length, is_whole: newest.length <= countedMax, facets };
  }

  #newest(scope: number, query: TracesNarrowing): CountedRow[] {
    const { orm, damageReporter } = this.#context;
    const ids = orm
      .select({ id: traces.id })
      .from(traces)
      .where(tracesWhere(this.#context, scope, query).condition)
      .orderBy(desc(traces.listed_us), desc(traces.id))
      .limit(countedMax + 1)
      .all()
      .map(({ id }) => id);
    return damageReporter.fetch(
      'trace',
      ids,
      () => this.#rows.all(JSON.stringify(ids)),
      (id) => this.#rows.get(JSON.stringify([id])),
    );
  }

  #countTerms(scope: number, key: string, ids: readonly number[]): Counts {
    const counts: Counts = new Map();
    if (ids.length === 0) return counts;
    const first = ids.reduce((least, id) => Math.min(least, id));
    const last = ids.reduce((greatest, id) => Math.max(greatest, id));
    const isDense = last - first < ids.length * sparseFactor;
    const set = new Set(ids);
    const list = JSON.stringify(ids);
    for (const { id, value } of this.#terms.all(scope, key, termsMax)) {
      this.#context.limit.check();
      let count = 0;
      if (isDense) for (const trace of this.#postings.iterate(id, first, last)) count += set.has(trace) ? 1 : 0;
      else count = this.#lookups.get(id, list) ?? 0;
      if (count > 0) counts.set(value, count);
    }
    return counts;
  }
}

function countValues<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Replaces term ids by their texts. Rows without a term have the id 0. */
function withNames(counts: Map<number, number>, text: (term: number) => string): Counts {
  return new Map([...counts].flatMap(([term, count]) => (term === 0 ? [] : [[text(term), count] as const])));
}

/** Most frequent values, and the number of others. */
function mostFrequent(counts: Counts, limit: number): { values: { value: string; count: number }[]; more: number } {
  const values = [...counts].filter(([value]) => value !== '').map(([value, count]) => ({ value, count }));
  values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { values: values.slice(0, limit), more: Math.max(0, values.length - limit) };
}

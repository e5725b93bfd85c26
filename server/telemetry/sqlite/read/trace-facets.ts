/** Most frequent values of the newest traces of a list. */
import type { FacetName, TraceFacets } from '../../../../shared/contract/tracing/trace-facets.ts';
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import { andWith, countBits, IdSet } from '../columns/bitmap.ts';
import { readMatches } from '../columns/read-matches.ts';
import { isRow, newRowSet } from '../columns/row-conditions.ts';
import type { Matches } from '../columns/row-page.ts';
import { statuses, termKey } from '../file/codes.ts';
import { storedTags } from '../file/damaged.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';
import { SpanFacets } from './span-facets.ts';

/** So many traces tell what is frequent. */
const countedMax = 10_000;

const failed = statuses.indexOf('ERROR');

/** Number of terms that are counted for each facet. */
const termsMax = 200;

/** Fields of spans, which are only in the term index. */
const termFields = { model: termKey.model, semantic_kind: termKey.kind, environment: termKey.environment } as const;

type Counts = Map<string, number>;

interface TagsRow {
  id: number;
  tags: string;
}

export class TraceFacetReads {
  readonly #context: ReadContext;
  readonly #terms;
  readonly #tags;
  readonly #errors;
  readonly #spans: SpanFacets;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    this.#spans = new SpanFacets(context);
    this.#tags = db.prepare<[string], TagsRow>(
      'SELECT trace.id, tags FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value ORDER BY place.key',
    );
    this.#errors = db.prepare<[string], TraceFacets['errors']>(
      `SELECT count(*) AS any, count(*) FILTER (WHERE status = ${failed}) AS failed, count(*) FILTER (WHERE status <> ${failed}) AS inside
       FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value WHERE trace.error_count > 0`,
    );
    this.#terms = db.prepare<[number, string, number], { id: number; value: string }>(
      'SELECT id, value FROM term WHERE scope = ? AND key = ? LIMIT ?',
    );
  }

  facets(scope: number, query: TracesNarrowing & { limit: number }): TraceFacets {
    const { lookup, damageReporter } = this.#context;
    const { ids: newest, isComplete } = newestTraces(this.#context, scope, query, countedMax);
    const ids = newest.slice(0, countedMax);
    const matches = this.#matchesOf(ids);
    const { status, user, session, prompt } = this.#countColumns(matches);
    const text = (term: number) => lookup.text(term);
    const { tool, agent, service } = this.#spans.names(scope, ids);
    const counts: Record<FacetName, Counts> = {
      error: this.#spans.errorTypes(ids),
      tool,
      agent,
      model: this.#countTerms(scope, termFields.model, matches),
      service,
      environment: this.#countTerms(scope, termFields.environment, matches),
      user_id: withNames(user, text),
      session_id: withNames(session, text),
      status: new Map([...status].map(([code, count]) => [statuses[code] ?? '', count])),
      tags: countValues(damageReporter.rows('trace', this.#tagsOf(ids), ({ tags }) => storedTags(tags)).flat()),
      prompt_name: withNames(prompt, text),
      semantic_kind: this.#countTerms(scope, termFields.semantic_kind, matches),
    };
    const facets = (Object.keys(counts) as FacetName[]).map((name) => ({ name, ...mostFrequent(counts[name], query.limit) }));
    return { looked_at: ids.length, is_whole: isComplete && newest.length <= countedMax, errors: this.#countErrors(ids), facets };
  }

  #matchesOf(ids: readonly number[]): Matches[] {
    const set = IdSet.of(ids);
    const condition = isRow(set);
    return this.#context.traceColumns.groups
      .all()
      .map((group) => {
        const rows = newRowSet();
        condition(group, rows);
        return { group, rows, count: countBits(rows) };
      })
      .filter(({ count }) => count > 0);
  }

  #countColumns(matches: readonly Matches[]): Record<'status' | 'user' | 'session' | 'prompt', Map<number, number>> {
    const names = ['status', 'user', 'session', 'prompt'] as const;
    const counts = { status: new Map(), user: new Map(), session: new Map(), prompt: new Map() };
    readMatches(
      matches,
      names,
      () => this.#context.limit.check(),
      (columns, row) => {
        for (const name of names) {
          const value = columns[name][row] as number;
          counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
        }
      },
    );
    return counts;
  }

  #countErrors(ids: readonly number[]): TraceFacets['errors'] {
    const none = { any: 0, failed: 0, inside: 0 };
    return this.#context.damageReporter.read('database', 'errors of traces', () => this.#errors.get(JSON.stringify(ids))) ?? none;
  }

  #tagsOf(ids: readonly number[]): TagsRow[] {
    return this.#context.damageReporter.fetch(
      'trace',
      ids,
      () => this.#tags.all(JSON.stringify(ids)),
      (id) => this.#tags.get(JSON.stringify([id])),
    );
  }

  #countTerms(scope: number, key: string, matches: readonly Matches[]): Counts {
    const counts: Counts = new Map();
    if (matches.length === 0) return counts;
    for (const { id, value } of this.#terms.all(scope, key, termsMax)) {
      this.#context.limit.check();
      let count = 0;
      for (const { group, rows } of matches) {
        const holding = this.#context.traceColumns.postings.inSegment(id, group.segment);
        andWith(holding, rows);
        count += countBits(holding);
      }
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
export function mostFrequent(counts: Counts, limit: number): { values: { value: string; count: number }[]; more: number } {
  const values = [...counts].filter(([value]) => value !== '').map(([value, count]) => ({ value, count }));
  values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { values: values.slice(0, limit), more: Math.max(0, values.length - limit) };
}

/** Spans that match conditions, found by columns: how many, and which are on a page. */
import { sql } from 'drizzle-orm';
import type { Filter, ScorePredicate } from '../../../../shared/filter/filter-tree.ts';
import type { TextTest } from '../../../../shared/filter/matcher.ts';
import { filterConditions } from '../../filter-sql.ts';
import { termKey } from '../file/codes.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import { boundOf } from '../read/bound.ts';
import { termsWhere } from '../read/filter-comparisons.ts';
import { spanNamesWhere, traceIdHolds } from '../read/filter-dialect.ts';
import { inTime, type TimeLimit } from '../read/time-limit.ts';
import { countBits, eachBit, IdSet } from './bitmap.ts';
import { readColumn } from './chunk-codec.ts';
import type { ValueTest } from './match-column.ts';
import { all, holds, isEmpty, newRowSet, type RowCondition } from './row-conditions.ts';
import { type RowGroup, RowGroups } from './row-groups.ts';
import type { Matches, SortKey } from './row-page.ts';
import { type FilterLookup, spanColumnDialect } from './span-dialect.ts';
import { rowsMax, type SpanColumn, spanResource, type TraceColumn } from './stored-columns.ts';
import { TermPostings } from './term-postings.ts';

/** What the columns need of a read context. */
export interface ColumnContext {
  db: OpenDatabase;
  documents: Documents;
  limit: TimeLimit;
  damageReporter: DamageReporter;
  rowsWithScore(resource: 'traces' | 'spans', scope: number, predicate: ScorePredicate): Iterable<number>;
}

/** A condition of a list beside its filter. */
export interface PlainCondition {
  column: SpanColumn;
  test: ValueTest;
}

export class SpanColumns {
  readonly postings: TermPostings;
  readonly #context: ColumnContext;
  readonly #groups: RowGroups;

  constructor(context: ColumnContext) {
    this.#context = context;
    this.#groups = new RowGroups(context.db, spanResource, context.damageReporter);
    this.postings = new TermPostings(context.db, context.damageReporter);
  }

  /** Whether they are faster than the table. */
  areMade(): boolean {
    return this.#groups.areMade();
  }

  groups(): RowGroup[] {
    return this.#groups.all();
  }

  /** @param filter must not have predicates on contents @param groups those to search */
  find(scope: number, plain: readonly PlainCondition[], filter: Filter | undefined, groups = this.groups()): Matches[] {
    const conditions = [
      holds('scope', { ids: IdSet.of([scope]) }),
      ...plain.map(({ column, test }) => holds(column, test)),
      ...(filter ? filterConditions(filter, spanColumnDialect(this.#lookup(scope))) : []),
    ];
    return matchesOf(groups, all(conditions), () => this.#context.limit.check());
  }

  /** Row ids of the traces of the spans for which a condition holds. */
  tracesOf(scope: number, condition: RowCondition): IdSet {
    const traces = new IdSet();
    const values = new Float64Array(rowsMax);
    const rows = newRowSet();
    const visible = all([condition, holds('scope', { ids: IdSet.of([scope]) })]);
    for (const group of this.#groups.all()) {
      this.#context.limit.check();
      visible(group, rows);
      if (!isEmpty(rows)) {
        readColumn(group.column('trace'), group.size, values);
        eachBit(rows, (row) => traces.add(values[row] as number));
      }
      group.release();
    }
    return traces;
  }

  filterLookup(scope: number): Omit<FilterLookup, 'rowsWithScore'> {
    const lookup = rowLookup(this.#context, scope);
    const check = () => this.#context.limit.check();
    return { ...lookup, tracesWithTerm: (key, test) => this.postings.tracesWith(lookup.terms(key, test), check) };
  }

  #lookup(scope: number): FilterLookup {
    const { rowsWithScore } = this.#context;
    return { ...this.filterLookup(scope), rowsWithScore: (predicate) => rowsWithScore('spans', scope, predicate) };
  }
}

/** Groups without matches are left out. */
export function matchesOf(groups: readonly RowGroup[], condition: RowCondition, check: () => void): Matches[] {
  const matches: Matches[] = [];
  let rows = newRowSet();
  for (const group of groups) {
    check();
    condition(group, rows);
    group.release();
    const count = countBits(rows);
    if (count === 0) continue;
    matches.push({ group, rows, count });
    rows = newRowSet();
  }
  return matches;
}

/** Orders the matches by the text of a term, as SQLite orders texts. */
export function byText(
  { db, limit }: Pick<ColumnContext, 'db' | 'limit'>,
  column: SpanColumn & TraceColumn,
  matches: readonly Matches[],
): SortKey {
  const terms = new Set<number>();
  for (const { group, rows } of matches) {
    limit.check();
    const values = new Float64Array(rowsMax);
    readColumn(group.column(column), group.size, values);
    group.release();
    eachBit(rows, (row) => terms.add(values[row] as number));
  }
  const ranks = new Map<number, number>();
  // Names of traces and of spans are different terms, which may have the same text.
  const sorted = db.prepare<[string], { id: number; rank: number }>(
    'SELECT id, dense_rank() OVER (ORDER BY value) AS rank FROM term WHERE id IN (SELECT value FROM json_each(?))',
  );
  for (const { id, rank } of sorted.iterate(JSON.stringify([...terms]))) ranks.set(id, rank);
  return {
    zone: () => ({ low: -1, high: ranks.size }),
    read: (group, into) => {
      readColumn(group.column(column), group.size, into);
      for (let row = 0; row < group.size; row++) into[row] = ranks.get(into[row] as number) ?? -1;
    },
  };
}

export const totalOf = (matches: readonly Matches[]): number => matches.reduce((sum, { count }) => sum + count, 0);

function rowLookup(
  { db, documents, damageReporter }: ColumnContext,
  scope: number,
): Omit<FilterLookup, 'rowsWithScore' | 'tracesWithTerm'> {
  const idsOf = (condition: ReturnType<typeof termsWhere>) => {
    const { text, values } = boundOf(condition);
    return IdSet.of(
      db
        .prepare<unknown[], number>(`SELECT id FROM (${text}) WHERE ${inTime('id')}`)
        .pluck()
        .iterate(...values),
    );
  };
  return {
    terms: (key: string, test: TextTest) => idsOf(termsWhere(scope, key, test)),
    spanNames: (field, test) => idsOf(spanNamesWhere(field, scope, test)),
    tagSets: (tags) =>
      idsOf(
        sql`SELECT term.id FROM term WHERE term.scope = ${scope} AND term.key = ${termKey.tagSet} AND has_tag(term.value, ${JSON.stringify(tags)})`,
      ),
    traces: (test) => idsOf(sql`SELECT trace.id FROM trace WHERE trace.scope = ${scope} AND ${traceIdHolds(test)}`),
    metadata: (document, key) => {
      const found = damageReporter.read('row', `document ${document}`, () => documents.parsed(document) as Record<string, string>);
      return found && Object.hasOwn(found, key) ? (found[key] as string) : null;
    },
  };
}

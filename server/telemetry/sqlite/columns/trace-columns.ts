/** Traces that match conditions, found by columns: how many, and which are on a page. */
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { filterConditions } from '../../filter-sql.ts';
import { IdSet } from './bitmap.ts';
import type { ValueTest } from './match-column.ts';
import { all, holds, isRow, isUpTo, not, type RowCondition } from './row-conditions.ts';
import { RowGroups } from './row-groups.ts';
import type { Matches } from './row-page.ts';
import { type ColumnContext, matchesOf, type SpanColumns } from './span-columns.ts';
import { type TraceColumn, traceResource } from './stored-columns.ts';
import type { TermPostings } from './term-postings.ts';
import { traceColumnDialect } from './trace-dialect.ts';

/** Conditions of a list beside its filter. */
export interface TraceConditions {
  columns: readonly { column: TraceColumn; test: ValueTest }[];
  /** Each trace must hold one term of each of these sets. */
  terms: readonly (readonly number[])[];
  /** Row id of the last trace that counts. */
  arrived: number | undefined;
  /** Row id of the trace before the first that counts. */
  after: number | undefined;
}

export class TraceColumns {
  readonly groups: RowGroups;
  readonly postings: TermPostings;
  readonly #context: ColumnContext;
  readonly #spans: SpanColumns;

  constructor(context: ColumnContext, spans: SpanColumns) {
    this.#context = context;
    this.#spans = spans;
    this.groups = new RowGroups(context.db, traceResource, context.damageReporter);
    this.postings = spans.postings;
  }

  /** @param filter must not have predicates on contents */
  find(scope: number, { columns, terms, arrived, after }: TraceConditions, filter: Filter | undefined): Matches[] {
    const check = () => this.#context.limit.check();
    const conditions: RowCondition[] = [
      ...terms.map((ids) => isRow(this.postings.tracesWith(IdSet.of(ids.filter((id) => id > 0)), check))),
      ...(arrived === undefined ? [] : [isUpTo(arrived)]),
      ...(after === undefined ? [] : [not(isUpTo(after))]),
      ...columns.map(({ column, test }) => holds(column, test)),
      ...(filter ? this.#filterConditions(scope, filter) : []),
      holds('scope', { ids: IdSet.of([scope]) }),
    ];
    return matchesOf(this.groups.all(), all(conditions), check);
  }

  #filterConditions(scope: number, filter: Filter): RowCondition[] {
    const { rowsWithScore, limit } = this.#context;
    const dialect = traceColumnDialect({
      ...this.#spans.filterLookup(scope),
      rowsWithScore: (predicate) => rowsWithScore('traces', scope, predicate),
      tracesWith: (terms) => this.postings.tracesWith(terms, () => limit.check()),
      tracesOfSpans: (condition) => this.#spans.tracesOf(scope, condition),
    });
    return filterConditions(filter, dialect);
  }
}

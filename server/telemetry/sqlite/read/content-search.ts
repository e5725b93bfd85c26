/**
 * Lists that are filtered by contents. Texts are read, so a search ends when its time is spent: what it found until then is the result, and its
 * number a lower bound.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { PageQuery } from '../../../platform/page.ts';
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { type Bound, boundOf } from './bound.ts';
import { CandidateSpans, type NeededWords, type SpanRange, type Starts } from './candidate-spans.ts';
import { type ContentClause, clauseHolds, closingColumns, isClosed, neededWords, selectivity, wordsOfContents } from './content-clauses.ts';
import { BudgetSpent, SearchBudget } from './search-budget.ts';
import { type ContentContext, SpanContents } from './span-contents.ts';
import { isVisible } from './span-wire.ts';
import { TraceContents } from './trace-contents.ts';

export interface ContentSearch {
  resource: 'traces' | 'spans';
  scope: number;
  /** Conditions of the list on rows of `trace` or `span`. */
  rows: Bound;
  clauses: readonly ContentClause[];
  /** The conditions to which clauses refer by index. */
  columns: readonly SQL[];
  /** Of the rows of the list, as far as their conditions restrict them. */
  starts: Starts;
  /** SQL of the order of the list; null for the newest first. */
  order: string | null;
  /** Number of first rows of the list after which only the total is of interest. */
  wanted: number;
  /** Whether the rows are so few that each is tested. */
  isNarrow: boolean;
}

export interface FoundRows {
  /** Row ids in the order of the list. */
  ids: number[];
  /** Whether they are all. */
  isComplete: boolean;
}

export interface FoundPage {
  ids: number[];
  total: number;
  totalIsLowerBound: boolean;
}

export const foundPage = ({ ids, isComplete }: FoundRows, { limit, offset }: PageQuery): FoundPage => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
  totalIsLowerBound: !isComplete,
});

interface Row extends SpanPlace {
  id: number;
  /** Row id of the span or of its trace, and its place in the list. */
  match: number;
  listed: number;
  [column: `is_${number}`]: number;
}

/** A clause whose words narrow the spans to read. */
interface Driving {
  clause: ContentClause;
  needed: NeededWords[number];
  /** Conditions on columns that satisfy it without words, by their index. */
  closing: number[];
}

const newestOrder = { traces: 'trace.listed_us DESC, trace.id DESC', spans: 'span.start_us DESC, span.id DESC' } as const;
const matchColumns = {
  traces: 'trace.id AS match, trace.listed_us AS listed',
  spans: 'span.id AS match, span.start_us AS listed',
} as const;

/** Ranges that are read by one statement, at first and at most: a statement may begin with subqueries. */
const rangesMin = 2;
const rangesMax = 512;

export function searchContents(context: ContentContext, search: ContentSearch): FoundRows {
  return new Searching(context, search).run();
}

class Searching {
  readonly #context: ContentContext;
  readonly #search: ContentSearch;
  readonly #budget: SearchBudget;
  readonly #contents: SpanContents;
  readonly #traces: TraceContents;
  /** Places in the list of the rows found, and the traces that were refused. */
  readonly #found = new Map<number, number>();
  readonly #refused = new Set<number>();
  /** What spans must have, whichever are read. */
  readonly #words: NeededWords;
  #isFull = false;
  /** Rows that conditions on columns select, and the next of them. */
  #closed: Iterator<Row> | null = null;
  #nextClosed: Row | undefined;

  constructor(context: ContentContext, search: ContentSearch) {
    this.#context = context;
    this.#search = search;
    this.#words = search.clauses.map(neededWords).filter((lists) => lists !== null);
    this.#budget = new SearchBudget(context.limit);
    this.#contents = new SpanContents(context);
    this.#traces = new TraceContents(context, this.#contents, this.#budget);
  }

  run(): FoundRows {
    const { order, isNarrow } = this.#search;
    const driving = isNarrow ? [] : this.#driving();
    const isSorted = driving.length === 0;
    let isComplete = true;
    try {
      if (isSorted) this.#walk();
      else this.#drive(driving);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      isComplete = false;
    }
    const ids = [...this.#found.keys()];
    if (isSorted) return { ids, isComplete };
    return { ids: order === null ? this.#newestFirst() : this.#sorted(ids, order), isComplete };
  }

  /**
   * A span must satisfy all clauses; a trace may do so with several spans, so that the words of one clause are sought. So are those of a clause
   * that columns can satisfy as well: their rows are read besides.
   */
  #driving(): Driving[] {
    const { clauses, resource } = this.#search;
    const driving = clauses.flatMap((clause): Driving[] => {
      const needed = wordsOfContents(clause);
      return needed === null ? [] : [{ clause, needed, closing: closingColumns(clause) }];
    });
    const withoutColumns = driving.filter(({ closing }) => closing.length === 0);
    if (resource === 'spans' && withoutColumns.length > 0) return withoutColumns;
    const best = withoutColumns.length > 0 ? withoutColumns : driving;
    return best.sort((a, b) => selectivity(b.needed) - selectivity(a.needed)).slice(0, 1);
  }

  /** Tests the rows in the order of the list. */
  #walk(): void {
    for (const { match, listed } of this.#matches()) {
      this.#found.set(match, listed);
      if (this.#found.size === this.#search.wanted) this.#budget.fill();
    }
  }

  /** The rows that satisfy all clauses, in the order of the list. @param condition that they must satisfy as well */
  *#matches(condition?: Bound): Generator<Row> {
    const { resource, rows, order, clauses } = this.#search;
    const from = resource === 'spans' ? `${spanPlaceColumns}, span.id, ${matchColumns.spans}` : `trace.id, ${matchColumns.traces}`;
    const tests = this.#columns();
    const statement = this.#context.db.prepare<unknown[], Row>(
      `SELECT ${[from, ...tests.names].join(', ')} FROM ${resource === 'spans' ? 'span' : 'trace'}
       WHERE ${rows.text} ${condition ? `AND ${condition.text}` : ''} ORDER BY ${order ?? newestOrder[resource]}`,
    );
    for (const row of statement.iterate(...tests.values, ...rows.values, ...(condition?.values ?? []))) {
      this.#budget.check();
      const isMatch =
        resource === 'spans' ? this.#isSpanMatch(row, clauses, this.#words, null) : this.#traces.hold(row.match, clauses, row);
      if (isMatch) yield row;
    }
  }

  #drive(driving: readonly Driving[]): void {
    const closing = driving.flatMap((each) => each.closing).map((index) => this.#search.columns[index] as SQL);
    if (closing.length > 0) {
      this.#closed = this.#matches(boundOf(sql`(${sql.join(closing, sql` OR `)})`));
      this.#nextClosed = this.#closed.next().value;
    }
    try {
      this.#readCandidates(driving);
      while (this.#nextClosed) this.#reached(this.#nextClosed.listed);
    } finally {
      this.#closed?.return?.();
    }
  }

  /** Adds the rows that columns select as far as they are listed at this time or later, in microseconds. */
  #addClosed(from: number): void {
    for (let row = this.#nextClosed; row && row.listed >= from; row = this.#nextClosed) {
      this.#found.set(row.match, row.listed);
      this.#nextClosed = this.#closed?.next().value;
    }
  }

  /** Reads candidates until they are exhausted. */
  #readCandidates(driving: readonly Driving[]): void {
    const { scope, starts } = this.#search;
    const needed = driving.map((each) => each.needed);
    const isMatch = this.#candidateTest(driving);
    const candidates = new CandidateSpans(this.#context.db, scope, needed, starts);
    const statement = this.#candidateRows();
    for (let count = rangesMin; ; count = Math.min(rangesMax, count * 4)) {
      const ranges = this.#take(candidates, count);
      if (ranges.length === 0) return;
      let range = -1;
      for (const row of statement(ranges)) {
        this.#budget.check();
        if (row.range !== range) this.#reached((ranges[row.range] as SpanRange).newest);
        range = row.range;
        if (this.#found.has(row.match) || this.#refused.has(row.match)) continue;
        const answer = isMatch(row, (ranges[range] as SpanRange).traits);
        if (answer === true) this.#found.set(row.match, row.listed);
        if (answer === false) this.#refused.add(row.match);
      }
      if (candidates.newest !== null) this.#reached(candidates.newest);
    }
  }

  /** Whether a candidate is a match; null for a span of a trace that may match by another span. */
  #candidateTest(driving: readonly Driving[]): (row: Row, traits: number | null) => boolean | null {
    const { resource, clauses } = this.#search;
    const needed = driving.map((each) => each.needed);
    if (resource === 'spans') return (row, traits) => this.#isSpanMatch(row, clauses, needed, traits);
    const { clause } = driving[0] as Driving;
    // Clauses in a clause may be satisfied by different spans.
    const isOfOneSpan = clause.every((member) => !('clauses' in member));
    const others = isOfOneSpan ? clauses.filter((other) => other !== clause) : clauses;
    return (row, traits) => {
      if (!this.#isSpanMatch(row, isOfOneSpan ? [clause] : [], needed, traits)) return null;
      return others.length === 0 || this.#traces.hold(row.match, others, row);
    };
  }

  #take(candidates: CandidateSpans, count: number): SpanRange[] {
    const ranges: SpanRange[] = [];
    while (ranges.length < count) {
      this.#budget.check();
      const range = candidates.next();
      if (!range) break;
      ranges.push(range);
    }
    return ranges;
  }

  /** Everything that is found from here on is listed at this time or before. */
  #reached(newest: number): void {
    const { order, wanted } = this.#search;
    this.#addClosed(newest);
    if (this.#isFull || order !== null || this.#found.size < wanted) return;
    let first = 0;
    for (const listed of this.#found.values()) if (listed > newest) first++;
    this.#isFull = first >= wanted;
    if (this.#isFull) this.#budget.fill();
  }

  #candidateRows(): (ranges: readonly SpanRange[]) => Iterable<Row & { range: number }> {
    const { resource, rows } = this.#search;
    const tests = this.#columns();
    const isOf = resource === 'spans' ? '' : `CROSS JOIN trace ON trace.id = span.trace AND ${isVisible}`;
    const statement = this.#context.db.prepare<unknown[], Row & { range: number }>(
      `SELECT ${['place.key AS range', 'span.id', spanPlaceColumns, matchColumns[resource], ...tests.names].join(', ')}
       FROM json_each(?) AS place CROSS JOIN span NOT INDEXED ON span.id BETWEEN place.value ->> 0 AND place.value ->> 1 ${isOf}
       WHERE ${rows.text} ORDER BY place.key`,
    );
    return (ranges) => statement.iterate(...tests.values, JSON.stringify(ranges.map(({ first, last }) => [first, last])), ...rows.values);
  }

  #isSpanMatch(row: Row, clauses: readonly ContentClause[], needed: NeededWords, traits: number | null): boolean {
    const open = clauses.filter((clause) => !isClosed(clause, row));
    if (open.length === 0 && clauses.length > 0) return true;
    const texts = this.#contents.textsWith(row, needed, traits);
    // Damaged texts pass no test.
    return texts !== undefined && open.every((clause) => clauseHolds(clause, row, (test) => texts !== null && test.holds(texts)));
  }

  #columns(): { names: string[]; values: unknown[] } {
    const bounds = this.#search.columns.map((column, index) => boundOf(sql`${column} AS ${sql.raw(`is_${index}`)}`));
    return { names: bounds.map(({ text }) => text), values: bounds.flatMap(({ values }) => values) };
  }

  #newestFirst(): number[] {
    return [...this.#found].sort(([idA, a], [idB, b]) => b - a || idB - idA).map(([id]) => id);
  }

  #sorted(ids: readonly number[], order: string): number[] {
    const table = this.#search.resource === 'spans' ? 'span' : 'trace';
    return this.#context.db
      .prepare<[string], number>(
        `SELECT ${table}.id FROM json_each(?) AS found CROSS JOIN ${table} ON ${table}.id = found.value ORDER BY ${order}`,
      )
      .pluck()
      .all(JSON.stringify(ids));
  }
}

/** Tests the contents of all spans of a trace. */
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { type Columns, type ContentClause, type ContentTest, clauseHolds, isClosed, testsIn } from './content-clauses.ts';
import type { SearchBudget } from './search-budget.ts';
import type { ContentContext, SpanContents } from './span-contents.ts';
import { isVisible } from './span-wire.ts';

export class TraceContents {
  readonly #contents: SpanContents;
  readonly #budget: SearchBudget;
  readonly #spans;

  constructor({ db }: ContentContext, contents: SpanContents, budget: SearchBudget) {
    this.#contents = contents;
    this.#budget = budget;
    this.#spans = db.prepare<[number], SpanPlace & { id: number }>(
      `SELECT span.id, ${spanPlaceColumns} FROM span WHERE span.trace = ? AND ${isVisible}`,
    );
  }

  /** Whether a trace satisfies all clauses. */
  hold(trace: number, clauses: readonly ContentClause[], columns: Columns): boolean {
    const open = clauses.filter((clause) => !isClosed(clause, columns));
    if (open.length === 0) return true;
    const missing = new Set(open.flatMap(testsIn));
    for (const span of this.#spans.all(trace)) {
      if (missing.size === 0) break;
      this.#budget.check();
      this.#find(span, missing);
    }
    return open.every((clause) => clauseHolds(clause, columns, (test) => !missing.has(test)));
  }

  /** Removes the tests that a span satisfies. */
  #find(span: SpanPlace & { id: number }, missing: Set<ContentTest>): void {
    const texts = this.#contents.textsWith(span, [[...missing].flatMap(({ alternatives }) => alternatives)], null);
    if (!texts) return;
    for (const test of missing) if (test.holds(texts)) missing.delete(test);
  }
}

/** Tests the contents of all spans of a trace. */
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { type ContentClause, type ContentTest, holds } from './content-clauses.ts';
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

  /** @param columns `is_N`: whether predicate N on columns holds for the trace */
  hold(trace: number, clauses: readonly ContentClause[], columns: Readonly<Record<`is_${number}`, number>>): boolean {
    const open = clauses.filter((clause) => !clause.columns.some((column) => columns[`is_${column}`] === 1));
    if (open.length === 0) return true;
    const missing = new Set(open.flatMap(({ contents }) => contents.map(({ test }) => test)));
    for (const span of this.#spans.all(trace)) {
      if (missing.size === 0) break;
      this.#budget.check();
      this.#find(span, missing);
    }
    return open.every(({ contents }) => contents.some(({ test, isNegated }) => missing.has(test) === isNegated));
  }

  /** Removes the tests that a span satisfies. */
  #find(span: SpanPlace & { id: number }, missing: Set<ContentTest>): void {
    const content = this.#contents.contentWith(span, [[...missing].flatMap(({ alternatives }) => alternatives)], null);
    if (content) for (const test of missing) if (holds(test, content)) missing.delete(test);
  }
}

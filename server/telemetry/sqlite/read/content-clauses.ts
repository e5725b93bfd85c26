/** The clauses of a filter about `input`, `output` and `props`. */
import { type Clause, type Filter, type Predicate, splitNegation, type TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText } from '../../../../shared/filter/matcher.ts';
import type { SpanContent } from '../../../ingest/normalise/normalised.ts';
import { isContent } from '../../filter-sql.ts';
import { type QueryWord, queryWordsOf } from '../signatures/query-words.ts';

export type ContentField = 'input' | 'output' | 'props';

/** A test of the texts of a span. */
export interface ContentTest {
  predicate: TextPredicate;
  /** For each value, the words that a text has for which the test can hold. */
  alternatives: QueryWord[][];
}

/** At least one of its parts must hold. */
export interface ContentClause {
  contents: { test: ContentTest; isNegated: boolean }[];
  /** Predicates on columns, as the indexes of the conditions that a search selects. */
  columns: number[];
}

export interface ContentClauses {
  clauses: ContentClause[];
  /** The predicates on columns in the clauses. */
  columns: Predicate[];
}

/** Splits a filter into clauses that rows decide and those that need contents; null when there are none. */
export function splitFilter({ clauses }: Filter): { rows: Filter; content: ContentClauses | null } {
  const rows = { clauses: clauses.filter((clause) => !clause.some(isContent)) };
  const others = clauses.filter((clause) => clause.some(isContent));
  return { rows, content: others.length === 0 ? null : contentClauses(others) };
}

function contentClauses(clauses: readonly Clause[]): ContentClauses {
  const columns: Predicate[] = [];
  const compiled = clauses.map((clause): ContentClause => {
    const contents = clause.filter(isContent).map((predicate) => {
      const { positive, negated } = splitNegation(predicate);
      return { test: contentTest(positive), isNegated: negated };
    });
    const others = clause.filter((predicate) => !isContent(predicate));
    return { contents, columns: others.map((predicate) => columns.push(predicate) - 1) };
  });
  return { clauses: compiled, columns };
}

const contentTest = (predicate: TextPredicate): ContentTest => ({
  predicate,
  alternatives: predicate.values.map(queryWordsOf),
});

export const holds = ({ predicate }: ContentTest, content: SpanContent): boolean =>
  holdsText(predicate, content[predicate.field as ContentField]);

/** Whether only texts that hold one of its tests satisfy a clause, so that signatures narrow it. */
export const isPositive = ({ contents, columns }: ContentClause): boolean =>
  columns.length === 0 && contents.every(({ isNegated }) => !isNegated);

/** The words of a positive clause: a text that satisfies it has all of at least one list. */
export const alternativesOf = ({ contents }: ContentClause): QueryWord[][] => contents.flatMap(({ test }) => test.alternatives);

/** The clauses of a filter about texts that are not in rows. */
import type { MatchPlace } from '../../../../shared/contract/tracing/match-places.ts';
import type { ContentField } from '../../../../shared/filter/fields.ts';
import { type Clause, type Filter, isPredicate, type Predicate, splitNegation } from '../../../../shared/filter/filter-tree.ts';
import { holdsAnyText, holdsText, wordForms } from '../../../../shared/filter/matcher.ts';
import { type ContentPredicate, hasContent, hasContentIn, isContent } from '../../filter-sql.ts';
import { foldedWordsOf, type QueryWord, queryWordsOf } from '../signatures/query-words.ts';
import type { SearchedTexts } from './span-contents.ts';

/** A test of the texts of a span. */
export interface ContentTest {
  holds(texts: SearchedTexts): boolean;
  /** Lists of words: a text for which the test can hold has all words of one of them. */
  alternatives: QueryWord[][];
  /** What a text for which it holds has one of: as it is, or folded in a text that is folded too. */
  sought: { texts: string[]; isFolded: boolean };
  /** The texts of a span in which it is sought. */
  places: (texts: SearchedTexts) => Iterable<[text: string, place: MatchPlace]>;
}

/** A test, a condition on columns by its index among those that a search selects, or clauses that must all hold. */
export type ContentMember = { test: ContentTest; isNegated: boolean } | { column: number } | { clauses: ContentClause[] };

/** At least one of its members must hold. */
export type ContentClause = readonly ContentMember[];

export interface ContentClauses {
  clauses: ContentClause[];
  /** The conditions on columns in the clauses. */
  columns: Clause[number][];
}

/** Splits a filter into what rows must satisfy and the clauses that need contents; null when there are none. */
export function splitFilter({ clauses }: Filter): { rows: Filter; content: ContentClauses | null } {
  const others = clauses.filter(hasContentIn);
  const rows = { clauses: [...clauses.filter((clause) => !hasContentIn(clause)), ...others.flatMap(impliedBy)] };
  if (others.length === 0) return { rows, content: null };
  const columns: Clause[number][] = [];
  return { rows, content: { clauses: others.map((clause) => contentClause(clause, columns)), columns } };
}

function contentClause(clause: Clause, columns: Clause[number][]): ContentClause {
  return clause.map((member): ContentMember => {
    if (isPredicate(member) ? !isContent(member) : !hasContent(member)) return { column: columns.push(member) - 1 };
    if (!isPredicate(member)) return { clauses: member.clauses.map((inner) => contentClause(inner, columns)) };
    const { positive, negated } = splitNegation(member as ContentPredicate);
    return { test: contentTest(positive), isNegated: negated };
  });
}

const failed: Predicate = { kind: 'numeric', field: 'errors', operator: 'gt', values: [0] };

/** What a row must satisfy if it satisfies the clause; nothing is known of most. */
function impliedBy(clause: Clause): Clause[] {
  const members = clause.map((member): Clause[number] | null => {
    if (!isPredicate(member)) {
      const clauses = member.clauses.flatMap((inner) => (hasContentIn(inner) ? impliedBy(inner) : [inner]));
      return clauses.length === 0 ? null : { clauses };
    }
    if (!isContent(member)) return member;
    const { positive, negated } = splitNegation(member);
    return positive.field === 'error' && !negated && !holdsText(positive, '') ? failed : null;
  });
  return members.includes(null) ? [] : [members as Clause];
}

function contentTest(predicate: ContentPredicate): ContentTest {
  if (predicate.kind !== 'words') {
    const field = predicate.field as ContentField;
    return {
      holds: (texts) => holdsAnyText(predicate, texts[field]),
      alternatives: predicate.values.map(queryWordsOf),
      sought: { texts: [...predicate.values], isFolded: false },
      places: (texts) => [texts[field]].flat().map((text) => [text, field]),
    };
  }
  const forms = predicate.values.flatMap(wordForms);
  return {
    holds: ({ folded }) => folded.some((text) => forms.some((form) => text.includes(form))),
    alternatives: forms.map(foldedWordsOf),
    sought: { texts: forms, isFolded: true },
    places: (texts) => texts.places,
  };
}

export function testsIn(clause: ContentClause): ContentTest[] {
  return membersIn(clause).map(({ test }) => test);
}

/** The tests for which the clause looks for a text, not for the absence of one. */
export function positiveTestsIn(clause: ContentClause): ContentTest[] {
  return membersIn(clause).flatMap(({ test, isNegated }) => (isNegated ? [] : [test]));
}

function membersIn(clause: ContentClause): Extract<ContentMember, { test: unknown }>[] {
  return clause.flatMap((member) => {
    if ('test' in member) return [member];
    return 'clauses' in member ? member.clauses.flatMap(membersIn) : [];
  });
}

/** Whether a condition on columns satisfies a clause, so that no contents are needed. */
export const isClosed = (clause: ContentClause, row: Columns): boolean =>
  clause.some((member) => 'column' in member && row[`is_${member.column}`] === 1);

/** `is_N`: whether the condition N on columns holds. */
export type Columns = Readonly<Record<`is_${number}`, number>>;

export function clauseHolds(clause: ContentClause, row: Columns, passes: (test: ContentTest) => boolean): boolean {
  return clause.some((member) => {
    if ('test' in member) return passes(member.test) !== member.isNegated;
    return 'column' in member ? row[`is_${member.column}`] === 1 : member.clauses.every((inner) => clauseHolds(inner, row, passes));
  });
}

/** Lists of words: what satisfies the clause has a text with all words of one of them. Null if that is not so. */
export function neededWords(clause: ContentClause): QueryWord[][] | null {
  const lists = clause.map((member): QueryWord[][] | null => {
    if ('test' in member) return member.isNegated ? null : member.test.alternatives;
    if ('column' in member) return null;
    const inner = member.clauses.map(neededWords).filter((lists) => lists !== null);
    return inner.sort((a, b) => selectivity(b) - selectivity(a))[0] ?? null;
  });
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

/** The same for rows that no condition on columns in the clause selects. */
export function wordsOfContents(clause: ContentClause): QueryWord[][] | null {
  const contents = clause.filter((member) => !('column' in member));
  return contents.length === 0 ? null : neededWords(contents);
}

/** The conditions on columns of which each satisfies the clause, by their index. */
export const closingColumns = (clause: ContentClause): number[] => clause.flatMap((member) => ('column' in member ? [member.column] : []));

/** Length of the shortest list. */
export const selectivity = (lists: readonly (readonly QueryWord[])[]): number =>
  Math.min(...lists.map((words) => words.reduce((sum, { bytes }) => sum + bytes.length, 0)));

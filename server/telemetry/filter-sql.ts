/** Translates a filter tree into conditions of a store. The traversal is the same for all stores, the dialect differs. */
import { contentFields } from '../../shared/filter/fields.ts';
import type {
  Clause,
  DatePredicate,
  Filter,
  MetadataPredicate,
  NumberPredicate,
  Predicate,
  ScorePredicate,
  StatusPredicate,
  TagsPredicate,
  TextPredicate,
  WordsPredicate,
} from '../../shared/filter/filter-tree.ts';
import { isPredicate, splitNegation } from '../../shared/filter/filter-tree.ts';

/** Joins and negates conditions. */
interface Connectives<C> {
  all(conditions: C[]): C;
  any(conditions: C[]): C;
  not(condition: C): C;
}

/**
 * Conditions on the rows of one resource. Each function gets a positive predicate; for a trace it means that any of its spans satisfies it. A
 * condition MUST be true or false for every row, never null, because it may be negated; absent texts MUST count as '' and absent numbers as 0
 * (docs/reference/filters.md#meaning).
 */
export interface FilterDialect<C> extends Connectives<C> {
  text(predicate: TextPredicate): C;
  number(predicate: NumberPredicate): C;
  status(predicate: StatusPredicate): C;
  /** Any of the tags. */
  tags(predicate: TagsPredicate): C;
  metadata(predicate: MetadataPredicate): C;
  /** Every operator, `notEquals` included, requires a latest score that satisfies it. */
  score(predicate: ScorePredicate): C;
}

/** Conditions on scores, under the same rules. */
export interface ScoreDialect<C> extends Connectives<C> {
  text(predicate: TextPredicate): C;
  number(predicate: NumberPredicate): C;
  date(predicate: DatePredicate): C;
}

/** A condition for each clause; all must hold. */
export const filterConditions = <C>({ clauses }: Filter, dialect: FilterDialect<C>): C[] =>
  clauses.map((clause) => clauseCondition(clause, dialect));

export const scoreFilterConditions = <C>({ clauses }: Filter, dialect: ScoreDialect<C>): C[] =>
  clauses.map((clause) => joinClause(clause, dialect, (positive) => scoreCondition(positive, dialect)));

export const clauseCondition = <C>(clause: Clause, dialect: FilterDialect<C>): C =>
  joinClause(clause, dialect, (positive) => positiveCondition(positive, dialect));

function joinClause<C>(clause: Clause, connectives: Connectives<C>, conditionOf: (positive: Predicate) => C): C {
  const conditions = clause.map((member) => {
    if (!isPredicate(member)) return connectives.all(member.clauses.map((inner) => joinClause(inner, connectives, conditionOf)));
    const { positive, negated } = splitNegation(member);
    return negated ? connectives.not(conditionOf(positive)) : conditionOf(positive);
  });
  return conditions.length === 1 ? (conditions[0] as C) : connectives.any(conditions);
}

/** A predicate about texts that are not in rows. */
export type ContentPredicate = TextPredicate | WordsPredicate;

const contents: readonly string[] = contentFields;

export const isContent = (predicate: Predicate): predicate is ContentPredicate =>
  predicate.kind === 'words' || (predicate.kind === 'string' && contents.includes(predicate.field));

/** Whether any predicate of a filter is about texts that are not in rows. */
export const hasContent = ({ clauses }: Filter): boolean => clauses.some(hasContentIn);

export const hasContentIn = (clause: Clause): boolean =>
  clause.some((member) => (isPredicate(member) ? isContent(member) : hasContent(member)));

function positiveCondition<C>(predicate: Predicate, dialect: FilterDialect<C>): C {
  switch (predicate.kind) {
    case 'string':
      if (isContent(predicate)) throw new Error('Contents are in no row');
      return dialect.text(predicate);
    case 'numeric':
      return dialect.number(predicate);
    case 'status':
      return dialect.status(predicate);
    case 'tags':
      return dialect.tags(predicate);
    case 'metadata':
      return dialect.metadata(predicate);
    case 'score':
      return dialect.score(predicate);
    case 'words':
      throw new Error('Contents are in no row');
    case 'datetime':
      throw new Error('Only scores are filtered by dates');
  }
}

function scoreCondition<C>(predicate: Predicate, dialect: ScoreDialect<C>): C {
  switch (predicate.kind) {
    case 'string':
      return dialect.text(predicate);
    case 'numeric':
      return dialect.number(predicate);
    case 'datetime':
      return dialect.date(predicate);
    default:
      throw new Error(`Scores are not filtered by ${predicate.kind}`);
  }
}

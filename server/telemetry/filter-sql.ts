/** From a filter's tree to a store's conditions: walked here once for every store, said by each in its own words. */
import type {
  Clause,
  Filter,
  MetadataPredicate,
  NumberPredicate,
  Predicate,
  ScorePredicate,
  StatusPredicate,
  TagsPredicate,
  TextPredicate,
} from '../../shared/filter/filter-tree.ts';
import { positiveTwin } from '../../shared/filter/filter-tree.ts';

/**
 * What a store can say of the rows of one resource. Each function gets a positive predicate, of a trace: that any of its
 * spans satisfies it. A condition MUST be true or false for every row, never null, because it may be negated; texts that are
 * absent MUST count as '' and numbers as 0 (contract 7.3).
 */
export interface FilterDialect<C> {
  text(predicate: TextPredicate): C;
  /** `input`, `output`, `props`: texts that are not in rows. */
  content(predicate: TextPredicate): C;
  number(predicate: NumberPredicate): C;
  status(predicate: StatusPredicate): C;
  /** Any of the tags. */
  tags(predicate: TagsPredicate): C;
  metadata(predicate: MetadataPredicate): C;
  /** Every operator, `notEquals` included, asks for a latest score that satisfies it. */
  score(predicate: ScorePredicate): C;
  any(conditions: C[]): C;
  not(condition: C): C;
}

/** A condition for each clause; all must hold. */
export const filterConditions = <C>({ clauses }: Filter, dialect: FilterDialect<C>): C[] =>
  clauses.map((clause) => clauseCondition(clause, dialect));

export function clauseCondition<C>(clause: Clause, dialect: FilterDialect<C>): C {
  const conditions = clause.map((predicate) => {
    const { positive, negated } = positiveTwin(predicate);
    const condition = positiveCondition(positive, dialect);
    return negated ? dialect.not(condition) : condition;
  });
  return conditions.length === 1 ? (conditions[0] as C) : dialect.any(conditions);
}

/** Whether a predicate is about texts that are not in rows. */
export function isContent(predicate: Predicate): predicate is TextPredicate {
  return predicate.kind === 'string' && (predicate.field === 'input' || predicate.field === 'output' || predicate.field === 'props');
}

function positiveCondition<C>(predicate: Predicate, dialect: FilterDialect<C>): C {
  switch (predicate.kind) {
    case 'string':
      return isContent(predicate) ? dialect.content(predicate) : dialect.text(predicate);
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
    case 'datetime':
      throw new Error('Dates are filtered on scores only, which have no such filter');
  }
}

/** A parsed filter: the common result of the string form and the JSON form. Plain data, so that it can be sent to threads. */
import type { NumericField, Operator, ScoreTextField, StringField } from './fields.ts';

type Textual = 'equals' | 'notEquals' | 'contains' | 'notContains' | 'startsWith' | 'endsWith' | 'in' | 'notIn';
type Comparing = 'equals' | 'notEquals' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'notIn' | 'between';

interface Leaf<K, F, O extends Operator, V> {
  kind: K;
  field: F;
  operator: O;
  /** None for `exists`, two for `between`, at least one for lists, otherwise one. */
  values: readonly V[];
}

export type TextPredicate = Leaf<'string', StringField | ScoreTextField, Textual, string>;
export type NumberPredicate = Leaf<'numeric', NumericField | 'score', Comparing, number>;
export type StatusPredicate = Leaf<'status', 'status', 'equals', 'OK' | 'ERROR'>;
export type TagsPredicate = Leaf<'tags', 'tags', 'equals' | 'notEquals' | 'contains' | 'in' | 'notIn', string>;
export type MetadataPredicate = Leaf<'metadata', string, Textual | 'exists' | 'doesNotExist', string> & { key: string };
export type ScorePredicate = Leaf<'score', string, Comparing, number> & { key: string };
/** Values in milliseconds since the epoch. */
export type DatePredicate = Leaf<'datetime', 'created_at', Comparing, number>;

/** Words or a phrase, in any case. */
export type WordsPredicate = Leaf<'words', 'text', 'contains' | 'notContains', string>;

export type Predicate =
  | WordsPredicate
  | TextPredicate
  | NumberPredicate
  | StatusPredicate
  | TagsPredicate
  | MetadataPredicate
  | ScorePredicate
  | DatePredicate;

/** At least one of its members must hold. */
export type Clause = readonly (Predicate | Filter)[];

/** All clauses must hold; none means that everything matches. */
export interface Filter {
  clauses: readonly Clause[];
}

export const isPredicate = (member: Clause[number]): member is Predicate => !('clauses' in member);

const positiveOperators = { notEquals: 'equals', notContains: 'contains', doesNotExist: 'exists', notIn: 'in' } as const;

/**
 * A negative operator holds where its positive counterpart does not: for no span of a trace, or not for this span. Scores are
 * the exception: every operator, `!=` included, requires a score that satisfies it (docs/reference/filters.md#meaning).
 */
export function splitNegation<P extends Predicate>(predicate: P): { positive: P; negated: boolean } {
  const { operator } = predicate;
  if (predicate.kind === 'score' || !Object.hasOwn(positiveOperators, operator)) return { positive: predicate, negated: false };
  return { positive: { ...predicate, operator: positiveOperators[operator as keyof typeof positiveOperators] }, negated: true };
}

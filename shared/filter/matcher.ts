/**
 * Evaluates filters in memory (docs/reference/filters.md#meaning): for the live stream, and as the reference that every store is tested
 * against. Does not import zod, so that threads can use it.
 */
import type { NumericField, Operator, StringField } from './fields.ts';
import { type Filter, type Predicate, splitNegation } from './filter-tree.ts';

/** What a filter sees of a span. Absent texts are '' and absent numbers 0. */
export interface FilterableSpan extends Record<StringField, string>, Record<NumericField, number> {
  status: string;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
  /** The latest score of each name on the span. */
  scores: Readonly<Record<string, number>>;
}

/** What a filter sees of a trace: its own values where it has them, else those of its spans. */
export interface FilterableTrace extends Record<NumericField, number> {
  trace_id: string;
  status: string;
  spans: readonly FilterableSpan[];
  /** The latest score of each name on the trace itself. */
  scores: Readonly<Record<string, number>>;
}

export const matchesSpan = (filter: Filter, span: FilterableSpan): boolean => matches(filter, (positive) => holdsForSpan(positive, span));

export const matchesTrace = (filter: Filter, trace: FilterableTrace): boolean =>
  matches(filter, (positive) => holdsForTrace(positive, trace));

function matches({ clauses }: Filter, holds: (positive: Predicate) => boolean): boolean {
  return clauses.every((clause) =>
    clause.some((predicate) => {
      const { positive, negated } = splitNegation(predicate);
      return holds(positive) !== negated;
    }),
  );
}

function holdsForTrace(predicate: Predicate, trace: FilterableTrace): boolean {
  if (predicate.kind === 'numeric') return holdsNumber(predicate, trace[predicate.field as NumericField]);
  if (predicate.kind === 'status') return predicate.values[0] === trace.status;
  if (predicate.kind === 'score')
    return holdsScore(predicate, trace.scores) || trace.spans.some((span) => holdsScore(predicate, span.scores));
  if (predicate.field === 'trace_id') return holdsText(predicate as TextTest, trace.trace_id);
  return trace.spans.some((span) => holdsForSpan(predicate, span));
}

function holdsForSpan(predicate: Predicate, span: FilterableSpan): boolean {
  switch (predicate.kind) {
    case 'string':
      return holdsText(predicate, span[predicate.field as StringField]);
    case 'numeric':
      return holdsNumber(predicate, span[predicate.field as NumericField]);
    case 'status':
      return predicate.values[0] === span.status;
    case 'tags':
      return predicate.values.some((tag) => span.tags.includes(tag));
    case 'metadata': {
      const value = Object.hasOwn(span.metadata, predicate.key) ? span.metadata[predicate.key] : undefined;
      return predicate.operator === 'exists' ? value !== undefined : holdsText(predicate, value ?? '');
    }
    case 'score':
      return holdsScore(predicate, span.scores);
    case 'datetime':
      return false;
  }
}

export interface TextTest {
  operator: Operator;
  values: readonly string[];
}

/** A positive text operator. */
export function holdsText({ operator, values }: TextTest, text: string): boolean {
  switch (operator) {
    case 'contains':
      return values.some((value) => text.includes(value));
    case 'startsWith':
      return values.some((value) => text.startsWith(value));
    case 'endsWith':
      return values.some((value) => text.endsWith(value));
    default:
      return values.includes(text);
  }
}

interface NumberTest {
  operator: Operator;
  values: readonly number[];
}

function holdsScore(predicate: NumberTest & { key: string }, scores: Readonly<Record<string, number>>): boolean {
  const score = Object.hasOwn(scores, predicate.key) ? scores[predicate.key] : undefined;
  return score !== undefined && holdsNumber(predicate, score);
}

function holdsNumber({ operator, values }: NumberTest, number: number): boolean {
  const [first = 0, second = 0] = values;
  switch (operator) {
    case 'gt':
      return number > first;
    case 'gte':
      return number >= first;
    case 'lt':
      return number < first;
    case 'lte':
      return number <= first;
    case 'between':
      return number >= first && number <= second;
    case 'notEquals':
      return number !== first;
    default:
      return values.includes(number);
  }
}

/**
 * Evaluates filters in memory (docs/reference/filters.md#meaning): for the live stream, and as the reference that every store is tested
 * against. Does not import zod, so that threads can use it.
 */
import type { ListField, NumericField, Operator, SpanNumericField, StringField } from './fields.ts';
import { type Filter, isPredicate, type Predicate, splitNegation } from './filter-tree.ts';
import { foldCase } from './fold-case.ts';

type Texts = Record<Exclude<StringField, ListField>, string> & Record<ListField, readonly string[]>;

/** What a filter sees of a span. Absent texts are '' or no texts, absent numbers 0, and an absent `ttft` is NaN. */
export interface FilterableSpan extends Texts, Record<SpanNumericField, number> {
  status: string;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
  /** What words are sought in (docs/reference/filters.md#words). */
  texts: readonly string[];
  /** The latest score of each name on the span. */
  scores: Readonly<Record<string, number>>;
}

/** What a filter sees of a trace: its own values where it has them, else those of its spans. */
export interface FilterableTrace extends Record<Exclude<SpanNumericField, 'ttft'>, number> {
  trace_id: string;
  name: string;
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
    clause.some((member) => {
      if (!isPredicate(member)) return matches(member, holds);
      const { positive, negated } = splitNegation(member);
      return holds(positive) !== negated;
    }),
  );
}

function holdsForTrace(predicate: Predicate, trace: FilterableTrace): boolean {
  const ofAnySpan = () => trace.spans.some((span) => holdsForSpan(predicate, span));
  switch (predicate.kind) {
    case 'numeric':
      return predicate.field === 'ttft'
        ? ofAnySpan()
        : holdsNumber(predicate, numberOf(trace, predicate.field as Exclude<NumericField, 'ttft'>));
    case 'status':
      return predicate.values[0] === trace.status;
    case 'score':
      return holdsScore(predicate, trace.scores) || ofAnySpan();
    case 'string':
      return predicate.field === 'trace_id' || predicate.field === 'name' ? holdsText(predicate, trace[predicate.field]) : ofAnySpan();
    default:
      return ofAnySpan();
  }
}

function numberOf(trace: FilterableTrace, field: Exclude<NumericField, 'ttft'>): number {
  if (field === 'spans') return trace.spans.length;
  if (field === 'errors_inside') return trace.status === 'ERROR' ? 0 : trace.errors;
  return trace[field];
}

function holdsForSpan(predicate: Predicate, span: FilterableSpan): boolean {
  switch (predicate.kind) {
    case 'words':
      return span.texts.some((text) => holdsWords(predicate, text));
    case 'string':
      return holdsAnyText(predicate, span[predicate.field as StringField]);
    case 'numeric':
      return holdsNumber(predicate, span[predicate.field as SpanNumericField]);
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

/** A positive text operator on a text, or on any of several. */
export function holdsAnyText(test: TextTest, texts: string | readonly string[]): boolean {
  if (typeof texts === 'string') return holdsText(test, texts);
  return texts.length === 0 ? holdsText(test, '') : texts.some((text) => holdsText(test, text));
}

/** Whether a text has the words, in any case. In JSON text they may be escaped. */
export function holdsWords({ values }: Pick<TextTest, 'values'>, text: string): boolean {
  const folded = foldCase(text);
  return values.some((value) => wordForms(value).some((form) => folded.includes(form)));
}

/** The forms in which words stand in a folded text: as they are, and as JSON escapes them. */
export function wordForms(value: string): string[] {
  const form = foldCase(value);
  const escaped = JSON.stringify(form).slice(1, -1);
  return escaped === form ? [form] : [form, escaped];
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

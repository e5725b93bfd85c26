/**
 * Filters of traces as conditions on columns (docs/reference/filters.md#meaning). They select the same rows as `traceDialect` in read/: what is
 * asked of any span is answered by the terms of traces, or by the columns of spans.
 */
import type { NumericField } from '../../../../shared/filter/fields.ts';
import type { MetadataPredicate, NumberPredicate, ScorePredicate, TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText, type TextTest } from '../../../../shared/filter/matcher.ts';
import type { FilterDialect } from '../../filter-sql.ts';
import { statuses, termKey } from '../file/codes.ts';
import { isNamed } from '../read/filter-dialect.ts';
import { IdSet } from './bitmap.ts';
import { intervalsOf } from './number-intervals.ts';
import { all, any, holds, isRow, not, type RowCondition } from './row-conditions.ts';
import {
  everyText,
  type FilterLookup,
  metadataCondition,
  spanNumberCondition,
  spanTextCondition,
  type TermField,
  termFields,
} from './span-dialect.ts';
import type { TraceColumn } from './stored-columns.ts';

export interface TraceFilterLookup extends FilterLookup {
  /** Traces with any of the terms on any of their spans. */
  tracesWith(terms: IdSet): IdSet;
  /** Traces with a visible span for which a condition holds. */
  tracesOfSpans(condition: RowCondition): IdSet;
  rowsWithScore(predicate: ScorePredicate): Iterable<number>;
}

const numbers: Record<Exclude<NumericField, 'ttft' | 'errors_inside'>, { column: TraceColumn; scale: number }> = {
  latency_ms: { column: 'latency_ns', scale: 1e6 },
  cost: { column: 'cost', scale: 1 },
  prompt_tokens: { column: 'input_tokens', scale: 1 },
  completion_tokens: { column: 'output_tokens', scale: 1 },
  tokens: { column: 'tokens', scale: 1 },
  errors: { column: 'error_count', scale: 1 },
  spans: { column: 'span_count', scale: 1 },
};

const noValue = IdSet.of([0]);

export function traceColumnDialect(lookup: TraceFilterLookup): FilterDialect<RowCondition> {
  const hasTerm = (key: string, test: TextTest): RowCondition => isRow(lookup.tracesWith(lookup.terms(key, test)));
  return {
    all,
    any,
    not,
    text: (predicate) => textCondition(predicate, lookup, hasTerm),
    number: (predicate) => {
      if (predicate.field === 'ttft') return isRow(lookup.tracesOfSpans(spanNumberCondition(predicate)));
      if (predicate.field === 'errors_inside') return errorsInside(predicate);
      const { column, scale } = numbers[predicate.field as keyof typeof numbers];
      return holds(column, { intervals: intervalsOf(predicate, scale) });
    },
    status: ({ values }) => holds('status', { ids: IdSet.of([statuses.indexOf(values[0] as 'OK')]) }),
    tags: ({ values }) => hasTerm(termKey.tag, { operator: 'in', values }),
    metadata: (predicate) => anyMetadata(predicate, lookup, hasTerm),
    score: (predicate) => isRow(IdSet.of(lookup.rowsWithScore(predicate))),
  };
}

/** A trace that failed itself has no errors inside. */
function errorsInside(predicate: NumberPredicate): RowCondition {
  const failed = holds('status', { ids: IdSet.of([statuses.indexOf('ERROR')]) });
  const intervals = intervalsOf(predicate);
  const others = all([not(failed), holds('error_count', { intervals })]);
  return intervals.some(({ from, to }) => from <= 0 && to >= 0) ? any([failed, others]) : others;
}

type HasTerm = (key: string, test: TextTest) => RowCondition;

function textCondition(predicate: TextPredicate, lookup: TraceFilterLookup, hasTerm: HasTerm): RowCondition {
  if (predicate.field === 'trace_id') return isRow(lookup.traces(predicate));
  if (predicate.field === 'semantic_kind') return hasTerm(termKey.kind, predicate);
  if (predicate.field === 'name') {
    const named = [termKey.name, termKey.traceName].map((key) => holds('name', { ids: lookup.terms(key, predicate) }));
    return any(holdsText(predicate, '') ? [...named, holds('name', { ids: noValue })] : named);
  }
  if (predicate.field === 'environment') {
    const named = hasTerm(termKey.environment, predicate);
    return holdsText(predicate, '') ? any([named, not(hasTerm(termKey.environment, everyText))]) : named;
  }
  if (['service', 'span_name'].includes(predicate.field) || isNamed(predicate.field))
    return isRow(lookup.tracesOfSpans(spanTextCondition(predicate, lookup)));
  const { key, column } = termFields[predicate.field as TermField];
  if (!holdsText(predicate, '')) return hasTerm(key, predicate);
  return any([hasTerm(key, predicate), isRow(lookup.tracesOfSpans(holds(column, { ids: noValue })))]);
}

/** Values that are empty or too long are no terms: their spans are asked. */
function anyMetadata(predicate: MetadataPredicate, lookup: TraceFilterLookup, hasTerm: HasTerm): RowCondition {
  const { key, operator } = predicate;
  const marked = { operator: 'equals', values: [key] } as const;
  if (operator === 'exists') return any([hasTerm(termKey.metadata(key), everyText), hasTerm(termKey.unindexedMetadata, marked)]);
  const ofSpans = () => isRow(lookup.tracesOfSpans(metadataCondition(predicate, lookup)));
  if (holdsText(predicate, '')) return ofSpans();
  const named = hasTerm(termKey.metadata(key), predicate);
  // Values that `equals` and `in` can match are terms.
  const isComplete = operator === 'equals' || operator === 'in' || lookup.terms(termKey.unindexedMetadata, marked).size === 0;
  return isComplete ? named : any([named, ofSpans()]);
}

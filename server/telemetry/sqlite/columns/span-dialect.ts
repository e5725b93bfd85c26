/** Filters of spans as conditions on columns (docs/reference/filters.md#meaning). They select the same rows as `spanDialect` in read/. */
import type { ContentField, SpanNumericField, StringField } from '../../../../shared/filter/fields.ts';
import type { MetadataPredicate, NumberPredicate, ScorePredicate, TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText, type TextTest } from '../../../../shared/filter/matcher.ts';
import type { FilterDialect } from '../../filter-sql.ts';
import { kinds, statuses, termKey } from '../file/codes.ts';
import { isNamed, type NamedField } from '../read/filter-dialect.ts';
import { IdSet } from './bitmap.ts';
import { matchColumn } from './match-column.ts';
import { eachDocument } from './metadata-terms.ts';
import { intervalsOf } from './number-intervals.ts';
import { all, any, holds, isRow, not, type RowCondition } from './row-conditions.ts';
import type { RowGroup } from './row-groups.ts';
import type { SpanColumn } from './stored-columns.ts';

/** What the dialect looks up in the store, once for each predicate. */
export interface FilterLookup {
  /** Terms of a key whose value passes a test. */
  terms(key: string, test: TextTest): IdSet;
  /** Terms of names of spans whose tool or agent passes a test. */
  spanNames(field: NamedField, test: TextTest): IdSet;
  /** Row ids of the traces that hold a term of a key whose value passes a test. */
  tracesWithTerm(key: string, test: TextTest): IdSet;
  /** Terms of tag lists that hold one of the tags. */
  tagSets(tags: readonly string[]): IdSet;
  /** Row ids of the traces whose id passes a test. */
  traces(test: TextTest): IdSet;
  /** Value of a key in a document; null for none. Damage is reported, and has none. */
  metadata(document: number, key: string): string | null;
  rowsWithScore(predicate: ScorePredicate): Iterable<number>;
}

export type TermField = Exclude<StringField, 'trace_id' | 'semantic_kind' | 'environment' | NamedField | ContentField>;

export const termFields: Record<TermField, { key: string; column: SpanColumn }> = {
  model: { key: termKey.model, column: 'model' },
  user_id: { key: termKey.user, column: 'user' },
  session_id: { key: termKey.session, column: 'session' },
  prompt_name: { key: termKey.prompt, column: 'prompt' },
  service: { key: termKey.service, column: 'service' },
  name: { key: termKey.name, column: 'name' },
  span_name: { key: termKey.name, column: 'name' },
};

const numbers: Record<Exclude<SpanNumericField, 'errors'>, { column: SpanColumn; scale: number }> = {
  latency_ms: { column: 'duration_ns', scale: 1e6 },
  cost: { column: 'cost', scale: 1 },
  prompt_tokens: { column: 'input_tokens', scale: 1 },
  completion_tokens: { column: 'output_tokens', scale: 1 },
  tokens: { column: 'tokens', scale: 1 },
  ttft: { column: 'ttft_us', scale: 1e3 },
};

/** Absent texts are 0 in columns. */
const absent = 0;

export function spanColumnDialect(lookup: FilterLookup): FilterDialect<RowCondition> {
  return {
    all,
    any,
    not,
    text: (predicate) => spanTextCondition(predicate, lookup),
    number: spanNumberCondition,
    status: ({ values }) => holds('status', { ids: IdSet.of([statuses.indexOf(values[0] as 'OK')]) }),
    tags: ({ values }) => holds('tags', { ids: lookup.tagSets(values) }),
    metadata: (predicate) => metadataCondition(predicate, lookup),
    score: (predicate) => isRow(IdSet.of(lookup.rowsWithScore(predicate))),
  };
}

export function spanNumberCondition(predicate: NumberPredicate): RowCondition {
  if (predicate.field === 'errors') return failureCondition(predicate);
  const { column, scale } = numbers[predicate.field as keyof typeof numbers];
  const intervals = intervalsOf(predicate, scale);
  const from = predicate.field === 'ttft' ? 0 : Number.NEGATIVE_INFINITY;
  return holds(column, { intervals: intervals.map((interval) => ({ ...interval, from: Math.max(from, interval.from) })) });
}

/** The number of errors of a span is 1 or 0. */
function failureCondition(predicate: NumberPredicate): RowCondition {
  const intervals = intervalsOf(predicate);
  const isIn = (count: number) => intervals.some(({ from, to }) => count >= from && count <= to);
  const codes = statuses.flatMap((status, code) => (isIn(status === 'ERROR' ? 1 : 0) ? [code] : []));
  return holds('status', { ids: IdSet.of(codes) });
}

export function spanTextCondition(predicate: TextPredicate, lookup: FilterLookup): RowCondition {
  if (predicate.field === 'trace_id') return holds('trace', { ids: lookup.traces(predicate) });
  if (predicate.field === 'semantic_kind') {
    return holds('kind', { ids: IdSet.of(kinds.flatMap((kind, code) => (holdsText(predicate, kind) ? [code] : []))) });
  }
  if (predicate.field === 'environment') {
    const named = holds('trace', { ids: lookup.tracesWithTerm(termKey.environment, predicate) });
    const isKnown = () => holds('trace', { ids: lookup.tracesWithTerm(termKey.environment, everyText) });
    return holdsText(predicate, '') ? any([named, not(isKnown())]) : named;
  }
  if (isNamed(predicate.field)) return namedCondition(predicate.field, predicate, lookup);
  const { key, column } = termFields[predicate.field as TermField];
  const ids = lookup.terms(key, predicate);
  if (holdsText(predicate, '')) ids.add(absent);
  return holds(column, { ids });
}

function namedCondition(field: NamedField, predicate: TextPredicate, lookup: FilterLookup): RowCondition {
  const names = lookup.spanNames(field, predicate);
  if (holdsText(predicate, '')) names.add(absent);
  const isOfKind = holds('kind', { ids: IdSet.of([kinds.indexOf(field)]) });
  const named = all([isOfKind, holds('name', { ids: names })]);
  return holdsText(predicate, '') ? any([named, not(isOfKind)]) : named;
}

/**
 * Tests the documents of a group instead of its rows: by their terms where they are stored, else by their text. Values that are no terms are
 * found by the marker of their key, and read.
 */
export function metadataCondition(predicate: MetadataPredicate, lookup: FilterLookup): RowCondition {
  const { key, operator } = predicate;
  const isExists = operator === 'exists';
  const named = lookup.terms(termKey.metadata(key), isExists ? everyText : predicate);
  const known = lookup.terms(termKey.metadata(key), everyText);
  const marker = lookup.terms(termKey.unindexedMetadata, { operator: 'equals', values: [key] });
  const holdsAbsent = !isExists && holdsText(predicate, '');
  const holdsDocument = (document: number): boolean => {
    const value = lookup.metadata(document, key);
    return isExists ? value !== null : holdsText(predicate, value ?? '');
  };
  const holdsTerms = (document: number, terms: Float64Array): boolean => {
    for (const term of terms) if (marker.has(term)) return isExists || holdsDocument(document);
    for (const term of terms) if (named.has(term)) return true;
    return holdsAbsent && !terms.some((term) => known.has(term));
  };
  return (group, out) => {
    const matching = documentsOf(group, holdsTerms, holdsDocument);
    if (holdsAbsent) matching.add(absent);
    if (matching.size === 0) out.fill(0);
    else matchColumn(group.column('metadata'), { ids: matching }, group.size, out);
  };
}

export const everyText: TextTest = { operator: 'startsWith', values: [''] };

function documentsOf(
  group: RowGroup,
  holdsTerms: (document: number, terms: Float64Array) => boolean,
  holdsDocument: (document: number) => boolean,
): IdSet {
  const matching = new IdSet();
  const seen = new Set([absent]);
  const stored = group.metadataTerms();
  if (stored)
    eachDocument(stored, (document, terms) => {
      seen.add(document);
      if (holdsTerms(document, terms)) matching.add(document);
    });
  if (stored && !group.isStale) return matching;
  const { codes, low } = group.column('metadata');
  for (const document of codes ?? [low]) {
    if (seen.has(document)) continue;
    seen.add(document);
    if (holdsDocument(document)) matching.add(document);
  }
  return matching;
}

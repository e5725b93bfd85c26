/** Filters of traces and spans as conditions on rows (docs/reference/filters.md#meaning). Compare sqlite/read/filter-dialect.ts. */
import type { NumericField, SpanNumericField } from '../../../../shared/filter/fields.ts';
import type { Filter, MetadataPredicate, NumberPredicate, ScorePredicate, TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText, type TextTest } from '../../../../shared/filter/matcher.ts';
import { agentNamePrefix, toolNamePrefix } from '../../../ingest/normalise/index.ts';
import { type FilterDialect, filterConditions } from '../../filter-sql.ts';
import { kinds, statuses, termKey } from '../../sqlite/file/codes.ts';
import { holdsAbsent } from '../../sqlite/read/filter-comparisons.ts';
import { resourceHolds } from './resource-sql.ts';
import { all, always, any, integer, integers, never, not, number, numbers, raw, type Sql, sql, text, texts } from './sql.ts';
import { hasTerm, isOfApp } from './trace-where.ts';

/** @param ofTraces condition on spans that those of the traces of the list satisfy: it selects the parts of the table to read */
export const traceFilterConditions = (filter: Filter, ofTraces: Sql = always): Sql[] =>
  filterConditions(
    filter,
    traceDialect((condition) => sql`trace_id IN (SELECT trace_id FROM span FINAL WHERE ${all([isOfApp, ofTraces, condition])})`),
  );
export const spanFilterConditions = (filter: Filter): Sql[] => filterConditions(filter, spanDialect);

const failed = statuses.indexOf('ERROR');

/** Names without prefix and white space, as `toolNameIn` and `agentNameIn` make them. */
function withoutPrefix(prefix: RegExp): Sql {
  const space = '[\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+';
  const name = sql`replaceRegexpOne(name, ${text(prefix.source)}, '')`;
  return sql`replaceRegexpOne(replaceRegexpOne(${name}, ${text(`^${space}`)}, ''), ${text(`${space}$`)}, '')`;
}

export const named = { tool: withoutPrefix(toolNamePrefix), agent: withoutPrefix(agentNamePrefix) };
const isNamed = (field: string): field is keyof typeof named => Object.hasOwn(named, field);

const spanTexts: Record<string, Sql> = {
  model: raw('model'),
  user_id: raw('user'),
  session_id: raw('session'),
  prompt_name: raw('prompt'),
  service: raw('service'),
  name: raw('name'),
  span_name: raw('name'),
  trace_id: raw('trace_id'),
};

/** Fields of which a trace has the values of all its spans. */
const terms: Record<string, string> = {
  model: termKey.model,
  user_id: termKey.user,
  session_id: termKey.session,
  prompt_name: termKey.prompt,
};

const traceNumbers: Record<Exclude<NumericField, 'ttft'>, Sql> = {
  latency_ms: raw('latency_ns / 1e6'),
  cost: raw('cost'),
  prompt_tokens: raw('input_tokens'),
  completion_tokens: raw('output_tokens'),
  tokens: raw('tokens'),
  errors: raw('error_count'),
  spans: raw('span_count'),
  errors_inside: sql`if(status = ${integer(failed)}, 0, error_count)`,
};

const spanNumbers: Record<Exclude<SpanNumericField, 'ttft'>, Sql> = {
  latency_ms: raw('duration_ns / 1e6'),
  cost: raw('ifNull(cost, 0)'),
  prompt_tokens: raw('ifNull(input_tokens, 0)'),
  completion_tokens: raw('ifNull(output_tokens, 0)'),
  tokens: raw('ifNull(tokens, ifNull(input_tokens, 0) + ifNull(output_tokens, 0))'),
  errors: sql`status = ${integer(failed)}`,
};

const traceHasTerm = (key: string, test: TextTest): Sql => hasTerm(key, textHolds(raw('term.2'), test));
const hasKey = (key: string): Sql => any([hasTerm(termKey.metadata(key), always), isUnindexed(key)]);
/** Some values of the key are empty or too long for a term. */
const isUnindexed = (key: string): Sql => hasTerm(termKey.unindexedMetadata, sql`term.2 = ${text(key)}`);

/** @param anySpan condition that a trace has a span for which another one holds */
const traceDialect = (anySpan: (condition: Sql) => Sql): FilterDialect<Sql> => ({
  ...{ all, any, not },
  text: (predicate) => {
    const { field } = predicate;
    if (field === 'trace_id') return textHolds(raw('trace_id'), predicate);
    if (field === 'semantic_kind') return traceHasTerm(termKey.kind, predicate);
    if (field === 'environment') return environmentHolds(predicate);
    if (field === 'name') return textHolds(raw('name'), predicate);
    const key = terms[field];
    if (key === undefined) return anySpan(spanTextHolds(predicate));
    const holds = traceHasTerm(key, predicate);
    return holdsAbsent(predicate) ? any([holds, anySpan(sql`${spanTexts[field] as Sql} = ''`)]) : holds;
  },
  number: (predicate) =>
    predicate.field === 'ttft'
      ? anySpan(firstTokenHolds(predicate))
      : numberHolds(traceNumbers[predicate.field as keyof typeof traceNumbers], predicate),
  status: ({ values }) => statusHolds(values[0] as 'OK'),
  tags: ({ values }) => traceHasTerm(termKey.tag, { operator: 'in', values }),
  metadata: (predicate) => {
    const { key, operator } = predicate;
    if (operator === 'exists') return hasKey(key);
    const ofSpans = anySpan(metadataHolds(predicate));
    if (holdsAbsent(predicate)) return ofSpans;
    const ofTerms = traceHasTerm(termKey.metadata(key), predicate);
    // Values that these operators can match are never too long for a term.
    if (operator === 'equals' || operator === 'in') return ofTerms;
    return any([ofTerms, all([isUnindexed(key), ofSpans])]);
  },
  score: (predicate) => {
    const resources = resourcesWith(predicate);
    return any([resourceHolds('trace_id', resources), anySpan(resourceHolds('span_id', resources))]);
  },
});

const ofTracesWith = (condition: Sql): Sql => sql`trace_id IN (SELECT trace_id FROM trace FINAL WHERE ${isOfApp} AND ${condition})`;

const spanDialect: FilterDialect<Sql> = {
  ...{ all, any, not },
  text: (predicate) => {
    if (predicate.field === 'trace_id') return textHolds(raw('trace_id'), predicate);
    if (predicate.field === 'semantic_kind') {
      const codes = kinds.flatMap((kind, code) => (holdsText(predicate, kind) ? [code] : []));
      return codes.length === 0 ? never : sql`kind IN ${integers(codes)}`;
    }
    // A span is in the environments of its trace.
    return predicate.field === 'environment' ? ofTracesWith(environmentHolds(predicate)) : spanTextHolds(predicate);
  },
  number: (predicate) =>
    predicate.field === 'ttft'
      ? firstTokenHolds(predicate)
      : numberHolds(spanNumbers[predicate.field as keyof typeof spanNumbers], predicate),
  status: ({ values }) => statusHolds(values[0] as 'OK'),
  tags: ({ values }) => sql`hasAny(tags, ${texts(values)})`,
  metadata: (predicate) =>
    predicate.operator === 'exists' ? sql`mapContains(metadata, ${text(predicate.key)})` : metadataHolds(predicate),
  score: (predicate) => resourceHolds('span_id', resourcesWith(predicate)),
};

const statusHolds = (status: 'OK' | 'ERROR'): Sql => sql`status = ${integer(statuses.indexOf(status))}`;

function spanTextHolds(predicate: TextPredicate): Sql {
  const { field } = predicate;
  if (!isNamed(field)) return textHolds(spanTexts[field] as Sql, predicate);
  const isOfKind = sql`kind = ${integer(kinds.indexOf(field))}`;
  const holds = sql`(${isOfKind} AND ${textHolds(named[field], predicate)})`;
  return holdsAbsent(predicate) ? any([holds, not(isOfKind)]) : holds;
}

function environmentHolds(predicate: TextPredicate): Sql {
  const holds = traceHasTerm(termKey.environment, predicate);
  return holdsAbsent(predicate) ? any([holds, not(hasTerm(termKey.environment, always))]) : holds;
}

const firstTokenHolds = (predicate: NumberPredicate): Sql =>
  sql`(isNotNull(ttft_us) AND ${numberHolds(raw('assumeNotNull(ttft_us) / 1e3'), predicate)})`;

const metadataHolds = (predicate: MetadataPredicate): Sql => textHolds(sql`metadata[${text(predicate.key)}]`, predicate);

/** Keys of the resources whose latest score of the name passes the test. Of two scores with the same time, the later arrival counts. */
function resourcesWith(predicate: ScorePredicate): Sql {
  return sql`(SELECT resource FROM score FINAL WHERE ${isOfApp} AND name = ${text(predicate.key)}
    GROUP BY resource HAVING ${numberHolds(raw('argMax(score, (created_ms, arrival))'), predicate)})`;
}

/** A positive operator on a text; byte for byte, so that case matters. */
export function textHolds(column: Sql, { operator, values }: TextTest): Sql {
  const each = (holds: (value: string) => Sql) => any(values.map((value) => (value === '' ? always : holds(value))));
  switch (operator) {
    case 'contains':
      return each((value) => sql`position(${column}, ${text(value)}) > 0`);
    case 'startsWith':
      return each((value) => sql`startsWith(${column}, ${text(value)})`);
    case 'endsWith':
      return each((value) => sql`endsWith(${column}, ${text(value)})`);
    default:
      return sql`has(${texts(values)}, ${column})`;
  }
}

export function numberHolds(column: Sql, { operator, values }: { operator: string; values: readonly number[] }): Sql {
  const [first = 0, second = 0] = values;
  const compared = sql`toFloat64(${column})`;
  switch (operator) {
    case 'gt':
      return sql`${compared} > ${number(first)}`;
    case 'gte':
      return sql`${compared} >= ${number(first)}`;
    case 'lt':
      return sql`${compared} < ${number(first)}`;
    case 'lte':
      return sql`${compared} <= ${number(first)}`;
    case 'between':
      return sql`(${compared} >= ${number(first)} AND ${compared} <= ${number(second)})`;
    case 'notEquals':
      return sql`${compared} != ${number(first)}`;
    default:
      return sql`has(${numbers(values)}, ${compared})`;
  }
}

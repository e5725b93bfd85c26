/** SQLite filter dialects for traces and spans (docs/reference/filters.md#meaning). Their common part is in filter-comparisons.ts. */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentField, NumericField, SpanNumericField, StringField } from '../../../../shared/filter/fields.ts';
import type { MetadataPredicate, NumberPredicate, ScorePredicate, TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText, type TextTest } from '../../../../shared/filter/matcher.ts';
import type { FilterDialect } from '../../filter-sql.ts';
import { flag, kinds, statuses, termKey } from '../file/codes.ts';
import { storeId } from '../file/id-codec.ts';
import { all, any, holdsAbsent, never, numberHolds, termsOf, termsWhere, textHolds } from './filter-comparisons.ts';

/** Ids of the rows with a score that satisfies a predicate. */
export type RowsWithScore = (predicate: ScorePredicate) => number[];

/** Names of what spans of one kind ran, in the names of the spans. */
const namedFields = { tool: sql`tool_name(term.value)`, agent: sql`agent_name(term.value)` };
export type NamedField = keyof typeof namedFields;

export const isNamed = (field: string): field is NamedField => Object.hasOwn(namedFields, field);

/** Text fields stored as term ids. */
type TermField = Exclude<StringField, 'trace_id' | 'semantic_kind' | 'environment' | NamedField | ContentField>;

const termFields: Record<TermField, { key: string; column: SQL }> = {
  model: { key: termKey.model, column: sql`span.model` },
  user_id: { key: termKey.user, column: sql`span.user` },
  session_id: { key: termKey.session, column: sql`span.session` },
  prompt_name: { key: termKey.prompt, column: sql`span.prompt` },
  service: { key: termKey.service, column: sql`span.service` },
  name: { key: termKey.name, column: sql`nullif(span.name, 0)` },
  span_name: { key: termKey.name, column: sql`nullif(span.name, 0)` },
};

const traceNumbers: Record<Exclude<NumericField, 'ttft'>, SQL> = {
  latency_ms: sql`(trace.latency_ns / 1e6)`,
  cost: sql`trace.cost`,
  prompt_tokens: sql`trace.input_tokens`,
  completion_tokens: sql`trace.output_tokens`,
  tokens: sql`trace.tokens`,
  errors: sql`trace.error_count`,
  spans: sql`trace.span_count`,
  errors_inside: sql`iif(trace.status = ${statuses.indexOf('ERROR')}, 0, trace.error_count)`,
};

const spanNumbers: Record<Exclude<SpanNumericField, 'ttft'>, SQL> = {
  latency_ms: sql`(span.duration_ns / 1e6)`,
  cost: sql`coalesce(span.cost, 0)`,
  prompt_tokens: sql`coalesce(span.input_tokens, 0)`,
  completion_tokens: sql`coalesce(span.output_tokens, 0)`,
  tokens: sql`coalesce(span.tokens, coalesce(span.input_tokens, 0) + coalesce(span.output_tokens, 0))`,
  errors: sql`(span.status = ${statuses.indexOf('ERROR')})`,
};

const isShown = sql`(span.flags & ${flag.placeholder}) = 0`;

export function traceDialect(scope: number, rowsWithScore: RowsWithScore): FilterDialect<SQL> {
  const hasTerm = (key: string, test: TextTest) => sql`trace.id IN ${tracesWithTerms(termsWhere(scope, key, test))}`;
  const anySpan = (condition: SQL) => sql`EXISTS (SELECT 1 FROM span WHERE span.trace = trace.id AND ${isShown} AND ${condition})`;
  return {
    ...common,
    text: (predicate) => {
      if (predicate.field === 'trace_id') return traceIdHolds(predicate);
      if (predicate.field === 'semantic_kind') return hasTerm(termKey.kind, predicate);
      if (predicate.field === 'environment') return environmentHolds(ids.trace, scope, predicate);
      if (predicate.field === 'name') return traceNameHolds(scope, predicate);
      if (!isPosted(predicate.field)) return anySpan(spanTextHolds(scope, predicate));
      const { key, column } = termFields[predicate.field as TermField];
      return holdsAbsent(predicate) ? any([hasTerm(key, predicate), anySpan(sql`${column} IS NULL`)]) : hasTerm(key, predicate);
    },
    number: (predicate) => {
      if (predicate.field === 'ttft') return anySpan(firstTokenHolds(predicate));
      return numberHolds(traceNumbers[predicate.field as keyof typeof traceNumbers], predicate);
    },
    status: ({ values }) => sql`trace.status = ${statuses.indexOf(values[0] as 'OK')}`,
    tags: ({ values }) => hasTerm(termKey.tag, { operator: 'in', values }),
    metadata: (predicate) => {
      if (predicate.operator === 'exists') return sql`trace.id IN ${tracesWithKey(scope, predicate.key)}`;
      if (holdsAbsent(predicate)) return anySpan(spanMetadataHolds(predicate));
      const postings = hasTerm(termKey.metadata(predicate.key), predicate);
      if (isExact(predicate)) return postings;
      const notIndexed = sql`(trace.id IN ${tracesWithUnindexed(scope, predicate.key)} AND ${anySpan(spanMetadataHolds(predicate))})`;
      return any([postings, notIndexed]);
    },
    score: (predicate) => among(ids.trace, rowsWithScore(predicate)),
  };
}

export function spanDialect(scope: number, rowsWithScore: RowsWithScore): FilterDialect<SQL> {
  return {
    ...common,
    text: (predicate) => {
      if (predicate.field === 'trace_id') {
        return sql`span.trace IN (SELECT trace.id FROM trace WHERE trace.scope = ${scope} AND ${traceIdHolds(predicate)})`;
      }
      if (predicate.field === 'semantic_kind') {
        const codes = kinds.flatMap((kind, code) => (holdsText(predicate, kind) ? [code] : []));
        return codes.length === 0 ? never : sql`span.kind IN ${codes}`;
      }
      if (predicate.field === 'environment') return environmentHolds(sql`span.trace`, scope, predicate);
      return spanTextHolds(scope, predicate);
    },
    number: (predicate) => {
      if (predicate.field === 'ttft') return firstTokenHolds(predicate);
      return numberHolds(spanNumbers[predicate.field as keyof typeof spanNumbers], predicate);
    },
    status: ({ values }) => sql`span.status = ${statuses.indexOf(values[0] as 'OK')}`,
    tags: ({ values }) => {
      const sets = sql`SELECT term.id FROM term WHERE term.scope = ${scope} AND term.key = ${termKey.tagSet}`;
      return sql`coalesce(span.tags, 0) IN (${sets} AND has_tag(term.value, ${JSON.stringify(values)}))`;
    },
    metadata: (predicate) => {
      if (predicate.operator === 'exists') {
        return sql`(span.trace IN ${tracesWithKey(scope, predicate.key)} AND ${metadataValue(predicate.key)} IS NOT NULL)`;
      }
      if (holdsAbsent(predicate)) return spanMetadataHolds(predicate);
      // Documents are read only for spans of traces that have the term.
      const posting = sql`span.trace IN ${tracesWithTerms(termsWhere(scope, termKey.metadata(predicate.key), predicate))}`;
      const narrowed = isExact(predicate) ? posting : any([posting, sql`span.trace IN ${tracesWithUnindexed(scope, predicate.key)}`]);
      return sql`(${narrowed} AND ${spanMetadataHolds(predicate)})`;
    },
    score: (predicate) => among(ids.span, rowsWithScore(predicate)),
  };
}

const ids = { trace: sql`trace.id`, span: sql`span.id` };

const common: Pick<FilterDialect<SQL>, 'all' | 'any' | 'not'> = {
  all,
  any,
  not: (condition) => sql`NOT (${condition})`,
};

/** Whether the terms of a trace hold the texts of its spans. */
const isPosted = (field: string): boolean => !['service', 'span_name'].includes(field) && !isNamed(field);

function spanTextHolds(scope: number, predicate: TextPredicate): SQL {
  if (isNamed(predicate.field)) return namedHolds(predicate.field, scope, predicate);
  const { key, column } = termFields[predicate.field as TermField];
  const holds = sql`coalesce(${column}, 0) IN ${termsWhere(scope, key, predicate)}`;
  return holdsAbsent(predicate) ? any([holds, sql`${column} IS NULL`]) : holds;
}

/** The name of a span of the kind is that of its tool or agent. */
function namedHolds(field: NamedField, scope: number, predicate: TextPredicate): SQL {
  const kind = kinds.indexOf(field);
  const named = sql`(span.kind = ${kind} AND span.name IN ${spanNamesWhere(field, scope, predicate)})`;
  return holdsAbsent(predicate) ? any([named, sql`span.kind <> ${kind}`, sql`span.name = 0`]) : named;
}

/** Names of spans whose tool or agent passes a test. */
export const spanNamesWhere = (field: NamedField, scope: number, test: TextTest): SQL =>
  termsOf(scope, termKey.name, textHolds(namedFields[field], test));

function traceNameHolds(scope: number, predicate: TextPredicate): SQL {
  const names = [termKey.name, termKey.traceName].map((key) => sql`trace.name IN ${termsWhere(scope, key, predicate)}`);
  return any(holdsAbsent(predicate) ? [...names, sql`trace.name = 0`] : names);
}

/** A span is in the environments of its trace. */
function environmentHolds(trace: SQL, scope: number, predicate: TextPredicate): SQL {
  const named = sql`${trace} IN ${tracesWithTerms(termsWhere(scope, termKey.environment, predicate))}`;
  const isKnown = sql`${trace} IN ${tracesWithTerms(termsWhere(scope, termKey.environment, everyText))}`;
  return holdsAbsent(predicate) ? any([named, sql`NOT (${isKnown})`]) : named;
}

const everyText: TextTest = { operator: 'startsWith', values: [''] };

const firstTokenHolds = (predicate: NumberPredicate): SQL =>
  sql`(span.ttft_us IS NOT NULL AND ${numberHolds(sql`(span.ttft_us / 1e3)`, predicate)})`;

const tracesWithTerms = (terms: SQL): SQL =>
  sql`(SELECT all_trace_terms.trace FROM all_trace_terms WHERE all_trace_terms.term IN ${terms})`;

/** Traces with values of the key that are empty or too long for the term index; those are only in the documents of the spans. */
const tracesWithUnindexed = (scope: number, key: string): SQL =>
  tracesWithTerms(termsWhere(scope, termKey.unindexedMetadata, { operator: 'equals', values: [key] }));

const tracesWithKey = (scope: number, key: string): SQL =>
  tracesWithTerms(
    sql`(SELECT term.id FROM term WHERE term.scope = ${scope} AND (term.key = ${termKey.metadata(key)} OR (term.key = ${termKey.unindexedMetadata} AND term.value = ${key})))`,
  );

/** Values that these operators can match are never too long for the term index. */
const isExact = ({ operator }: MetadataPredicate): boolean => operator === 'equals' || operator === 'in';

const metadataValue = (key: string): SQL =>
  sql`(SELECT metadata_value(document.json, ${key}) FROM document WHERE document.id = span.metadata)`;

const spanMetadataHolds = (predicate: MetadataPredicate): SQL => textHolds(sql`coalesce(${metadataValue(predicate.key)}, '')`, predicate);

/** Complete ids are looked up in stored form, through the index; parts are searched in readable form. */
export function traceIdHolds(predicate: TextTest): SQL {
  if (predicate.operator === 'equals' || predicate.operator === 'in') return sql`trace.trace_id IN ${predicate.values.map(storeId)}`;
  return textHolds(sql`iif(typeof(trace.trace_id) = 'blob', lower(hex(trace.trace_id)), trace.trace_id)`, predicate);
}

export const among = (id: SQL, numbers: Iterable<number>): SQL =>
  sql`${id} IN (SELECT value FROM json_each(${JSON.stringify([...numbers])}))`;

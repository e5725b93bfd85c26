/** Filter dialect of SQLite for traces and spans (docs/reference/filters.md#meaning). Their common part is in filter-comparisons.ts. */
import { type SQL, sql } from 'drizzle-orm';
import type { NumericField, StringField } from '../../../../shared/filter/fields.ts';
import type { MetadataPredicate, ScorePredicate, TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText, type TextTest } from '../../../../shared/filter/matcher.ts';
import type { FilterDialect } from '../../filter-sql.ts';
import { flag, kinds, statuses, termKey } from '../file/codes.ts';
import { storeId } from '../file/id-codec.ts';
import { contentKey } from './content-scan.ts';
import { any, holdsAbsent, never, numberHolds, termsWhere, textHolds } from './filter-comparisons.ts';

/** Condition that a row number is among the matches of a predicate. */
export type ContentCondition = (key: string) => (id: SQL) => SQL;

/** Numbers of the rows with a score that satisfies. */
export type Scored = (predicate: ScorePredicate) => number[];

/** Text fields that rows hold the number of. */
type TermField = Exclude<StringField, 'trace_id' | 'semantic_kind' | 'input' | 'output' | 'props'>;

const termFields: Record<TermField, { key: string; column: SQL }> = {
  model: { key: termKey.model, column: sql`span.model` },
  user_id: { key: termKey.user, column: sql`span.user` },
  session_id: { key: termKey.session, column: sql`span.session` },
  prompt_name: { key: termKey.prompt, column: sql`span.prompt` },
};

const traceNumbers: Record<NumericField, SQL> = {
  latency_ms: sql`(trace.latency_ns / 1e6)`,
  cost: sql`trace.cost`,
  prompt_tokens: sql`trace.input_tokens`,
  completion_tokens: sql`trace.output_tokens`,
};

const spanNumbers: Record<NumericField, SQL> = {
  latency_ms: sql`(span.duration_ns / 1e6)`,
  cost: sql`coalesce(span.cost, 0)`,
  prompt_tokens: sql`coalesce(span.input_tokens, 0)`,
  completion_tokens: sql`coalesce(span.output_tokens, 0)`,
};

const isShown = sql`(span.flags & ${flag.placeholder}) = 0`;

export function traceDialect(scope: number, content: ContentCondition, scored: Scored): FilterDialect<SQL> {
  const posted = (key: string, test: TextTest) => sql`trace.id IN ${tracesHolding(termsWhere(scope, key, test))}`;
  const anySpan = (condition: SQL) => sql`EXISTS (SELECT 1 FROM span WHERE span.trace = trace.id AND ${isShown} AND ${condition})`;
  return {
    ...common('trace', content),
    text: (predicate) => {
      if (predicate.field === 'trace_id') return traceIdHolds(predicate);
      if (predicate.field === 'semantic_kind') return posted(termKey.kind, predicate);
      const { key, column } = termFields[predicate.field as TermField];
      return holdsAbsent(predicate) ? any([posted(key, predicate), anySpan(sql`${column} IS NULL`)]) : posted(key, predicate);
    },
    number: (predicate) => numberHolds(traceNumbers[predicate.field as NumericField], predicate),
    status: ({ values }) => sql`trace.status = ${statuses.indexOf(values[0] as 'OK')}`,
    tags: ({ values }) => posted(termKey.tag, { operator: 'in', values }),
    metadata: (predicate) => {
      if (predicate.operator === 'exists') return sql`trace.id IN ${tracesWithKey(scope, predicate.key)}`;
      if (holdsAbsent(predicate)) return anySpan(spanMetadataHolds(predicate));
      const postings = posted(termKey.metadata(predicate.key), predicate);
      if (isExact(predicate)) return postings;
      const unposted = sql`(trace.id IN ${tracesNotPosting(scope, predicate.key)} AND ${anySpan(spanMetadataHolds(predicate))})`;
      return any([postings, unposted]);
    },
    score: (predicate) => among(ids.trace, scored(predicate)),
  };
}

export function spanDialect(scope: number, content: ContentCondition, scored: Scored): FilterDialect<SQL> {
  return {
    ...common('span', content),
    text: (predicate) => {
      if (predicate.field === 'trace_id') {
        return sql`span.trace IN (SELECT trace.id FROM trace WHERE trace.scope = ${scope} AND ${traceIdHolds(predicate)})`;
      }
      if (predicate.field === 'semantic_kind') {
        const codes = kinds.flatMap((kind, code) => (holdsText(predicate, kind) ? [code] : []));
        return codes.length === 0 ? never : sql`span.kind IN ${codes}`;
      }
      const { key, column } = termFields[predicate.field as TermField];
      const holds = sql`coalesce(${column}, 0) IN ${termsWhere(scope, key, predicate)}`;
      return holdsAbsent(predicate) ? any([holds, sql`${column} IS NULL`]) : holds;
    },
    number: (predicate) => numberHolds(spanNumbers[predicate.field as NumericField], predicate),
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
      // Documents are opened for the spans of traces that have the word at all.
      const posting = sql`span.trace IN ${tracesHolding(termsWhere(scope, termKey.metadata(predicate.key), predicate))}`;
      const narrowed = isExact(predicate) ? posting : any([posting, sql`span.trace IN ${tracesNotPosting(scope, predicate.key)}`]);
      return sql`(${narrowed} AND ${spanMetadataHolds(predicate)})`;
    },
    score: (predicate) => among(ids.span, scored(predicate)),
  };
}

const ids = { trace: sql`trace.id`, span: sql`span.id` };

const common = (row: keyof typeof ids, content: ContentCondition): Pick<FilterDialect<SQL>, 'content' | 'any' | 'not'> => ({
  content: (predicate) => content(contentKey(predicate))(ids[row]),
  any,
  not: (condition) => sql`NOT (${condition})`,
});

const tracesHolding = (terms: SQL): SQL => sql`(SELECT trace_term.trace FROM trace_term WHERE trace_term.term IN ${terms})`;

/** Traces with values of the key that are empty or too long for the term index; those are only in the documents of the spans. */
const tracesNotPosting = (scope: number, key: string): SQL =>
  tracesHolding(termsWhere(scope, termKey.unpostedMetadata, { operator: 'equals', values: [key] }));

const tracesWithKey = (scope: number, key: string): SQL =>
  tracesHolding(
    sql`(SELECT term.id FROM term WHERE term.scope = ${scope} AND (term.key = ${termKey.metadata(key)} OR (term.key = ${termKey.unpostedMetadata} AND term.value = ${key})))`,
  );

/** No value that can be matched as a whole is too long for the term index. */
const isExact = ({ operator }: MetadataPredicate): boolean => operator === 'equals' || operator === 'in';

const metadataValue = (key: string): SQL =>
  sql`(SELECT metadata_value(document.json, ${key}) FROM document WHERE document.id = span.metadata)`;

const spanMetadataHolds = (predicate: MetadataPredicate): SQL => textHolds(sql`coalesce(${metadataValue(predicate.key)}, '')`, predicate);

/** Whole ids are looked up as they are stored, through the index; parts are sought in their readable form. */
function traceIdHolds(predicate: TextPredicate): SQL {
  if (predicate.operator === 'equals' || predicate.operator === 'in') return sql`trace.trace_id IN ${predicate.values.map(storeId)}`;
  return textHolds(sql`iif(typeof(trace.trace_id) = 'blob', lower(hex(trace.trace_id)), trace.trace_id)`, predicate);
}

export const among = (id: SQL, numbers: Iterable<number>): SQL =>
  sql`${id} IN (SELECT value FROM json_each(${JSON.stringify([...numbers])}))`;

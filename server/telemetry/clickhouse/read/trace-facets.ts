/** Most frequent values of the newest traces of a list. Compare sqlite/read/trace-facets.ts. */
import type { FacetName, TraceFacets } from '../../../../shared/contract/tracing/trace-facets.ts';
import type { TracesNarrowing } from '../../../../shared/contract/tracing/trace-list.ts';
import type { Scope } from '../../../platform/scope.ts';
import { errorPattern } from '../../error-pattern.ts';
import { kinds, statuses, termKey } from '../../sqlite/file/codes.ts';
import { errorsMax, messagesMax } from '../../sqlite/read/span-facets.ts';
import { mostFrequent } from '../../sqlite/read/trace-facets.ts';
import { errorTypesOf } from './error-types.ts';
import { named } from './filter-sql.ts';
import type { ReadContext } from './read-context.ts';
import { integer, isIn, raw, type Sql, sql } from './sql.ts';
import { newestTraces } from './trace-page.ts';
import { isOfApp } from './trace-where.ts';

/** So many traces tell what is frequent. */
const countedMax = 10_000;

type Counts = Map<string, number>;

interface CountedRow {
  facet: FacetName;
  value: string;
  traces: number;
}

interface FailedSpan {
  trace_id: string;
  span_id: string;
  name: string;
  status_message: string;
}

const failed = statuses.indexOf('ERROR');

export class TraceFacetReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async facets(scope: Scope, query: TracesNarrowing & { limit: number }): Promise<TraceFacets> {
    const { keys, isComplete } = await newestTraces(this.#context, scope, query, countedMax);
    const ids = keys.slice(0, countedMax).map(({ trace_id }) => trace_id);
    const [ofTraces, ofSpans, errors, errorTypes] = await Promise.all([
      this.#count(scope, ofTraceRows(ids)),
      this.#count(scope, ofSpanRows(ids)),
      this.#errors(scope, ids),
      this.#errorTypes(scope, ids),
    ]);
    const rows = Map.groupBy([...ofTraces, ...ofSpans], ({ facet }) => facet);
    const countsOf = (name: FacetName): Counts =>
      name === 'error' ? errorTypes.counts : new Map((rows.get(name) ?? []).map(({ value, traces }) => [value, traces]));
    const facets = names.map((name) => ({ name, ...mostFrequent(countsOf(name), query.limit) }));
    return { looked_at: ids.length, is_whole: isComplete && keys.length <= countedMax && errorTypes.isWhole, errors, facets };
  }

  #count(scope: Scope, values: Sql): Promise<CountedRow[]> {
    return this.#context.find(
      scope,
      sql`SELECT entry.1 AS facet, entry.2 AS value, uniqExact(trace_id) AS traces FROM (${values}) ARRAY JOIN entries AS entry
          WHERE value != '' GROUP BY facet, value`,
    );
  }

  async #errors(scope: Scope, ids: readonly string[]): Promise<TraceFacets['errors']> {
    const isFailed = sql`status = ${integer(failed)}`;
    const [row] = await this.#context.find<TraceFacets['errors']>(
      scope,
      sql`SELECT count() AS any, countIf(${isFailed}) AS failed, countIf(NOT ${isFailed}) AS inside
          FROM trace FINAL WHERE ${isOfApp} AND ${isIn('trace_id', ids)} AND error_count > 0`,
    );
    return row ?? { any: 0, failed: 0, inside: 0 };
  }

  /** The type is read once for errors of spans with the same name and, apart from numbers and the like, the same message. */
  async #errorTypes(scope: Scope, ids: readonly string[]): Promise<{ counts: Counts; isWhole: boolean }> {
    const rows = await this.#context.find<FailedSpan>(
      scope,
      sql`SELECT failed.trace_id AS trace_id, span_id, name, status_message
          FROM (SELECT trace_id, span_id, name, status_message, arrival FROM span FINAL
            WHERE ${isOfApp} AND ${isAmong(ids)} AND status = ${integer(failed)}) AS failed
          INNER JOIN (SELECT trace_id, listed_us, arrival FROM place FINAL WHERE ${isOfApp} AND ${isIn('trace_id', ids)}) AS place
          ON place.trace_id = failed.trace_id
          ORDER BY place.listed_us DESC, place.arrival DESC, failed.arrival LIMIT ${integer(errorsMax)}`,
    );
    const alike = [...Map.groupBy(rows, ({ name, status_message }) => `${name} ${errorPattern(status_message)}`).values()];
    const counted = alike.sort((a, b) => b.length - a.length).slice(0, messagesMax);
    const first = counted.map(([span]) => span as FailedSpan);
    const { types, isWhole } = await errorTypesOf(this.#context, scope, first);
    const tracesOf = new Map<string, Set<string>>();
    for (const [index, type] of types.entries()) {
      const traces = counted[index]?.map(({ trace_id }) => trace_id) ?? [];
      if (type) tracesOf.set(type, (tracesOf.get(type) ?? new Set()).union(new Set(traces)));
    }
    return { counts: new Map([...tracesOf].map(([type, traces]) => [type, traces.size])), isWhole };
  }
}

const names: readonly FacetName[] = [
  ...(['error', 'tool', 'agent', 'model', 'service', 'environment', 'user_id', 'session_id', 'status', 'tags', 'prompt_name'] as const),
  'semantic_kind',
];

/** `trace_id`, and `entries`: pairs of facet and value. */
const ofTraceRows = (ids: readonly string[]): Sql => {
  const one = (facet: FacetName, value: string) => `('${facet}', toString(${value}))`;
  const ofTerms = (facet: FacetName, key: string) =>
    `arrayMap(term -> ('${facet}', term.2), arrayFilter(term -> term.1 = '${key}', terms))`;
  const status = `[${statuses.map((name) => `'${name}'`).join()}][status + 1]`;
  return sql`SELECT trace_id, arrayConcat(
      [${raw([one('user_id', 'user'), one('session_id', 'session'), one('prompt_name', 'prompt_name'), one('status', status)].join())}],
      arrayMap(tag -> ('tags', toString(tag)), tags),
      ${raw([ofTerms('model', termKey.model), ofTerms('environment', termKey.environment), ofTerms('semantic_kind', termKey.kind)].join())}
    ) AS entries FROM trace FINAL WHERE ${isOfApp} AND ${isIn('trace_id', ids)}`;
};

const ofSpanRows = (ids: readonly string[]): Sql => {
  const ofKind = (kind: 'tool' | 'agent') => sql`(${raw(`'${kind}'`)}, if(kind = ${integer(kinds.indexOf(kind))}, ${named[kind]}, ''))`;
  return sql`SELECT trace_id, [('service', toString(service)), ${ofKind('tool')}, ${ofKind('agent')}] AS entries
    FROM span FINAL WHERE ${isOfApp} AND ${isAmong(ids)}`;
};

/** Spans of traces; their places tell in which hours those are. */
export function isAmong(ids: readonly string[]): Sql {
  const isOne = isIn('trace_id', ids);
  return sql`(${isOne} AND hour IN (SELECT arrayJoin(span_hours) FROM place FINAL WHERE ${isOfApp} AND ${isOne}))`;
}

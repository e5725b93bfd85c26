/** Comparisons of runs: the traces are selected here, and compared in a copy. */
import type { ComparedGroups, ComparedGroupsQuery } from '../../../../shared/contract/tracing/compared-groups.ts';
import type { Comparison, ComparisonQuery } from '../../../../shared/contract/tracing/comparison.ts';
import type { SeenBefore } from '../../../../shared/contract/tracing/seen-before.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { type Failure, failureKey, failureOf, mainFailure } from '../../failures.ts';
import { statuses } from '../../sqlite/file/codes.ts';
import { goodRunsNamed } from '../../sqlite/read/group-comparison-reads.ts';
import { comparedMax, errorsMax, idsMax, mayHaveFailure, nothing, tracesMax } from '../../sqlite/read/seen-before-reads.ts';
import type { ComparisonReader } from '../../trace-reader.ts';
import { partsOf } from '../parameter-lists.ts';
import type { TraceRow } from '../stored-rows.ts';
import { causesIn } from './failed-spans.ts';
import type { ReadContext } from './read-context.ts';
import { all, sql, texts } from './sql.ts';
import { newestTraces } from './trace-page.ts';
import { isOfApp } from './trace-where.ts';

interface Group {
  ids: readonly string[];
  hasMore: boolean;
}

type Named = Pick<TraceRow, 'trace_id' | 'name' | 'status'>;

/** What narrows both groups, and how many traces each has at most. */
type Selection = Omit<ComparedGroupsQuery, 'a' | 'b' | 'a_ids' | 'b_ids'>;

const failed = statuses.indexOf('ERROR');

export class ComparisonReads implements ComparisonReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  find(scope: Scope, query: ComparisonQuery): Promise<Encoded<Comparison> | null> {
    return this.#context.over(scope, [query.a, query.b]).comparisons.find(scope, query);
  }

  async groups(scope: Scope, query: ComparedGroupsQuery): Promise<Encoded<ComparedGroups>> {
    const { a: filterA, b: filterB, a_ids, b_ids, ...selection } = query;
    const a = a_ids ? given(a_ids) : await this.#newest(scope, selection, filterA, []);
    const isGiven = b_ids !== undefined || filterB !== undefined;
    const b = b_ids
      ? given(b_ids)
      : await (isGiven ? this.#newest(scope, selection, filterB, a.ids) : this.#goodRunsLike(scope, selection, a.ids));
    const ids = { a_ids: [...a.ids], b_ids: [...b.ids] };
    const copy = this.#context.over(scope, [...new Set([...a.ids, ...b.ids])]);
    const compared = (await copy.comparisons.groups(scope, { ...selection, ...ids })).decode();
    return Encoded.of({
      ...compared,
      a: { ...compared.a, has_more: a.hasMore },
      b: { ...compared.b, has_more: b.hasMore },
    });
  }

  async seenBefore(scope: Scope, traceId: string): Promise<Encoded<SeenBefore> | null> {
    const id = readId(traceId, 16) ?? '';
    const [own] = await this.#tracesOf(scope, [id]);
    if (!own) return null;
    const main = mainFailure((await causesIn(this.#context, scope, [id], errorsMax)).errors);
    if (!main) return Encoded.of({ error: null, ...nothing });
    const { ids, isWhole } = await this.#tracesWith(scope, main.failure);
    const { kind, name, pattern: message } = main.failure;
    const error = { span_id: main.row.span_id, kind, name, message };
    const others = await this.#tracesOf(
      scope,
      ids.filter((other) => other !== id),
    );
    if (others.length === 0) return Encoded.of({ error, ...nothing, is_whole: isWhole });
    const [ofFailed, ofRecovered] = [others.filter(isFailed).map(idOf), others.filter((row) => !isFailed(row)).map(idOf)];
    const hasContrast = isFailed(own) && ofRecovered.length > 0;
    const good = hasContrast ? [] : (await this.#goodRunsLike(scope, { limit: comparedMax }, [id])).ids;
    return Encoded.of({
      ...(await this.#compared(scope, id, [ofFailed, ofRecovered, good])),
      error,
      failed: ofFailed.slice(0, idsMax),
      failed_count: ofFailed.length,
      recovered: ofRecovered.slice(0, idsMax),
      recovered_count: ofRecovered.length,
      good: [...good],
      is_whole: isWhole,
    });
  }

  /** In a copy of the first of each group, the same runs are compared as among all traces. */
  async #compared(
    scope: Scope,
    id: string,
    groups: readonly (readonly string[])[],
  ): Promise<Pick<SeenBefore, 'facts' | 'compared' | 'nearest'>> {
    const copied = [id, ...groups.flatMap((ids) => ids.slice(0, comparedMax))];
    const found = await this.#context.over(scope, copied).comparisons.seenBefore(scope, id);
    const { facts, compared, nearest } = found?.decode() ?? nothing;
    return { facts, compared, nearest };
  }

  async #tracesWith(scope: Scope, failure: Failure): Promise<{ ids: string[]; isWhole: boolean }> {
    const { keys, isComplete } = await newestTraces(this.#context, scope, { filter: mayHaveFailure(failure) }, tracesMax);
    const newest = keys.slice(0, tracesMax).map(({ trace_id }) => trace_id);
    const { errors, isWhole } = await causesIn(this.#context, scope, newest, errorsMax);
    const same = errors.filter((row) => failureKey(failureOf(row)) === failureKey(failure));
    return { ids: [...new Set(same.map(({ trace }) => trace))], isWhole: isWhole && isComplete && keys.length <= tracesMax };
  }

  /** The newest others without errors that have the name of one of the traces. */
  async #goodRunsLike(scope: Scope, selection: Selection, ids: readonly string[]): Promise<Group> {
    const names = new Set((await this.#tracesOf(scope, ids)).map(({ name }) => name).filter((name) => name !== ''));
    return names.size === 0 ? given([]) : this.#newest(scope, selection, goodRunsNamed([...names]), ids);
  }

  /** @param except traces of the other group: a trace is in one only */
  async #newest(scope: Scope, { limit, ...narrowing }: Selection, filter: Filter | undefined, except: readonly string[]): Promise<Group> {
    const excluded = new Set(except.map((id) => readId(id, 16)));
    const { keys, isComplete } = await newestTraces(this.#context, scope, { ...narrowing, filter }, limit + except.length);
    const others = keys.map(({ trace_id }) => trace_id).filter((id) => !excluded.has(id));
    return { ids: others.slice(0, limit), hasMore: !isComplete || others.length > limit };
  }

  /** Those that are stored, in the order of their ids. */
  async #tracesOf(scope: Scope, traceIds: readonly string[]): Promise<Named[]> {
    const rows: Named[] = [];
    for (const part of partsOf(traceIds.map((id) => readId(id, 16)).filter((id) => id !== null))) {
      const ids = texts(part);
      const hours = sql`hour IN (SELECT hour FROM place FINAL WHERE ${isOfApp} AND trace_id IN ${ids})`;
      const where = all([isOfApp, hours, sql`trace_id IN ${ids}`]);
      rows.push(...(await this.#context.find<Named>(scope, sql`SELECT trace_id, name, status FROM trace FINAL WHERE ${where}`)));
    }
    const found = new Map(rows.map((row) => [row.trace_id, row]));
    return traceIds.flatMap((id) => found.get(readId(id, 16) ?? '') ?? []);
  }
}

const given = (ids: readonly string[]): Group => ({ ids, hasMore: false });
const isFailed = ({ status }: Named): boolean => status === failed;
const idOf = ({ trace_id }: Named): string => trace_id;

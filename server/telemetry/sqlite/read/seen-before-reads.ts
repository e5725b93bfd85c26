/** The other runs with the failure of a run, and what was different in those that went well. */
import type { ComparedRun } from '../../../../shared/contract/tracing/comparison.ts';
import type { SeenBefore } from '../../../../shared/contract/tracing/seen-before.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { type Failure, failureKey, failureOf, mainFailure } from '../../failures.ts';
import { statuses } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import { FailedSpans } from './failed-spans.ts';
import { GroupComparisonReads } from './group-comparison-reads.ts';
import { noRow } from './lookup.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';

/** Traces in which the failure is sought: the newest with errors in the same tool, model or span. */
export const tracesMax = 1000;
export const errorsMax = 10_000;
export const idsMax = 50;

/** What is compared, so that it is quick. */
export const comparedMax = 12;
const comparedSpans = 4000;
const factsMax = 3;

interface SeenRow {
  id: number;
  trace_id: unknown;
  status: number;
}

export class SeenBeforeReads {
  readonly #context: ReadContext;
  readonly #failedSpans;
  readonly #groups;
  readonly #rows;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#failedSpans = new FailedSpans(context, errorsMax);
    this.#groups = new GroupComparisonReads(context);
    this.#rows = context.db.prepare<[string], SeenRow>(
      `SELECT trace.id, trace.trace_id, trace.status FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value ORDER BY place.key`,
    );
  }

  find(scope: number, traceId: string): SeenBefore | null {
    const trace = this.#context.lookup.trace(scope, traceId);
    if (trace === noRow) return null;
    const main = mainFailure(this.#failedSpans.causesIn([trace]).errors);
    if (!main) return { error: null, ...nothing };
    const { ids, isWhole } = this.#tracesWith(scope, main.failure);
    const { kind, name, pattern: message } = main.failure;
    const error = { span_id: readStoredId(main.row.span_id), kind, name, message };
    const others = this.#rows.all(JSON.stringify(ids.filter((id) => id !== trace)));
    if (others.length === 0) return { error, ...nothing, is_whole: isWhole };
    const failed = others.filter(isFailed);
    const recovered = others.filter((row) => !isFailed(row));
    const [own] = this.#rows.all(JSON.stringify([trace]));
    // Runs that went as this one did are no contrast to it.
    const [same, contrast] = own && isFailed(own) ? [failed, recovered] : [recovered, []];
    const good = contrast.length > 0 ? [] : this.#rows.all(JSON.stringify(this.#groups.goodRunsLike(scope, goodQuery, [trace]).ids));
    return {
      error,
      failed: failed.slice(0, idsMax).map(idOf),
      failed_count: failed.length,
      recovered: recovered.slice(0, idsMax).map(idOf),
      recovered_count: recovered.length,
      good: good.map(idOf),
      ...this.#comparison([trace, ...same.map(rowOf)], [...contrast, ...good].map(rowOf)),
      is_whole: isWhole,
    };
  }

  #tracesWith(scope: number, failure: Failure): { ids: number[]; isWhole: boolean } {
    const { ids, isComplete } = newestTraces(this.#context, scope, { filter: mayHaveFailure(failure) }, tracesMax);
    const { errors, isWhole } = this.#failedSpans.causesIn(ids.slice(0, tracesMax));
    const same = errors.filter((row) => failureKey(failureOf(row)) === failureKey(failure));
    return { ids: [...new Set(same.map(({ trace }) => trace))], isWhole: isWhole && isComplete && ids.length <= tracesMax };
  }

  /** The first of the same runs is the one that is asked about. */
  #comparison(same: readonly number[], contrast: readonly number[]): Pick<SeenBefore, 'facts' | 'compared' | 'nearest'> {
    const group = (ids: readonly number[]) => ({ ids: ids.slice(0, comparedMax), hasMore: false });
    const { a, b, facts, likeness, is_whole } = this.#groups.compareWithFirst(group(same), group(contrast), comparedSpans);
    const runs = [...a.runs, ...b.runs];
    const near = likeness.map((value, at) => ({ value, run: runs[at] })).slice(1);
    const nearest = near.sort((one, other) => other.value - one.value).flatMap(({ value, run }) => (run ? [{ run, likeness: value }] : []));
    return {
      facts: facts.filter(({ kind }) => kind !== 'error').slice(0, factsMax),
      compared: { a: a.runs.map(runId), b: b.runs.map(runId), is_whole },
      nearest: nearest.slice(0, factsMax),
    };
  }
}

/** What is told of a failure that no other run had. */
export const nothing = {
  ...{ failed: [], failed_count: 0, recovered: [], recovered_count: 0, good: [] },
  ...{ facts: [], compared: { a: [], b: [], is_whole: true }, nearest: [], is_whole: true },
};
/** Traces with errors in the same tool, model or span. */
export const mayHaveFailure = ({ field, name }: Failure): Filter => ({
  clauses: [
    [{ kind: 'string', field, operator: 'equals', values: [name] }],
    [{ kind: 'numeric', field: 'errors', operator: 'gt', values: [0] }],
  ],
});
const goodQuery = { limit: comparedMax };

const isFailed = ({ status }: SeenRow): boolean => statuses[status] === 'ERROR';
const rowOf = ({ id }: SeenRow): number => id;
const runId = ({ id }: ComparedRun): string => id;
const idOf = ({ trace_id }: SeenRow): string => readStoredId(trace_id);

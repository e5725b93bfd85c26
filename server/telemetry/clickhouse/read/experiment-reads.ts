/**
 * Runs of experiments. Figures are sums of rows; names, paths and the contents of items are read from copies of the traces, some at a time.
 */
import type {
  Baseline,
  BaselineQuery,
  ExperimentDetail,
  ExperimentItem,
  ExperimentQuery,
  ExperimentSummary,
} from '../../../../shared/contract/evaluation/experiments.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import { isoOf } from '../../sqlite/read/iso-time.ts';
import type { ExperimentReader } from '../../trace-reader.ts';
import { partsOf } from '../parameter-lists.ts';
import { type CountedTrace, copiesOf, within } from './copies.ts';
import type { ReadContext } from './read-context.ts';
import { type RunRow, readMeanScores, readPrompts, readRuns, readTracesOfRun } from './run-rows.ts';

const dayUs = 24 * 3600 * 1e6;

/** Copied to find runs by what only their first traces tell. */
const spansMax = 50_000;

interface FirstTrace extends CountedTrace {
  run: string;
}

/** Of the first trace of a run. */
type Head = Pick<ExperimentSummary, 'name' | 'datasetPath' | 'commitSha'>;

export class ExperimentReads implements ExperimentReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async list(scope: Scope, query: ExperimentQuery): Promise<EncodedPage<ExperimentSummary>> {
    const from = query.start_date ? Date.parse(query.start_date) * 1000 : Number.NEGATIVE_INFINITY;
    const to = query.end_date ? Date.parse(query.end_date) * 1000 + dayUs : Number.POSITIVE_INFINITY;
    let runs = (await readRuns(this.#context, scope, null)).filter(({ start_us }) => start_us >= from && start_us < to);
    if (query.prompt_name !== undefined) {
      const prompts = await readPrompts(this.#context, scope, null);
      runs = runs.filter(({ run }) => (prompts.get(run) ?? '') === query.prompt_name);
    }
    let isWhole = true;
    if (query.dataset_path !== undefined) {
      const looked = within(firstTraces(runs), spansMax);
      const heads = await this.#heads(scope, looked.fitting);
      runs = runs.filter(({ run }) => heads.get(run)?.datasetPath === query.dataset_path);
      isWhole = looked.isWhole;
    }
    const page = runs.slice(query.offset, query.offset + query.limit);
    const data = Encoded.of(await this.#summaries(scope, page));
    return { data, total: runs.length, ...(!isWhole && { totalIsLowerBound: true }) };
  }

  async find(scope: Scope, runId: string): Promise<Encoded<ExperimentDetail> | null> {
    const runs = await readRuns(this.#context, scope, [runId]);
    const [summary] = await this.#summaries(scope, runs);
    if (!summary) return null;
    const items: ExperimentItem[] = [];
    for (const copy of copiesOf(await readTracesOfRun(this.#context, scope, runId))) {
      const ids = new Set(copy.map(({ trace_id }) => trace_id));
      const copied = await this.#context.over(scope, [...ids], { scores: true }).experiments.find(scope, runId);
      // A copy may have further traces of a conversation, which are not complete in it.
      items.push(...(copied?.decode().items.filter(({ traceId }) => ids.has(traceId)) ?? []));
    }
    return Encoded.of({ ...summary, items });
  }

  async baseline(scope: Scope, query: BaselineQuery): Promise<Encoded<Baseline>> {
    const resolved = await this.#resolve(scope, query);
    const rows: Baseline['rows'] = [];
    if (resolved) {
      const asked = { ...query, tree_hash: resolved.treeHash };
      for (const copy of copiesOf(await readTracesOfRun(this.#context, scope, resolved.runId))) {
        const ids = copy.map(({ trace_id }) => trace_id);
        const copied = (await this.#context.over(scope, ids, { scores: true }).experiments.baseline(scope, asked)).decode();
        if (copied.resolved?.runId === resolved.runId) rows.push(...copied.rows);
      }
    }
    return Encoded.of({ resolved, rows });
  }

  /** The newest run at the tree, else the newest, by the first trace of each; of very many, among the newest. */
  async #resolve(scope: Scope, query: BaselineQuery): Promise<Baseline['resolved']> {
    let newest: Baseline['resolved'] = null;
    for (const copy of copiesOf(within(firstTraces(await readRuns(this.#context, scope, null)), spansMax).fitting)) {
      const ids = copy.map(({ trace_id }) => trace_id);
      const { resolved } = (await this.#context.over(scope, ids).experiments.baseline(scope, query)).decode();
      if (resolved?.matchedExactCommit) return resolved;
      newest ??= resolved;
    }
    return newest;
  }

  async #summaries(scope: Scope, runs: readonly RunRow[]): Promise<ExperimentSummary[]> {
    if (runs.length === 0) return [];
    const parts = partsOf(runs.map(({ run }) => run));
    const [heads, allPrompts, allMeans] = await Promise.all([
      this.#heads(scope, firstTraces(runs)),
      Promise.all(parts.map((ids) => readPrompts(this.#context, scope, ids))),
      Promise.all(parts.map((ids) => readMeanScores(this.#context, scope, ids))),
    ]);
    const [prompts, means] = [new Map(allPrompts.flatMap((part) => [...part])), new Map(allMeans.flatMap((part) => [...part]))];
    return runs.map((row) => ({
      id: row.run,
      name: heads.get(row.run)?.name ?? row.run,
      datasetPath: heads.get(row.run)?.datasetPath ?? '',
      promptName: prompts.get(row.run) ?? '',
      start: isoOf(row.start_us),
      end: isoOf(row.end_us),
      itemCount: row.item_count,
      avgLatencyMs: Math.round(row.latency_ns / 1e6),
      totalCost: row.cost,
      totalTokens: row.tokens,
      avgScore: means.get(row.run) ?? null,
      commitSha: heads.get(row.run)?.commitSha ?? '',
      createdAt: isoOf(row.start_us),
    }));
  }

  async #heads(scope: Scope, traces: readonly FirstTrace[]): Promise<Map<string, Head>> {
    const heads = new Map<string, Head>();
    for (const copy of copiesOf(traces)) {
      const ids = copy.map(({ trace_id }) => trace_id);
      const { data } = await this.#context.over(scope, ids).experiments.list(scope, { limit: Number.MAX_SAFE_INTEGER, offset: 0 });
      // Of other runs the copy may have a later trace only.
      const asked = new Set(copy.map(({ run }) => run));
      for (const summary of data.decode()) if (asked.has(summary.id)) heads.set(summary.id, summary);
    }
    return heads;
  }
}

const firstTraces = (runs: readonly RunRow[]): FirstTrace[] =>
  runs.map(({ run, first_trace, first_spans }) => ({ run, trace_id: first_trace, span_count: first_spans }));

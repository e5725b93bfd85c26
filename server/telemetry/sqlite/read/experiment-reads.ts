/**
 * Runs of experiments, from the traces with their run id. Figures come from rows; the dataset path and the experiment key are read from the root
 * span of a run's first trace.
 */
import type {
  Baseline,
  BaselineQuery,
  ExperimentDetail,
  ExperimentItem,
  ExperimentQuery,
  ExperimentSummary,
} from '../../../../shared/contract/evaluation/experiments.ts';
import { inputHash } from '../../../../shared/input-hash.ts';
import { contentOf, summarise } from '../../../ingest/normalise/index.ts';
import type { SpanContent, SpanSummary } from '../../../ingest/normalise/normalised.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { termKey, types } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import { keyOf } from '../file/resource-key.ts';
import { sumOfTokens } from './bounded-sums.ts';
import { isoOf } from './iso-time.ts';
import { noRow } from './lookup.ts';
import { ReadPage } from './read-answer.ts';
import type { ReadContext } from './read-context.ts';
import { meanScore } from './score-wire.ts';
import { type SentSpanRow, sentSpanColumns } from './sent-span.ts';
import type { ReadSpan } from './span-payload.ts';
import { inTime } from './time-limit.ts';
import type { TraceReads } from './trace-reads.ts';

interface RunRow {
  term: number;
  run_id: string;
  item_count: number;
  start_us: number;
  end_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
}

interface TraceRow {
  id: number;
  trace_id: unknown;
  root: number;
  cost: number;
  tokens: number;
}

interface ScoreRow {
  name: string;
  score: number;
  label: string;
  reason: string;
}

const runColumns = `terms.term, term.value AS run_id, count(*) AS item_count, min(root.start_us) AS start_us,
  max(root.start_us) AS end_us, avg(root.duration_ns) AS latency_ns, sum(trace.cost) AS cost, ${sumOfTokens('trace.tokens')} AS tokens`;
const runTables = `all_trace_terms AS terms JOIN term ON term.id = terms.term JOIN trace ON trace.id = terms.trace AND trace.span_count > 0
  JOIN span AS root ON root.id = trace.root`;

const dayUs = 24 * 3600 * 1e6;

export class ExperimentReads {
  readonly #context: ReadContext;
  readonly #traces: TraceReads;
  readonly #runs;
  readonly #run;
  readonly #tracesOf;
  readonly #rootOf;
  readonly #promptOf;
  readonly #meanScore;
  readonly #scoresOf;

  constructor(context: ReadContext, traces: TraceReads) {
    const { db } = context;
    this.#context = context;
    this.#traces = traces;
    this.#runs = db.prepare<[number, string], RunRow>(
      `SELECT ${runColumns} FROM ${runTables} WHERE terms.term IN (SELECT id FROM term WHERE scope = ? AND key = ? AND value <> '') AND ${inTime('trace.id')}
       GROUP BY term.id ORDER BY min(root.start_us) DESC, term.value`,
    );
    this.#run = db.prepare<[number], RunRow>(`SELECT ${runColumns} FROM ${runTables} WHERE terms.term = ? GROUP BY term.id`);
    this.#tracesOf = db.prepare<[number], TraceRow>(
      `SELECT trace.id, trace.trace_id, trace.root, trace.cost, trace.tokens FROM ${runTables}
       WHERE terms.term = ? ORDER BY root.start_us, root.start_rest_ns, trace.id`,
    );
    this.#rootOf = db.prepare<[number], SentSpanRow>(
      `SELECT ${sentSpanColumns} FROM span WHERE id = (SELECT trace.root FROM ${runTables}
       WHERE terms.term = ? ORDER BY root.start_us, root.start_rest_ns, trace.id LIMIT 1)`,
    );
    this.#promptOf = db
      .prepare<[number], number>(
        `SELECT span.prompt FROM all_trace_terms AS terms JOIN span ON span.trace = terms.trace
         WHERE terms.term = ? AND span.prompt > 0 ORDER BY coalesce(span.model, 0) = 0, span.start_us, span.id LIMIT 1`,
      )
      .pluck();
    const ofTraces = `score.scope = ? AND score.resource IN
      (SELECT ${keyOf('trace_id')} FROM trace WHERE id IN (SELECT trace FROM all_trace_terms WHERE term = ?))`;
    this.#meanScore = db.prepare<[number, number], number | null>(`SELECT ${meanScore} FROM score WHERE ${ofTraces}`).pluck();
    this.#scoresOf = db.prepare<[number, number], ScoreRow>(
      `SELECT name, score, label, reason FROM score WHERE scope = ? AND resource = (SELECT ${keyOf('trace_id')} FROM trace WHERE id = ?)
       ORDER BY created_ms, id`,
    );
  }

  list(scope: number, query: ExperimentQuery): ReadPage<ExperimentSummary> {
    const from = query.start_date ? Date.parse(query.start_date) * 1000 : Number.NEGATIVE_INFINITY;
    const to = query.end_date ? Date.parse(query.end_date) * 1000 + dayUs : Number.POSITIVE_INFINITY;
    const runs = this.#runs
      .all(scope, termKey.datasetRun)
      .filter(({ start_us }) => start_us >= from && start_us < to)
      .filter(({ term }) => query.prompt_name === undefined || this.#promptName(term) === query.prompt_name)
      .filter(({ term }) => query.dataset_path === undefined || this.#rootSummary(term)?.dataset_path === query.dataset_path);
    const page = runs.slice(query.offset, query.offset + query.limit);
    const summaries = page.map((run) => this.#summaryOf(scope, run));
    return new ReadPage(summaries, runs.length);
  }

  find(scope: number, runId: string): ExperimentDetail | null {
    const term = this.#context.lookup.term(scope, termKey.datasetRun, runId);
    const run = term === noRow ? undefined : this.#run.get(term);
    if (!run) return null;
    const items = this.#context.damageReporter.rows('trace', this.#tracesOf.all(term), (trace) => this.#itemOf(scope, trace));
    return { ...this.#summaryOf(scope, run), items };
  }

  baseline(scope: number, { experiment_key, tree_hash }: BaselineQuery): Baseline {
    const runs = this.#runs.all(scope, termKey.datasetRun).flatMap(({ term, run_id }) => {
      const root = this.#rootSummary(term);
      return root?.experiment_key === experiment_key ? [{ term, run_id, treeHash: root.source_tree_hash }] : [];
    });
    const run = runs.find(({ treeHash }) => treeHash === tree_hash) ?? runs[0];
    if (!run) return { resolved: null, rows: [] };
    const { treeHash } = run;
    const rows = this.#context.damageReporter
      .rows('trace', this.#tracesOf.all(run.term), (trace) => this.#baselineRows(scope, trace))
      .flat();
    return { resolved: { runId: run.run_id, treeHash, matchedExactCommit: treeHash === tree_hash }, rows };
  }

  #baselineRows(scope: number, trace: TraceRow): Baseline['rows'] {
    const scores = this.#scoresOf.all(scope, trace.id);
    if (scores.length === 0) return [];
    const spans = this.#readItem(trace);
    // SDKs that do not send the input of the dataset row send the prompt variables made from it.
    const text = datasetInput(spans) || firstValue(spans, 'props') || spans.root?.content.input || '';
    try {
      const hash = inputHash(JSON.parse(text));
      return scores.map(({ name, score }) => ({ inputHash: hash, scorer: name, score }));
    } catch {
      return [];
    }
  }

  #summaryOf(scope: number, run: RunRow): ExperimentSummary {
    const root = this.#rootSummary(run.term);
    return {
      id: run.run_id,
      name: root?.dataset_run_name || run.run_id,
      datasetPath: root?.dataset_path ?? '',
      promptName: this.#promptName(run.term),
      start: isoOf(run.start_us),
      end: isoOf(run.end_us),
      itemCount: run.item_count,
      avgLatencyMs: Math.round(run.latency_ns / 1e6),
      totalCost: run.cost,
      totalTokens: run.tokens,
      avgScore: this.#meanScore.get(scope, run.term) ?? null,
      commitSha: root?.commit_sha ?? '',
      createdAt: isoOf(run.start_us),
    };
  }

  #promptName(term: number): string {
    return this.#context.lookup.text(this.#promptOf.get(term) ?? null);
  }

  #rootSummary(term: number): SpanSummary | null {
    const row = this.#rootOf.get(term);
    const { damageReporter, sentSpans } = this.#context;
    return row
      ? damageReporter.read('span', `${row.trace}/${row.block}/${row.at}`, () => summarise(withLogsAsEvents(sentSpans.read(row).sent)))
      : null;
  }

  #itemOf(scope: number, trace: TraceRow): ExperimentItem {
    const spans = this.#readItem(trace);
    const { root, generations } = spans;
    const last = generations.at(-1)?.content;
    const models = [...generations, ...(root ? [root] : [])].map(({ span }) => span.row.model);
    return {
      traceId: readStoredId(trace.trace_id),
      itemName: (root && summarise(root.span.sent()).dataset_item_name) || root?.span.row.name || '',
      input: datasetInput(spans) || root?.content.input || generations[0]?.content.input || '',
      expectedOutput: firstValue(spans, 'dataset_expected_output'),
      output: last?.output || last?.output_object || root?.content.output || root?.content.output_object || '',
      latencyMs: (root?.span.row.duration_ns ?? 0) / 1e6,
      cost: trace.cost,
      tokens: trace.tokens,
      model: models.find((model) => model) ?? '',
      scores: this.#scoresOf.all(scope, trace.id),
    };
  }

  #readItem(trace: TraceRow): ItemSpans {
    const spans = this.#traces.spansOf(trace.id).map((span) => ({ id: span.row.id, span }));
    const all = this.#context.damageReporter.rows('span', spans, ({ span }) => ({ span, content: contentOf(span.sent()) }));
    return {
      all,
      root: all.find(({ span }) => span.row.id === trace.root) ?? null,
      generations: all.filter(({ span }) => types[span.row.type] === 'GENERATION'),
    };
  }
}

interface ItemSpan {
  span: ReadSpan;
  content: SpanContent;
}

interface ItemSpans {
  all: ItemSpan[];
  root: ItemSpan | null;
  generations: ItemSpan[];
}

/** Value of the root span, else of the first span that has one. */
const firstValue = ({ root, all }: ItemSpans, field: 'props' | 'dataset_input' | 'dataset_expected_output'): string =>
  root?.content[field] || all.find(({ content }) => content[field] !== '')?.content[field] || '';

const datasetInput = (spans: ItemSpans): string => firstValue(spans, 'dataset_input');

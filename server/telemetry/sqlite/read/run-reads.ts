/** The steps of a run as comparisons see them. */
import type { ComparedRun } from '../../../../shared/contract/tracing/comparison.ts';
import { contentOf, previewOf, summarise } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { inherited } from '../../ancestors.ts';
import type { RunSpan } from '../../comparison/run-span.ts';
import { type RunStep, runSteps } from '../../comparison/run-steps.ts';
import { type SpanFact, spanFacts } from '../../comparison/span-facts.ts';
import { spanParts } from '../../comparison/span-parts.ts';
import { flag, kinds, statuses } from '../file/codes.ts';
import { stored } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import { isoOf } from './iso-time.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible, oldestFirst, type SpanRow, spanColumns } from './span-wire.ts';
import { inTime } from './time-limit.ts';

interface TraceRow {
  trace_id: unknown;
  name: number;
  status: number;
  start_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
  error_count: number;
  pending_count: number;
}

/** Spans of a trace that have a kind and a prompt in common. */
interface SpanCount {
  kind: number;
  prompt: string | null;
  spans: number;
}

const noText = { input: '', output: '' };

export interface Run {
  figures: ComparedRun;
  steps: RunStep[];
  /** By span; empty unless asked for. */
  spanFacts: ReadonlyMap<string, readonly SpanFact[]>;
  isWhole: boolean;
}

export class RunReads {
  readonly #context: ReadContext;
  readonly #trace;
  readonly #spans;
  readonly #counts;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#trace = context.db.prepare<[number], TraceRow>(
      'SELECT trace_id, name, status, start_us, latency_ns, cost, tokens, error_count, pending_count FROM trace WHERE id = ?',
    );
    this.#spans = context.db.prepare<[number, number], SpanRow>(
      `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace WHERE span.trace = ? AND ${isVisible}
       ORDER BY ${oldestFirst} LIMIT ?`,
    );
    this.#counts = context.db.prepare<[number], SpanCount>(
      `SELECT span.kind, prompt.value AS prompt, count(*) AS spans FROM span LEFT JOIN term AS prompt ON prompt.id = span.prompt
       WHERE span.trace = ? AND ${isVisible} AND ${inTime('span.id')} GROUP BY span.kind, span.prompt ORDER BY min(span.start_us)`,
    );
  }

  /**
   * @param id row of a trace
   * @param spansMax how many spans are read: the first
   * @param withFacts whether spans have their facts instead of their texts
   */
  read(id: number, spansMax: number, withFacts = false): Run {
    const trace = stored(this.#trace.get(id), `Trace row ${id}`);
    const rows = this.#spans.all(id, spansMax + 1);
    const known = withFacts ? new Map<string, SpanFact[]>() : null;
    const read = this.#context.damageReporter.rows('span', rows.slice(0, spansMax), (row) => this.#spanOf(row, trace.start_us, known));
    const steps = runSteps(stepsAmong(read));
    const figures = this.#figuresOf(trace, this.#counts.all(id), steps.length);
    return { figures, steps, spanFacts: known ?? new Map(), isWhole: rows.length <= spansMax };
  }

  #figuresOf(trace: TraceRow, counts: readonly SpanCount[], steps: number): ComparedRun {
    const count = (kind: string) => counts.reduce((sum, each) => (kinds[each.kind] === kind ? sum + each.spans : sum), 0);
    return {
      id: readStoredId(trace.trace_id),
      name: this.#context.lookup.text(trace.name),
      status: statuses[trace.status] ?? 'UNSET',
      is_running: trace.pending_count > 0,
      start: isoOf(trace.start_us),
      duration_ms: trace.latency_ns / 1e6,
      tokens: trace.tokens,
      cost: trace.cost,
      errors: trace.error_count,
      tool_calls: count('tool'),
      model_calls: count('llm'),
      prompts: [...new Set(counts.map(({ prompt }) => prompt ?? ''))].filter((prompt) => prompt !== ''),
      steps,
    };
  }

  /** A damaged span is a step of which nothing is known but its row. */
  #spanOf(row: SpanRow, originUs: number, known: Map<string, SpanFact[]> | null): RunSpan {
    const { damageReporter, limit, sentSpans } = this.#context;
    limit.check();
    const [id, kind] = [readStoredId(row.span_id), kinds[row.kind] ?? 'function'];
    const read = damageReporter.read('span', row.id, () => {
      const sent = withLogsAsEvents(sentSpans.read(row).sent);
      const summary = summarise(sent);
      const content = contentOf(sent);
      known?.set(id, spanFacts(kind, content, summary));
      return { summary, text: known ? noText : previewOf(sent), ...spanParts(kind, content, summary) };
    });
    return {
      id,
      parentId: row.parent_id === null ? null : readStoredId(row.parent_id),
      kind,
      name: (kind === 'llm' && row.model) || (kind === 'agent' && read?.summary.agent_name) || row.name || '',
      text: read?.text ?? noText,
      startMs: (row.start_us - originUs) / 1000,
      durationMs: row.duration_ns / 1e6,
      tokens: row.tokens ?? 0,
      cost: row.cost ?? 0,
      isFailed: statuses[row.status] === 'ERROR',
      isRunning: (row.flags & flag.pending) !== 0,
      given: read?.given ?? {},
      results: read?.results ?? {},
    };
  }
}

/** Spans of the program itself are steps only where nothing else is. Others take the place of their parents among them. */
function stepsAmong(spans: readonly RunSpan[]): RunSpan[] {
  const isStep = ({ kind }: RunSpan) => kind !== 'function';
  if (!spans.some(isStep)) return [...spans];
  const left = new Map(spans.filter((span) => !isStep(span)).map((span): [string, RunSpan] => [span.id, span]));
  const parentOf = inherited<RunSpan, string | null>(
    left,
    ({ parentId }) => parentId,
    (_, above) => above,
  );
  return spans.filter(isStep).map((span) => {
    const above = span.parentId === null ? undefined : left.get(span.parentId);
    return above ? { ...span, parentId: parentOf(above) } : span;
  });
}

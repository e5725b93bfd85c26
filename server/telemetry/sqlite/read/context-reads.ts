/** What fills the context windows of a trace (server/telemetry/context). */
import type { ContextWindows } from '../../../../shared/contract/tracing/context-windows.ts';
import { promptOf, summarise } from '../../../ingest/normalise/index.ts';
import type { SpanSummary } from '../../../ingest/normalise/normalised.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { contextWindows } from '../../context/context-windows.ts';
import type { ModelCall } from '../../context/model-call.ts';
import { ModelCalls } from '../../context/model-calls.ts';
import { promptParts } from '../../context/prompt-parts.ts';
import { PromptTexts } from '../../context/prompt-texts.ts';
import { dollarsMax } from '../../trace-tree.ts';
import { costSources, flag, kinds, statuses } from '../file/codes.ts';
import { requireNumbers, stored } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import { noRow } from './lookup.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible, oldestFirst, type SpanRow, spanColumns } from './span-wire.ts';

/** Spans and model calls of a trace that are read, parts of their prompts, and UTF-16 units of these: the first. */
const [spansMax, callsMax, partsMax, lengthMax] = [10_000, 2_000, 500_000, 100_000_000];
/** UTF-16 units of the distinct texts of a trace that are kept for its next read. */
const cachedLengthMax = 8_000_000;

export class ContextReads {
  readonly #context: ReadContext;
  readonly #start;
  readonly #spans;
  #cache = new PromptCache(noRow);

  constructor(context: ReadContext) {
    this.#context = context;
    this.#start = context.db.prepare<[number], { start_us: number }>('SELECT start_us FROM trace WHERE id = ?');
    this.#spans = context.db.prepare<[number], SpanRow>(
      `SELECT ${spanColumns} FROM span JOIN trace ON trace.id = span.trace WHERE span.trace = ? AND ${isVisible}
       ORDER BY ${oldestFirst} LIMIT ${spansMax + 1}`,
    );
  }

  find(scope: number, traceId: string): ContextWindows | null {
    try {
      return this.#find(scope, traceId);
    } finally {
      if (this.#cache.texts.length > cachedLengthMax) this.#cache = new PromptCache(noRow);
    }
  }

  #find(scope: number, traceId: string): ContextWindows | null {
    const id = this.#context.lookup.trace(scope, traceId);
    if (id === noRow) return null;
    const trace = stored(this.#start.get(id), `Trace row ${id}`);
    requireNumbers(trace, ['start_us'], 'A trace');
    const rows = this.#spans.all(id);
    if (this.#cache.trace !== id) this.#cache = new PromptCache(id);
    const run = new RunReader(this.#context, rows.slice(0, spansMax), trace.start_us, this.#cache);
    const isWhole = run.read() && rows.length <= spansMax;
    return { windows: contextWindows(run.calls, this.#cache.texts, () => this.#context.limit.check()), is_whole: isWhole };
  }
}

interface ReadPrompt {
  summary: SpanSummary;
  /** Ids in the texts of the run. */
  prompt: number[];
  /** UTF-16 units of the prompt. */
  length: number;
}

/** What was read of the trace that was read last: a page that follows a running trace reads it after every commit. */
class PromptCache {
  readonly trace: number;
  readonly texts = new PromptTexts();
  readonly #prompts = new Map<number, ReadPrompt & { block: number; at: number }>();

  constructor(trace: number) {
    this.trace = trace;
  }

  /** A span has another place once its record is replaced. More log records may arrive at any time. */
  find({ id, block, at, flags }: SpanRow): ReadPrompt | null {
    const found = this.#prompts.get(id);
    return found && found.block === block && found.at === at && (flags & flag.hasLogs) === 0 ? found : null;
  }

  keep({ id, block, at }: SpanRow, read: ReadPrompt): ReadPrompt {
    this.#prompts.set(id, { ...read, block, at });
    return read;
  }
}

/** @throws StorageError `corrupt` when the row is damaged */
function identified(row: SpanRow): [string, SpanRow] {
  requireNumbers(row, ['start_us', 'duration_ns', 'status', 'kind', 'flags', 'cost_source'], 'A span');
  const counts = (['input_tokens', 'output_tokens', 'cost'] as const).filter((column) => row[column] !== null);
  requireNumbers(row, counts, 'A span');
  return [readStoredId(row.span_id), row];
}

/** The model calls of one run. */
class RunReader {
  readonly calls: ModelCall[] = [];
  readonly #context: ReadContext;
  readonly #startUs: number;
  readonly #rows: ReadonlyMap<string, SpanRow>;
  readonly #tree: ModelCalls;
  readonly #agentNames = new Map<string, string>();
  readonly #cache: PromptCache;
  #partsLeft = partsMax;
  #lengthLeft = lengthMax;

  constructor(context: ReadContext, rows: readonly SpanRow[], startUs: number, cache: PromptCache) {
    this.#context = context;
    this.#cache = cache;
    this.#startUs = startUs;
    this.#rows = new Map(context.damageReporter.rows('span', rows, identified));
    const spans = [...this.#rows].map(([id, row]) => ({
      id,
      parentId: row.parent_id === null ? null : readStoredId(row.parent_id),
      kind: kinds[row.kind] ?? 'function',
    }));
    this.#tree = new ModelCalls(spans);
  }

  /** Whether all of them were read. */
  read(): boolean {
    for (const id of this.#tree.ids) {
      if (this.calls.length === callsMax || this.#partsLeft <= 0 || this.#lengthLeft <= 0) return false;
      this.calls.push(this.#callOf(id, this.#rows.get(id) as SpanRow));
    }
    return true;
  }

  #callOf(id: string, row: SpanRow): ModelCall {
    const read = this.#charged(row);
    const { agentId, wrapperId } = this.#tree.surroundingsOf(id);
    const wrapper = read?.prompt.length === 0 && wrapperId !== null ? this.#rows.get(wrapperId) : undefined;
    const prompt = (wrapper ? this.#charged(wrapper) : read)?.prompt ?? [];
    this.#partsLeft -= prompt.length;
    const model = row.model ?? '';
    return {
      ...{ id, agentId, agent: this.#agentName(agentId) || (read?.summary.agent_name ?? ''), model },
      ...this.#priceOf(model, row, read?.summary ?? null),
      startMs: (row.start_us - this.#startUs) / 1000,
      durationMs: row.duration_ns / 1e6,
      firstTokenMs: read?.summary.ttft_ms ?? null,
      isFailed: statuses[row.status] === 'ERROR',
      isRunning: (row.flags & flag.pending) !== 0,
      usage: usageOf(row, read?.summary ?? null),
      state: read === null ? 'damaged' : prompt.length === 0 ? 'not_recorded' : 'recorded',
      prompt,
    };
  }

  /** What is cached is charged like what is read, so that a trace is whole or not whichever reader has it. Null when it is damaged. */
  #charged(row: SpanRow): ReadPrompt | null {
    const read = this.#read(row);
    this.#lengthLeft -= read?.length ?? 0;
    return read;
  }

  #read(row: SpanRow): ReadPrompt | null {
    const { damageReporter, limit, sentSpans } = this.#context;
    const cached = this.#cache.find(row);
    if (cached) return cached;
    limit.check();
    return damageReporter.read('span', row.id, () => {
      const sent = withLogsAsEvents(sentSpans.read(row).sent);
      const parts = promptParts(promptOf(sent));
      const length = parts.reduce((sum, { text }) => sum + text.length, 0);
      return this.#cache.keep(row, { summary: summarise(sent), prompt: this.#cache.texts.add(parts), length });
    });
  }

  #agentName(id: string | null): string {
    const row = id === null ? undefined : this.#rows.get(id);
    if (id === null || !row) return '';
    const known = this.#agentNames.get(id);
    if (known !== undefined) return known;
    const { damageReporter, sentSpans } = this.#context;
    const name = damageReporter.read('span', row.id, () => {
      const { agent_name, tool_name } = summarise(sentSpans.read(row).sent);
      return kinds[row.kind] === 'tool' ? tool_name : agent_name;
    });
    this.#agentNames.set(id, name || (row.name ?? ''));
    return name || (row.name ?? '');
  }

  #priceOf(
    model: string,
    row: SpanRow,
    summary: SpanSummary | null,
  ): Pick<ModelCall, 'modelKey' | 'price' | 'limitTokens' | 'cost' | 'costFactor'> {
    const { pricing } = this.#context;
    const provider = summary?.provider ?? '';
    const match = pricing.resolve(model, provider);
    const source = costSources[row.cost_source];
    const cost = source === 'none' || source === undefined || row.cost === null ? null : Math.min(row.cost, dollarsMax);
    const listed = source === 'reported' && summary ? pricing.costOf({ ...summary, reported_cost: null }).cost : null;
    return {
      modelKey: match?.matched ?? model,
      price: match?.price ?? null,
      limitTokens: pricing.contextWindow(model, provider),
      cost,
      costFactor: listed && cost !== null ? cost / listed : 1,
    };
  }
}

function usageOf(row: SpanRow, summary: SpanSummary | null): ModelCall['usage'] {
  const { cache_read_tokens: cached = null, cache_write_tokens: written = null } = summary?.usage ?? {};
  return { input: countOf(row.input_tokens), output: countOf(row.output_tokens), cached: countOf(cached), written: countOf(written) };
}

/** Senders write what they like. */
const countOf = (tokens: number | null): number | null =>
  tokens !== null && tokens >= 0 && tokens <= tokensMax ? Math.round(tokens) : null;
const tokensMax = 1e9;

/** Follows a run while its program goes on: reports its steps as they are stored, what they cost, and why it may be running away. */
import { setTimeout as after } from 'node:timers/promises';
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import type { SemanticKind } from '../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanItem } from '../../shared/contract/tracing/spans.ts';
import { worstFirst } from '../../shared/words/runaway-words.ts';
import { runKey } from '../platform/run-key.ts';
import type { GatewayInfo } from './local-gateway.ts';
import { readEvents } from './read-events.ts';

const pauseMs = 1000;
/** Spans of one read; of a larger commit the oldest steps are only counted. */
const spansMax = 500;
const tracesMax = 1000;
/** Ids of steps that were reported; older ones do not come back. */
const reportedMax = 20_000;

/** Kinds that do something; functions and agents only contain them. */
const stepKinds: ReadonlySet<SemanticKind> = new Set(['llm', 'tool', 'retrieval', 'embedding', 'guardrail']);

/** Sums of a run. */
export interface RunSums {
  traces: number;
  spans: number;
  tokens: number;
  /** US dollars. */
  cost: number;
}

export interface RunEvents {
  /** Steps in the order of their ends, with the sums of the run. */
  steps(steps: SpanItem[], sums: RunSums): void;
  /** The worst sign that the run is running away. */
  runaway(found: ListedRunaway): void;
  /** Somebody asked for the end of the program in the viewer. */
  stop(): void;
}

export class RunFollower {
  readonly #gateway: GatewayInfo;
  readonly #runId: string;
  readonly #events: RunEvents;
  readonly #end = new AbortController();
  readonly #reported = new Set<string>();
  #reading: Promise<void> = Promise.resolve();
  #isReadRequested = false;
  /** Of the traces at the latest read. */
  #readState = '[]';
  sums: RunSums = { traces: 0, spans: 0, tokens: 0, cost: 0 };

  constructor(gateway: GatewayInfo, runId: string, events: RunEvents) {
    this.#gateway = gateway;
    this.#runId = runId;
    this.#events = events;
  }

  /** Begins to follow. A lost connection is made again; the program does not notice. */
  start(): void {
    void this.#follow();
  }

  /** Reports what has arrived until now, and ends. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#read();
    await this.#reading;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        const response = await fetch(`${this.#gateway.url}/v1/viewer/live?run_id=${this.#runId}`, { signal });
        this.#read();
        for await (const { event } of readEvents(response)) {
          if (event === 'commit') this.#read();
          else if (event === 'runaways') await this.#readRunaways();
          else if (event === 'stop') this.#events.stop();
        }
      } catch {}
      await after(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Reads once more after the current read, however often it is called meanwhile. */
  #read(): void {
    if (this.#isReadRequested) return;
    this.#isReadRequested = true;
    this.#reading = this.#reading.then(async () => {
      this.#isReadRequested = false;
      await this.#readSteps().catch(() => {});
    });
  }

  async #readSteps(): Promise<void> {
    const { client } = this.#gateway;
    const filter = `metadata.${runKey} = ${this.#runId}`;
    const traces = await client.traces.list({ query: { filter, limit: tracesMax } });
    const sum = (of: (trace: (typeof traces.data)[number]) => number) => traces.data.reduce((total, trace) => total + of(trace), 0);
    const sums: RunSums = {
      traces: traces.pagination.total,
      spans: sum(({ span_count }) => span_count),
      tokens: sum(({ tokens }) => tokens),
      cost: sum(({ cost }) => cost),
    };
    const state = JSON.stringify(traces.data.map(({ id, end, status, span_count, cost }) => [id, end, status, span_count, cost]));
    if (state === this.#readState && !this.#end.signal.aborted) return;
    this.#readState = state;
    this.sums = sums;
    const { data } = await client.spans.list({ query: { filter, limit: spansMax } });
    // A span without a duration runs, as a rule; the last read reports it.
    const hasEnded = ({ duration_ms }: SpanItem) => duration_ms > 0 || this.#end.signal.aborted;
    const steps = data.filter((span) => stepKinds.has(span.span_kind) && !this.#reported.has(span.id) && hasEnded(span));
    for (const { id } of steps) this.#reported.add(id);
    for (const oldest of this.#reported) if (this.#reported.size > reportedMax) this.#reported.delete(oldest);
    this.#events.steps(
      steps.sort((a, b) => endOf(a) - endOf(b)),
      sums,
    );
  }

  async #readRunaways(): Promise<void> {
    const { data } = await this.#gateway.client.runaways.list({ query: { running: 'true', limit: 200 } });
    const [worst] = data.filter(({ run_id }) => run_id === this.#runId).sort(worstFirst);
    if (worst) this.#events.runaway(worst);
  }
}

const endOf = ({ timestamp, duration_ms }: SpanItem): number => Date.parse(timestamp) + duration_ms;

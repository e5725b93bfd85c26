/** Eight agents at the same time: spans are exported in the order in which they end, so a trace is spread over several requests, its root last. */
import { type AgentTrace, AgentTraceMaker } from './agent-trace.ts';
import { AgentWorld } from './agent-world.ts';
import { Prose } from './prose.ts';
import { Random } from './random.ts';
import type { Span } from './span.ts';

const agentCount = 8;
const spreadMs = 20 * 3600 * 1000;

interface Running {
  trace: AgentTrace;
  sent: number;
}

export class AgentStream {
  /** Traces whose spans have all been returned. */
  traceCount = 0;
  readonly #random: Random;
  readonly #maker: AgentTraceMaker;
  readonly #baseMs: number;
  readonly #running: Running[] = [];
  #startedCount = 0;

  /** @param baseMs when the first trace starts */
  constructor(seed: string, baseMs: number) {
    this.#random = new Random(`stream ${seed}`);
    this.#baseMs = baseMs;
    const prose = new Prose();
    this.#maker = new AgentTraceMaker(this.#random, prose, new AgentWorld(this.#random, prose));
  }

  /** The next few spans of one of the agents. */
  next(): Span[] {
    while (this.#running.length < agentCount) this.#running.push({ trace: this.#startTrace(), sent: 0 });
    const agent = this.#random.pick(this.#running);
    const spans = agent.trace.spans.slice(agent.sent, agent.sent + this.#random.between(1, 12));
    agent.sent += spans.length;
    if (agent.sent === agent.trace.spans.length) {
      this.#running.splice(this.#running.indexOf(agent), 1);
      this.traceCount++;
    }
    return spans;
  }

  /** A complete trace with exactly so many spans, not interleaved with others. */
  special(size: number): AgentTrace {
    this.traceCount++;
    return this.#startTrace(size);
  }

  /** The remaining spans of the running agents. */
  drain(): Span[] {
    const rest = this.#running.flatMap(({ trace, sent }) => trace.spans.slice(sent));
    this.traceCount += this.#running.length;
    this.#running.length = 0;
    return rest;
  }

  #startTrace(size?: number): AgentTrace {
    const startMs = this.#baseMs + ((this.#startedCount++ * 137) % spreadMs) + this.#random.fraction();
    return this.#maker.make(startMs, size);
  }
}

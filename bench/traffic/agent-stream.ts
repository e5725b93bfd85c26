/** Eight agents at work at once: their spans leave as they end, so a trace comes over several requests and its root last. */
import { type AgentTrace, AgentTraceMaker } from './agent-trace.ts';
import { AgentWorld } from './agent-world.ts';
import { Prose } from './prose.ts';
import { Random } from './random.ts';
import type { Span } from './span.ts';

const agentsAtOnce = 8;
const spreadMs = 20 * 3600 * 1000;

interface Running {
  trace: AgentTrace;
  sent: number;
}

export class AgentStream {
  /** Traces whose every span has left. */
  traceCount = 0;
  readonly #random: Random;
  readonly #maker: AgentTraceMaker;
  readonly #baseMs: number;
  readonly #running: Running[] = [];
  #begun = 0;

  /** @param baseMs when the first trace starts */
  constructor(seed: string, baseMs: number) {
    this.#random = new Random(`stream ${seed}`);
    this.#baseMs = baseMs;
    const prose = new Prose();
    this.#maker = new AgentTraceMaker(this.#random, prose, new AgentWorld(this.#random, prose));
  }

  /** The next few spans of one of the agents. */
  next(): Span[] {
    while (this.#running.length < agentsAtOnce) this.#running.push({ trace: this.#begin(), sent: 0 });
    const one = this.#random.pick(this.#running);
    const spans = one.trace.spans.slice(one.sent, one.sent + this.#random.between(1, 12));
    one.sent += spans.length;
    if (one.sent === one.trace.spans.length) {
      this.#running.splice(this.#running.indexOf(one), 1);
      this.traceCount++;
    }
    return spans;
  }

  /** A trace of that many spans, outside the interleaving. */
  special(size: number): AgentTrace {
    this.traceCount++;
    return this.#begin(size);
  }

  /** What the running agents have still to send. */
  drain(): Span[] {
    const rest = this.#running.flatMap(({ trace, sent }) => trace.spans.slice(sent));
    this.traceCount += this.#running.length;
    this.#running.length = 0;
    return rest;
  }

  #begin(size?: number): AgentTrace {
    const startMs = this.#baseMs + ((this.#begun++ * 137) % spreadMs) + this.#random.fraction();
    return this.#maker.make(startMs, size);
  }
}

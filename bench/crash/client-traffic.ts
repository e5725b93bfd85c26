/**
 * The traffic of one client: agent runs whose history grows from call to call, spread over many requests, the root last; and spans of
 * traces that all clients share. It depends only on the seed and the client's number, never on the clock.
 */
import { Prose } from '../traffic/prose.ts';
import { Random } from '../traffic/random.ts';
import type { Attribute, Span } from '../traffic/span.ts';
import { digestOf, type SentSpan } from './sent-span.ts';

export interface GeneratedSpan {
  span: Span;
  sent: SentSpan;
}

interface Run {
  trace: string;
  root: string;
  session: string;
  history: { role: string; content: string }[];
  left: number;
  step: number;
  tokens: number;
  cost: number;
}

const openRuns = 5;
const sharedTraces = 3;
const prose = new Prose('crash');
const baseNs = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;

export class ClientTraffic {
  readonly #random: Random;
  readonly #client: number;
  readonly #seed: string;
  readonly #runs: Run[] = [];
  #clock = 0n;
  #spanCount = 0;

  constructor(seed: string, client: number) {
    this.#seed = seed;
    this.#client = client;
    this.#random = new Random(`client ${seed} ${client}`);
    this.#clock = BigInt(client) * 1_000_003n;
  }

  /** Mostly small requests, as exporters send; sometimes hundreds of spans. */
  nextBatch(): GeneratedSpan[] {
    const roll = this.#random.fraction();
    const size = roll < 0.6 ? this.#random.between(1, 20) : roll < 0.92 ? this.#random.between(21, 100) : this.#random.between(101, 400);
    return Array.from({ length: size }, () => (this.#random.chance(0.1) ? this.#sharedSpan() : this.#ownSpan()));
  }

  #ownSpan(): GeneratedSpan {
    const random = this.#random;
    while (this.#runs.length < openRuns) this.#runs.push(this.#startRun());
    const run = random.pick(this.#runs);
    if (--run.left > 0) return random.chance(0.5) ? this.#modelCall(run) : this.#toolCall(run);
    this.#runs.splice(this.#runs.indexOf(run), 1);
    return this.#root(run);
  }

  #startRun(): Run {
    const random = this.#random;
    const session = random.chance(0.5) ? `session-${this.#client}-${random.between(1, 40)}` : '';
    const history = [{ role: 'system', content: prose.text(random, 1500) }];
    return { trace: random.hex(32), root: random.hex(16), session, history, left: random.between(1, 60), step: 0, tokens: 0, cost: 0 };
  }

  #modelCall(run: Run): GeneratedSpan {
    const random = this.#random;
    run.history.push({ role: 'user', content: prose.text(random, random.spread(400, 0.9, 20, 6000)) });
    const isLarge = random.chance(0.004);
    const output = prose.text(random, isLarge ? random.between(200_000, 1_500_000) : random.spread(500, 0.9, 20, 6000));
    const input = JSON.stringify(run.history.slice(0, 40));
    run.history.push({ role: 'assistant', content: output.slice(0, 4000) });
    const [input_tokens, output_tokens] = [random.between(10, 4000), random.between(1, 1000)];
    const cost = (input_tokens * 3 + output_tokens * 15) / 1e6;
    run.tokens += input_tokens + output_tokens;
    run.cost += cost;
    const attributes: Attribute[] = [
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.request.model', 'gpt-4o'],
      ['gen_ai.usage.input_tokens', input_tokens],
      ['gen_ai.usage.output_tokens', output_tokens],
      ['agentmark.usage.cost_usd', cost],
      ['gen_ai.request.input', input],
      ['gen_ai.response.output', output],
    ];
    return this.#span(run, 'chat gpt-4o', attributes, { tokens: input_tokens + output_tokens, cost, input, output });
  }

  #toolCall(run: Run): GeneratedSpan {
    const random = this.#random;
    const input = JSON.stringify({ query: prose.text(random, random.between(10, 200)), n: run.step });
    const output = prose.text(random, random.spread(300, 1.2, 5, 30_000));
    const attributes: Attribute[] = [
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', 'search'],
      ['gen_ai.tool.input', input],
      ['gen_ai.tool.output', output],
    ];
    return this.#span(run, 'search', attributes, { tokens: null, cost: null, input, output });
  }

  /** Half of the roots repeat the usage of the calls below them, which must not be counted twice. */
  #root(run: Run): GeneratedSpan {
    const output = prose.text(this.#random, 200);
    const attributes: Attribute[] = [
      ['agentmark.span.kind', 'agent'],
      ['agentmark.output', output],
    ];
    const repeats = run.tokens > 0 && this.#random.chance(0.5);
    if (repeats)
      attributes.push(['gen_ai.usage.input_tokens', run.tokens], ['gen_ai.usage.output_tokens', 0], ['agentmark.usage.cost_usd', run.cost]);
    const usage = repeats ? { tokens: run.tokens, cost: run.cost } : { tokens: null, cost: null };
    const generated = this.#span(run, 'agent run', attributes, { ...usage, input: '', output });
    generated.span.parent_id = '';
    generated.span.span_id = run.root;
    Object.assign(generated.sent, { id: run.root, parent: null });
    return generated;
  }

  /** All clients add to the same few traces, whose roots are never sent. */
  #sharedSpan(): GeneratedSpan {
    const number = this.#random.between(0, sharedTraces - 1) + sharedTraces * Math.floor(this.#spanCount / 2000);
    const shared = new Random(`shared ${this.#seed} ${number}`);
    const run = { ...this.#startRun(), trace: shared.hex(32), root: shared.hex(16), session: `shared-${number % 5}` };
    return this.#toolCall(run);
  }

  #span(
    run: Run,
    name: string,
    own: Attribute[],
    usage: Pick<SentSpan, 'tokens' | 'cost'> & { input: string; output: string },
  ): GeneratedSpan {
    const random = this.#random;
    this.#spanCount++;
    run.step++;
    this.#clock += BigInt(random.between(1, 2_000_000_000));
    const start_ns = baseNs + this.#clock;
    const end_ns = start_ns + BigInt(random.between(0, 30_000_000_000));
    const status = random.chance(0.05) ? 2 : random.chance(0.5) ? 1 : 0;
    const session: Attribute[] = run.session === '' ? [] : [['agentmark.session_id', run.session]];
    const id = random.hex(16);
    const span: Span = {
      trace_id: run.trace,
      span_id: id,
      parent_id: run.root,
      name,
      kind: 1,
      start_ns: String(start_ns),
      end_ns: String(end_ns),
      attributes: [...session, ...own],
      events: [],
      status_code: status,
      status_message: '',
    };
    const { tokens, cost } = usage;
    const [input, output] = [digestOf(usage.input), digestOf(usage.output)];
    const about = { trace: run.trace, id, parent: run.root, name, session: run.session, acked: false, present: false, isRead: false };
    return { span, sent: { ...about, start_ns, end_ns, status, tokens, cost, input, output } };
  }
}

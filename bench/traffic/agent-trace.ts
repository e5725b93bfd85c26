/** Generates the spans of one agent run: model calls with a growing history, tools, retrievals, guardrails, nested steps. */
import { type AgentWorld, agents, errorMessages, models, type Run, tools } from './agent-world.ts';
import type { Prose } from './prose.ts';
import type { Random } from './random.ts';
import { type Attribute, nanoseconds, type Span } from './span.ts';

export interface AgentTrace {
  id: string;
  /** In the order in which they end, as an SDK exports them: the root last. */
  spans: Span[];
  session: string | null;
}

const spansMax = 200;
const bigOutput = 1_048_576;

interface Draft {
  span: Span;
  start: number;
  end: number;
}

export class AgentTraceMaker {
  readonly #random: Random;
  readonly #prose: Prose;
  readonly #world: AgentWorld;
  #run!: Run;
  #traceId = '';
  #drafts: Draft[] = [];
  #clock = 0;
  #parent!: Draft;
  #depth = 0;
  #question = '';
  #history = '';
  #answer = '';

  constructor(random: Random, prose: Prose, world: AgentWorld) {
    this.#random = random;
    this.#prose = prose;
    this.#world = world;
  }

  /** @param size the exact number of spans, in no session; by default a realistic number: 1 to 200, 18 on average */
  make(startMs: number, size?: number): AgentTrace {
    const random = this.#random;
    const count = size ?? random.spread(12, 0.9, 1, spansMax);
    this.#run = this.#world.run(size !== undefined);
    this.#traceId = random.hex(32);
    this.#drafts = [];
    this.#history = '';
    this.#answer = '';
    this.#depth = 0;
    const root = this.#root(startMs);
    this.#parent = root;
    this.#clock = startMs + random.fraction() * 5;
    while (this.#drafts.length < count) this.#step(root, count);
    root.end = this.#drafts.reduce((end, draft) => Math.max(end, draft.end), this.#clock);
    if (this.#answer !== '') root.span.attributes.push(['agentmark.output', this.#answer]);
    const finished = this.#drafts.sort((a, b) => a.end - b.end);
    for (const { span, end } of finished) span.end_ns = nanoseconds(end);
    return { id: this.#traceId, spans: finished.map(({ span }) => span), session: this.#run.session?.id ?? null };
  }

  #step(root: Draft, count: number): void {
    const roll = this.#random.fraction();
    if (roll < 0.36) this.#modelCall(root);
    else if (roll < 0.68) this.#toolCall();
    else if (roll < 0.78) this.#retrieval(count);
    else if (roll < 0.84) this.#guardrail();
    else this.#nested(root);
  }

  #root(startMs: number): Draft {
    const random = this.#random;
    const { agent, tags } = this.#run;
    this.#question = this.#prose.text(random, random.spread(220, 0.8, 40, 3000));
    const root = this.#addSpan('', `invoke_agent ${agent}`, 1, startMs, 1, [
      ['gen_ai.operation.name', 'invoke_agent'],
      ['gen_ai.agent.name', agent],
      ['agentmark.span.kind', 'agent'],
      ['agentmark.prompt_name', `${agent}-main`],
    ]);
    if (tags) root.span.attributes.push(['agentmark.tags', JSON.stringify(tags)]);
    root.span.attributes.push(['agentmark.props', JSON.stringify({ question: this.#question, locale: 'en' })]);
    return root;
  }

  #modelCall(root: Draft): void {
    const random = this.#random;
    const model = random.chance(0.8) ? this.#run.model : random.pick(models);
    const inputLength = random.spread(1500, 1, 200, 20_000);
    const outputLength = random.chance(1 / 4000) ? bigOutput : random.spread(600, 0.9, 100, 20_000);
    const input = this.#messages(inputLength);
    const output = outputLength === bigOutput ? this.#bigOutput() : this.#prose.text(random, outputLength);
    this.#history = `${this.#history}\n${output.slice(0, 2000)}`.slice(-16_000);
    this.#answer = output.slice(0, 1500);
    const tokens = { input: Math.round(inputLength / 4.1), output: Math.round(Math.min(outputLength, 40_000) / 4.1) };
    const call = this.#addSpan(this.#parent.span.span_id, `chat ${model}`, 3, this.#clock, random.spread(1800, 0.8, 120, 60_000), [
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.provider.name', model.startsWith('claude') ? 'anthropic' : 'openai'],
      ['gen_ai.request.model', model],
      ['gen_ai.response.model', model],
      ['gen_ai.request.temperature', Math.round(random.fraction() * 10) / 10],
      ['gen_ai.request.max_tokens', 4096],
      ['gen_ai.usage.input_tokens', tokens.input],
      ['gen_ai.usage.output_tokens', tokens.output],
      ['agentmark.usage.cost_usd', Math.round(tokens.input * 25 + tokens.output * 100) / 1e7],
      ['gen_ai.response.id', `resp_${random.hex(24)}`],
      ['gen_ai.response.finish_reasons', '["stop"]'],
      ['agentmark.span.kind', 'llm'],
      ['agentmark.prompt_name', `${this.#run.agent}-main`],
      ['gen_ai.request.input', input],
      ['gen_ai.response.output', output],
    ]);
    this.#clock = call.end + random.fraction() * 10;
    if (random.chance(0.03)) this.#fail(call, root);
  }

  /** The system prompt of the agent, then the history, filled up to the length. */
  #messages(length: number): string {
    const system = (this.#world.systemPrompts.get(this.#run.agent) ?? '').slice(0, Math.min(900, length >> 1));
    const history = this.#history === '' ? '' : this.#history.slice(-(length - system.length));
    const more = length - system.length - history.length;
    return JSON.stringify([
      { role: 'system', content: system },
      { role: 'user', content: more > 0 ? history + this.#prose.text(this.#random, more) : history },
    ]);
  }

  #bigOutput(): string {
    if (this.#random.chance(0.5)) return this.#prose.text(this.#random, bigOutput);
    const pixels = Buffer.alloc((bigOutput / 4) * 3);
    for (let at = 0; at < pixels.length; at += 4) pixels.writeUInt32LE(this.#random.bits(), at);
    return JSON.stringify([{ mimeType: 'image/png', base64: pixels.toString('base64') }]);
  }

  #fail(call: Draft, root: Draft): void {
    const message = this.#random.pick(errorMessages);
    for (const { span } of [call, root]) Object.assign(span, { status_code: 2, status_message: message });
    const attributes: Attribute[] = [
      ['exception.type', 'APIError'],
      ['exception.message', message],
      ['exception.stacktrace', this.#prose.text(this.#random, 600)],
    ];
    call.span.events.push({ name: 'exception', time_ns: nanoseconds(call.end), attributes });
  }

  #toolCall(): void {
    const random = this.#random;
    const tool = random.pickSkewed(tools, 1.3);
    const query = this.#prose.text(random, random.spread(90, 0.7, 20, 500));
    const call = this.#addSpan(this.#parent.span.span_id, `execute_tool ${tool}`, 1, this.#clock, random.spread(120, 1.2, 1, 30_000), [
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', tool],
      ['gen_ai.tool.call.id', `call_${random.hex(16)}`],
      ['agentmark.span.kind', 'tool'],
      ['gen_ai.tool.input', JSON.stringify({ query, limit: random.between(1, 50), id: random.hex(12) })],
      ['gen_ai.tool.output', this.#prose.text(random, random.spread(500, 1, 20, 8000))],
    ]);
    this.#clock = call.end;
    if (random.chance(0.04)) Object.assign(call.span, { status_code: 2, status_message: random.pick(errorMessages) });
  }

  #retrieval(count: number): void {
    const random = this.#random;
    const duration = random.spread(60, 0.6, 3, 2000);
    const retrieval = this.#addSpan(this.#parent.span.span_id, 'retrieve knowledge', 1, this.#clock, duration, [
      ['agentmark.span.kind', 'retrieval'],
      ['db.system', 'pgvector'],
      ['db.query.top_k', 8],
      ['agentmark.input', this.#question.slice(0, 300)],
      ['agentmark.output', this.#prose.text(random, random.spread(900, 0.7, 100, 6000))],
    ]);
    if (this.#drafts.length < count) {
      this.#addSpan(retrieval.span.span_id, 'embeddings text-embedding-3-small', 3, this.#clock, duration / 3, [
        ['gen_ai.operation.name', 'embeddings'],
        ['gen_ai.request.model', 'text-embedding-3-small'],
        ['gen_ai.usage.input_tokens', random.between(5, 400)],
        ['gen_ai.usage.output_tokens', 0],
        ['agentmark.span.kind', 'embedding'],
      ]);
    }
    this.#clock = retrieval.end;
  }

  #guardrail(): void {
    const random = this.#random;
    const guard = this.#addSpan(this.#parent.span.span_id, 'guardrail pii', 1, this.#clock, random.spread(40, 0.5, 2, 800), [
      ['agentmark.span.kind', 'guardrail'],
      ['guardrail.passed', !random.chance(0.02)],
      ['guardrail.score', random.between(0, 1000) / 1000],
    ]);
    this.#clock = guard.end;
  }

  /** A step or a sub-agent; most become the parent of the next spans, at most five levels deep. */
  #nested(root: Draft): void {
    const random = this.#random;
    const isAgent = random.chance(0.2);
    const name = isAgent ? `invoke_agent ${random.pick(agents)}` : `step ${random.pick(['plan', 'parse', 'route', 'rank', 'merge'])}`;
    const nested = this.#addSpan(this.#parent.span.span_id, name, 1, this.#clock, random.spread(300, 0.9, 1, 20_000), [
      ['agentmark.span.kind', isAgent ? 'agent' : 'function'],
    ]);
    if (this.#depth < 5 && random.chance(0.7)) {
      this.#parent = nested;
      this.#depth++;
    } else if (this.#depth > 0) {
      this.#parent = root;
      this.#depth = 0;
    }
    this.#clock += random.fraction() * 8;
  }

  #addSpan(parent_id: string, name: string, kind: number, start: number, duration: number, own: Attribute[]): Draft {
    const span: Span = {
      trace_id: this.#traceId,
      span_id: this.#random.hex(16),
      parent_id,
      name,
      kind,
      start_ns: nanoseconds(start),
      end_ns: '',
      attributes: [...this.#run.shared, ...own],
      events: [],
      status_code: 1,
      status_message: '',
    };
    const draft = { span, start, end: start + duration };
    this.#drafts.push(draft);
    return draft;
  }
}

/**
 * Spans of agent runs whose traces are hard to keep right: children arrive before their parents, runs begin in one hour and end in the next, some spans
 * are sent as pending first, and parents repeat the usage of their children.
 */
import { attributeList } from '../../../shared/fixtures/otlp.ts';
import { Random } from '../../traffic/random.ts';

/** What is sent of a span at once: the span itself, or that it has begun. */
export interface SentVersion {
  /** OTLP/JSON. */
  json: Record<string, unknown>;
  isPending: boolean;
  start_us: number;
  duration_ns: number;
  status: 0 | 1 | 2;
  input_tokens: number | null;
  output_tokens: number | null;
  /** US dollars. */
  cost: number | null;
  /** It has a text that is stored as a blob. */
  isLarge: boolean;
}

export interface TrafficSpan {
  trace: string;
  id: string;
  parent: string | null;
  name: string;
  session: string;
  version: SentVersion;
}

interface Run {
  trace: string;
  session: string;
  /** Ids of spans that may be parents; the first is the root. */
  ids: string[];
  left: number;
  start_us: number;
  tokens: [number, number];
  cost: number;
}

const hourUs = 3_600_000_000;
/** An hour begins there. */
const baseUs = Date.UTC(2026, 0, 15, 10) * 1000;
const openRuns = 8;
/** Words of a text that is larger than what is kept in the database. */
const largeWords = 40_000;

export class Traffic {
  readonly #random: Random;
  readonly #largeTexts: number;
  readonly #runs: Run[] = [];
  /** Spans that were sent as pending. */
  #begun: TrafficSpan[] = [];

  /** @param largeTexts share of the spans whose text is larger than what is kept in the database */
  constructor(seed: string, largeTexts = 0) {
    this.#random = new Random(seed);
    this.#largeTexts = largeTexts;
  }

  /** @param size number of spans, about */
  next(size: number): TrafficSpan[] {
    const spans = this.#begun;
    this.#begun = [];
    while (spans.length < size) spans.push(this.#span());
    // A request never has two versions of a span.
    return spans;
  }

  #span(): TrafficSpan {
    const random = this.#random;
    while (this.#runs.length < openRuns) this.#runs.push(this.#startRun());
    const run = random.pick(this.#runs);
    if (--run.left <= 0) this.#runs.splice(this.#runs.indexOf(run), 1);
    const span = run.left <= 0 ? this.#root(run) : this.#child(run);
    if (!random.chance(0.1)) return span;
    this.#begun.push(span);
    return { ...span, version: pendingOf(span.version) };
  }

  /** It begins some minutes before or after a full hour. */
  #startRun(): Run {
    const random = this.#random;
    const start_us = baseUs + random.between(0, 40) * hourUs + random.between(-120, 120) * 1_000_000 + random.between(0, 999_999);
    const session = random.chance(0.5) ? `session ${random.between(1, 200)}` : '';
    return { trace: random.hex(32), session, ids: [random.hex(16)], left: random.between(2, 24), start_us, tokens: [0, 0], cost: 0 };
  }

  #child(run: Run): TrafficSpan {
    const random = this.#random;
    const id = random.hex(16);
    const parent = random.pick(run.ids);
    if (random.chance(0.3)) run.ids.push(id);
    const start_us = run.start_us + random.between(0, 150_000_000);
    if (!random.chance(0.5)) return this.#made(run, { id, parent, name: 'search', start_us, usage: null });
    const usage = { input_tokens: random.between(1, 4000), output_tokens: random.between(1, 900), cost: random.between(1, 90_000) / 1e6 };
    run.tokens[0] += usage.input_tokens;
    run.tokens[1] += usage.output_tokens;
    run.cost = Math.round((run.cost + usage.cost) * 1e6) / 1e6;
    return this.#made(run, { id, parent, name: 'chat gpt-4o', start_us, usage });
  }

  #root(run: Run): TrafficSpan {
    const usage = this.#random.chance(0.5) ? { input_tokens: run.tokens[0], output_tokens: run.tokens[1], cost: run.cost } : null;
    return this.#made(run, { id: run.ids[0] as string, parent: null, name: 'agent run', start_us: run.start_us, usage });
  }

  #made(run: Run, { id, parent, name, start_us, usage }: Made): TrafficSpan {
    const random = this.#random;
    const duration_ns = random.between(0, 90_000_000) * 1000;
    const status = random.chance(0.05) ? 2 : random.chance(0.5) ? 1 : 0;
    const isLarge = this.#largeTexts > 0 && random.chance(this.#largeTexts);
    const text = isLarge ? `${random.hex(8)} `.repeat(largeWords) : this.#text();
    const json = {
      traceId: run.trace,
      spanId: id,
      ...(parent !== null && { parentSpanId: parent }),
      name,
      kind: 1,
      startTimeUnixNano: `${start_us}000`,
      endTimeUnixNano: String(BigInt(start_us) * 1000n + BigInt(duration_ns)),
      attributes: attributeList({
        ...(run.session !== '' && { 'agentmark.session_id': run.session }),
        ...(usage && {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.usage.input_tokens': usage.input_tokens,
          'gen_ai.usage.output_tokens': usage.output_tokens,
          'agentmark.usage.cost_usd': usage.cost,
        }),
        'gen_ai.request.input': text,
      }),
      events: [],
      status: { code: status },
    };
    const { input_tokens = null, output_tokens = null, cost = null } = usage ?? {};
    const version = { json, isPending: false, start_us, duration_ns, status, input_tokens, output_tokens, cost, isLarge } as const;
    return { trace: run.trace, id, parent, name, session: run.session, version };
  }

  /** Long ones are stored apart from their spans, and some are repeated. */
  #text(): string {
    const random = this.#random;
    return random.chance(0.03) ? `${random.between(1, 20)} `.repeat(random.between(3000, 9000)) : random.hex(200);
  }
}

interface Made {
  id: string;
  parent: string | null;
  name: string;
  start_us: number;
  usage: { input_tokens: number; output_tokens: number; cost: number } | null;
}

/** That the span has begun: without an end, and without what is known at its end. */
function pendingOf({ json, start_us }: SentVersion): SentVersion {
  const attributes = (json['attributes'] as { key: string }[]).filter(({ key }) => key === 'agentmark.session_id');
  const begun = { ...json, endTimeUnixNano: '0', attributes, status: { code: 0 } };
  return {
    json: begun,
    isPending: true,
    start_us,
    duration_ns: 0,
    status: 0,
    input_tokens: null,
    output_tokens: null,
    cost: null,
    isLarge: false,
  };
}

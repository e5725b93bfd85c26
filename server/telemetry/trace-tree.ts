/**
 * Tree of one trace, with the columns of its row. Spans arrive in any order and repeatedly; the result depends only on the set of spans
 * (docs/reference/ingest.md#traces).
 */

export type StatusCode = 0 | 1 | 2;

/** A text or a document of the store, or what the store finds it by. Absent: 0, '' or null. */
export type Reference = number | string | null;

/**
 * The values of a span from which its trace is derived.
 * @typeParam Row what the store finds the payload of the span by
 */
export interface TreeSpan<Row, Ref extends Reference> {
  row: Row;
  span_id: string;
  parent_id: string | null;
  /** Microseconds since the epoch, then the nanoseconds below them. */
  start_us: number;
  start_rest_ns: number;
  duration_ns: number;
  status: StatusCode;
  generation: boolean;
  pending: boolean;
  /** Neither shown nor counted, because its span has not arrived yet. */
  placeholder: boolean;
  /** Internals of a coding agent's runtime. */
  bookkeeping: boolean;
  /** Whether the span has an input to show; null while unknown. */
  has_input: boolean | null;
  has_output: boolean | null;
  /** Cost reported by the span; null for none. */
  cost: number | null;
  tokens: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  name: Ref;
  trace_name: Ref;
  session: Ref;
  user: Ref;
  metadata: Ref;
}

export interface TraceRollup<Row, Ref extends Reference> {
  root: TreeSpan<Row, Ref>;
  /** The trace name, or the root's own name. */
  name: Ref;
  status: StatusCode;
  start_us: number;
  end_us: number;
  latency_ns: number;
  /** Duration of the longest span at any depth. */
  longest_ns: number;
  cost: number;
  tokens: number;
  input_tokens: number;
  output_tokens: number;
  span_count: number;
  error_count: number;
  pending_count: number;
  /** Whether all spans are bookkeeping. */
  bookkeeping: boolean;
  session: Ref;
  user: Ref;
  /** All sessions that spans belong to. */
  sessions: Set<Ref>;
  /** Span whose payload is the input or output of the trace; null for none. */
  input: TreeSpan<Row, Ref> | null;
  output: TreeSpan<Row, Ref> | null;
}

/** The span of any store. */
type AnySpan = TreeSpan<unknown, Reference>;

/** A range of time. */
export type Extent = Pick<AnySpan, 'start_us' | 'start_rest_ns' | 'duration_ns'>;

/** Usage of spans; `cost` in picodollars. */
type Usage = Pick<TraceRollup<unknown, Reference>, 'cost' | 'tokens' | 'input_tokens' | 'output_tokens'>;

/** Orders by start, enclosing spans first, then by id: total, and the same for every order of arrival. */
export function byTime(a: AnySpan, b: AnySpan): number {
  const byStart = a.start_us - b.start_us || a.start_rest_ns - b.start_rest_ns || b.duration_ns - a.duration_ns;
  return byStart || (a.span_id < b.span_id ? -1 : a.span_id > b.span_id ? 1 : 0);
}

export class TraceTree<Row, Ref extends Reference> {
  readonly spans = new Map<string, TreeSpan<Row, Ref>>();

  get size(): number {
    return this.spans.size;
  }

  put(span: TreeSpan<Row, Ref>): void {
    this.spans.set(span.span_id, span);
  }

  /** Whether it has a span that is no placeholder. */
  get isVisible(): boolean {
    return this.spans.values().some((span) => !span.placeholder);
  }

  /** From the first start to the last end; null without visible spans. */
  extent(): Extent | null {
    const spans = [...this.spans.values()].filter((span) => !span.placeholder).sort(byTime);
    const [first] = spans;
    return first ? { start_us: first.start_us, start_rest_ns: first.start_rest_ns, duration_ns: lastEnd(spans, first) } : null;
  }

  /**
   * Null while the trace has only placeholders.
   * @param readContent whether a span has a side of its content, called where that is unknown
   */
  rollUp(readContent: (span: TreeSpan<Row, Ref>, side: 'input' | 'output') => boolean): TraceRollup<Row, Ref> | null {
    const spans = [...this.spans.values()].filter((span) => !span.placeholder).sort(byTime);
    const [earliest] = spans;
    if (!earliest) return null;
    const { roots, usage } = this.#sumUsage(spans);
    const parentless = spans.filter((span) => span.parent_id === null);
    const root = parentless.find((span) => !span.bookkeeping) ?? parentless[0] ?? roots[0] ?? earliest;
    const has = (side: 'input' | 'output', span: TreeSpan<Row, Ref>) => span[`has_${side}`] ?? readContent(span, side);
    const counts = countSpans(spans, earliest);
    const latency_ns = Math.min(latencyOf(root, roots, spans, counts.end_us), nanosecondsMax);
    // Below a bookkeeping root, any other span may provide the input and output.
    const providesContent = (span: AnySpan) => (root.bookkeeping ? !span.bookkeeping : span.generation);
    return {
      root,
      name: roots.find((span) => span.trace_name)?.trace_name ?? root.name,
      status: worstStatus(parentless.length > 0 ? parentless : spans),
      start_us: earliest.start_us,
      latency_ns,
      ...usage,
      cost: usage.cost / picosPerDollar,
      ...counts,
      longest_ns: Math.max(counts.longest_ns, latency_ns),
      bookkeeping: spans.every((span) => span.bookkeeping),
      input: has('input', root) ? root : (spans.find((span) => providesContent(span) && has('input', span)) ?? null),
      output: has('output', root) ? root : (spans.findLast((span) => providesContent(span) && has('output', span)) ?? null),
    };
  }

  /**
   * Sums usage bottom-up: a node counts the larger of its own report and the sum of its children, so a wrapper that repeats its children's
   * usage adds nothing. Works leaf by leaf without recursion, because a chain may be 100,000 spans deep. Spans that remain without a leaf
   * form a cycle, which is cut at its earliest span.
   */
  #sumUsage<Span extends AnySpan>(spans: Span[]): { roots: Span[]; usage: Usage } {
    const nodes = new Map<string, Node<Span>>();
    for (const span of spans) nodes.set(span.span_id, { span, open: 0, parent: null, done: false, usage: nothing() });
    for (const node of nodes.values()) {
      const parent = this.#parentOf(node.span, nodes);
      if (parent) {
        node.parent = parent;
        parent.open++;
      }
    }
    const roots: Span[] = [];
    const usage = nothing();
    const finish = (start: Node<Span>) => {
      for (let node: Node<Span> | null = start; node && node.open === 0 && !node.done; node = node.parent) {
        node.done = true;
        combineOwn(node.usage, node.span);
        if (node.parent) {
          add(node.parent.usage, node.usage);
          node.parent.open--;
        } else {
          roots.push(node.span);
          add(usage, node.usage);
        }
      }
    };
    for (const node of nodes.values()) finish(node);
    for (const node of nodes.values()) if (!node.done) this.#cutCycle(node, finish);
    return { roots: roots.sort(byTime), usage };
  }

  /** `nodes` is in time order, so the first span that is not done is the earliest of its cycle, which is cut there. */
  #cutCycle<Span>(node: Node<Span>, finish: (node: Node<Span>) => void): void {
    if (node.parent) node.parent.open--;
    const parent = node.parent;
    node.parent = null;
    // The rest of the cycle is now below this node, and is added to it.
    if (parent) finish(parent);
  }

  /** Node of the parent; children of a placeholder belong to its parent. */
  #parentOf<N>(span: AnySpan, nodes: Map<string, N>): N | null {
    let id = span.parent_id;
    for (let hops = 0; id !== null && hops < 64; hops++) {
      if (id === span.span_id) return null;
      const found = nodes.get(id);
      if (found) return found;
      id = this.spans.get(id)?.parent_id ?? null;
    }
    return null;
  }
}

interface Node<Span> {
  span: Span;
  /** Children whose usage has not been added yet. */
  open: number;
  parent: Node<Span> | null;
  done: boolean;
  /** Usage of the children, combined with the span's own at the end. */
  usage: Usage;
}

const nothing = (): Usage => ({ cost: 0, tokens: 0, input_tokens: 0, output_tokens: 0 });

/**
 * Adds costs in whole picodollars, in order of time, so that the order of arrival cannot change the last digit. Token counts are integers with an
 * upper limit. Senders may report any amount, so nothing here may fail or become infinite.
 */
function add(to: Usage, more: Usage): void {
  to.cost += more.cost;
  to.tokens = countable(to.tokens + more.tokens);
  to.input_tokens = countable(to.input_tokens + more.input_tokens);
  to.output_tokens = countable(to.output_tokens + more.output_tokens);
}

function combineOwn(usage: Usage, span: AnySpan): void {
  usage.cost = Math.max(usage.cost, picosOf(span.cost ?? 0));
  usage.tokens = Math.max(usage.tokens, countable(span.tokens ?? 0));
  usage.input_tokens = Math.max(usage.input_tokens, countable(span.input_tokens ?? 0));
  usage.output_tokens = Math.max(usage.output_tokens, countable(span.output_tokens ?? 0));
}

function countSpans<Ref extends Reference>(spans: TreeSpan<unknown, Ref>[], earliest: TreeSpan<unknown, Ref>) {
  const counts = { end_us: 0, longest_ns: 0, span_count: spans.length, error_count: 0, pending_count: 0 };
  const [first, sessions] = [{ session: earliest.session, user: earliest.user }, new Set<Ref>()];
  for (const span of spans) {
    counts.end_us = Math.max(counts.end_us, endUs(span));
    counts.longest_ns = Math.max(counts.longest_ns, span.duration_ns);
    if (span.status === 2) counts.error_count++;
    if (span.pending) counts.pending_count++;
    first.session ||= span.session;
    first.user ||= span.user;
    if (span.session) sessions.add(span.session);
  }
  return { ...counts, ...first, sessions };
}

export const dollarsMax = 1e200;
export const picosPerDollar = 1e12;

/** A whole number, which may be too large to be exact. */
export const picosOf = (dollars: number): number => Math.round(Math.min(dollars, dollarsMax) * picosPerDollar);

/** The largest duration that both an integer column and a double can represent: 292 years. */
export const nanosecondsMax = 2 ** 63 - 1024;

export const countable = (tokens: number): number => Math.min(tokens, Number.MAX_SAFE_INTEGER);

/** Rounded down to the microsecond, as starts are. */
export function endUs(span: Pick<AnySpan, 'start_us' | 'start_rest_ns' | 'duration_ns'>): number {
  return span.start_us + Math.floor((span.start_rest_ns + span.duration_ns) / 1000);
}

/** A bookkeeping root only starts the actual work, so such a trace lasts until its last span ends. */
function latencyOf(root: AnySpan, roots: AnySpan[], spans: AnySpan[], end_us: number): number {
  if (!root.bookkeeping || spans.every(({ bookkeeping }) => bookkeeping)) return longest(roots, end_us);
  return lastEnd(spans, spans[0] ?? root);
}

/** Nanoseconds from the start of one span to the end of the last. */
const lastEnd = (spans: AnySpan[], from: AnySpan): number =>
  spans.reduce(
    (most, span) => Math.max(most, (span.start_us - from.start_us) * 1000 + span.start_rest_ns - from.start_rest_ns + span.duration_ns),
    0,
  );

/** A pending root lasts until the latest known end in its trace. */
function longest(roots: AnySpan[], end_us: number): number {
  const durationOf = ({ pending, duration_ns, start_us, start_rest_ns }: AnySpan) =>
    pending ? Math.max(duration_ns, (end_us - start_us) * 1000 - start_rest_ns) : duration_ns;
  return roots.reduce((most, root) => Math.max(most, durationOf(root)), 0);
}

function worstStatus(spans: AnySpan[]): StatusCode {
  let worst: StatusCode = 0;
  for (const { status } of spans) {
    if (status === 2) return 2;
    if (status === 1) worst = 1;
  }
  return worst;
}

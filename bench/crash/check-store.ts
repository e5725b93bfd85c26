/** Holds what the gateway shows against the ledger: nothing lost, nothing twice, nothing made up, every sum right. */
import type { SessionItem } from '../../shared/contract/tracing/sessions.ts';
import type { SpanInTrace, SpanIo } from '../../shared/contract/tracing/spans.ts';
import type { TraceDetail, TraceItem } from '../../shared/contract/tracing/traces.ts';
import { readPages } from '../corpus/shown.ts';
import type { HttpClient } from '../gateway/http-client.ts';
import type { Complain } from './client.ts';
import { type ExpectedTrace, expectedTrace, isoOf } from './expected-trace.ts';
import type { Ledger, SentTrace } from './ledger.ts';
import { digestOf, type SentSpan } from './sent-span.ts';

const atOnce = 4;

/**
 * Reads every trace named, and marks which spans are present. Payloads that a trace read gives whole are always checked; long
 * ones cost a request each and are read again only when asked for all of them.
 */
export async function checkTraces(
  client: HttpClient,
  ledger: Ledger,
  ids: Iterable<string>,
  complain: Complain,
  payloads: 'all' | 'new' = 'new',
): Promise<void> {
  const queue = [...ids][Symbol.iterator]();
  const checker = async () => {
    for (const id of queue) await checkTrace(client, ledger.traces.get(id) as SentTrace, complain, payloads);
  };
  await Promise.all(Array.from({ length: atOnce }, checker));
  for (const { spans } of ledger.unanswered) {
    const present = spans.filter(({ trace, id }) => ledger.traces.get(trace)?.spans.get(id)?.present).length;
    if (present > 0 && present < spans.length) complain(`a request of ${spans.length} spans is stored in part: ${present} spans`);
  }
}

async function checkTrace(client: HttpClient, trace: SentTrace, complain: Complain, payloads: 'all' | 'new'): Promise<void> {
  const { status, body } = await client.get(`/v1/traces/${trace.id}`);
  if (status !== 200 && status !== 404) return complain(`trace ${trace.id} answered ${status}: ${body.subarray(0, 200).toString()}`);
  const detail = status === 404 ? null : (JSON.parse(body.toString()) as { data: TraceDetail }).data;
  const shown = new Map((detail?.spans ?? []).map((span) => [span.id, span]));
  if (detail && shown.size !== detail.spans.length) complain(`trace ${trace.id} shows a span twice`);
  for (const id of shown.keys()) if (!trace.spans.has(id)) complain(`trace ${trace.id} shows span ${id}, which nobody sent`);
  for (const span of trace.spans.values()) {
    const found = shown.get(span.id);
    if (!found && (span.acked || span.present)) complain(`span ${span.id} of trace ${trace.id} was acknowledged and is lost`);
    span.present = found !== undefined;
    if (!found) continue;
    checkSpan(span, found, complain);
    if (found.truncated_fields === undefined) checkPayload(span, found, complain);
    else if (payloads === 'all' || !span.isRead) checkPayload(span, await wholePayload(client, span), complain);
    span.isRead = true;
  }
  const present = trace.present();
  if (detail && present.length > 0) checkRollup(trace.id, expectedTrace(present), detail, complain);
}

const difference =
  (sent: SentSpan, complain: Complain) =>
  (field: string, expected: unknown, got: unknown): void =>
    complain(`span ${sent.id} of trace ${sent.trace}: ${field} is ${got}, sent was ${expected}`);

function checkSpan(sent: SentSpan, shown: SpanInTrace, complain: Complain): void {
  const differs = difference(sent, complain);
  if (shown.parent_id !== sent.parent) differs('parent', sent.parent, shown.parent_id);
  if (shown.name !== sent.name) differs('name', sent.name, shown.name);
  if (shown.status !== ['UNSET', 'OK', 'ERROR'][sent.status]) differs('status', sent.status, shown.status);
  if (shown.timestamp !== isoOf(sent.start_ns)) differs('start', isoOf(sent.start_ns), shown.timestamp);
  const duration = Number(sent.end_ns - sent.start_ns) / 1e6;
  if (shown.duration_ms !== duration) differs('duration', duration, shown.duration_ms);
  if (shown.tokens !== (sent.tokens ?? 0)) differs('tokens', sent.tokens, shown.tokens);
  if (!isNear(shown.cost, sent.cost ?? 0)) differs('cost', sent.cost, shown.cost);
}

function checkPayload(sent: SentSpan, shown: Pick<SpanInTrace, 'input' | 'output'>, complain: Complain): void {
  const differs = difference(sent, complain);
  const { input = '', output = '' } = shown;
  if (digestOf(input) !== sent.input) differs('input', `a text of digest ${sent.input}`, input.slice(0, 120));
  if (digestOf(output) !== sent.output) differs('output', `a text of digest ${sent.output}`, output.slice(0, 120));
}

/** Fields over 8 KiB are previews in a trace read. */
async function wholePayload(client: HttpClient, { trace, id }: SentSpan): Promise<SpanIo> {
  return (await client.json<{ data: SpanIo }>(`/v1/traces/${trace}/spans/${id}`)).data;
}

/** A picodollar is less than any price. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

function checkRollup(id: string, expected: ExpectedTrace, shown: TraceDetail, complain: Complain): void {
  for (const field of ['status', 'start', 'end', 'latency_ms', 'tokens', 'cost'] as const) {
    const [right, got] = [expected[field], shown[field]];
    const isRight = typeof right === 'number' && typeof got === 'number' ? isNear(right, got) : right === got;
    if (!isRight) complain(`trace ${id}: ${field} is ${got}, its spans come to ${right}`);
  }
}

/** Lists and counters, over everything that is stored; costs one page for a thousand traces. */
export async function checkLists(client: HttpClient, ledger: Ledger, complain: Complain): Promise<void> {
  const { rows, total } = await readPages<TraceItem>(client, '/v1/traces');
  const items = new Map(rows.map((item) => [item.id, item]));
  if (items.size !== rows.length) complain(`the list shows ${rows.length - items.size} traces twice`);
  const expected = new Map<string, ExpectedTrace>();
  for (const trace of ledger.traces.values()) {
    const present = trace.present();
    if (present.length > 0) expected.set(trace.id, expectedTrace(present));
  }
  if (rows.length !== expected.size || total !== expected.size) {
    complain(`the list shows ${rows.length} traces and counts ${total}; stored are ${expected.size}`);
  }
  for (const [id, right] of expected) {
    const item = items.get(id);
    const wrong = (['span_count', 'error_count', 'tokens', 'status'] as const).find((field) => item?.[field] !== right[field]);
    if (wrong) complain(`the list shows ${wrong} ${item?.[wrong]} for trace ${id}; right is ${right[wrong]}`);
  }
  const spanCount = [...expected.values()].reduce((sum, { span_count }) => sum + span_count, 0);
  const spans = await client.json<{ pagination: { total: number } }>('/v1/spans?limit=1');
  if (spans.pagination.total !== spanCount) complain(`the span list counts ${spans.pagination.total}; stored are ${spanCount}`);
  await checkSessions(client, [...expected.values()], complain);
}

async function checkSessions(client: HttpClient, traces: ExpectedTrace[], complain: Complain): Promise<void> {
  const { rows } = await readPages<SessionItem>(client, '/v1/sessions');
  const expected = Map.groupBy(
    traces.filter(({ session }) => session !== ''),
    ({ session }) => session,
  );
  if (rows.length !== expected.size) complain(`${rows.length} sessions are shown; stored are ${expected.size}`);
  for (const { id, trace_count, total_tokens, total_cost } of rows) {
    const of = expected.get(id) ?? [];
    const tokens = of.reduce((sum, trace) => sum + trace.tokens, 0);
    const cost = of.reduce((sum, trace) => sum + trace.cost, 0);
    if (trace_count !== of.length || total_tokens !== tokens || Math.abs(total_cost - cost) > 1e-6) {
      complain(
        `session ${id} shows ${trace_count} traces, ${total_tokens} tokens, $${total_cost}; right is ${of.length}, ${tokens}, $${cost}`,
      );
    }
  }
}

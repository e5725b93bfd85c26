/** Compares what the gateway shows with the ledger: nothing lost, nothing duplicated, nothing invented, every sum correct. */
import type { SessionItem } from '../../shared/contract/tracing/sessions.ts';
import type { SpanInTrace, SpanIo } from '../../shared/contract/tracing/spans.ts';
import type { TraceDetail, TraceItem } from '../../shared/contract/tracing/traces.ts';
import { readPages } from '../corpus/shown.ts';
import type { HttpClient } from '../gateway/http-client.ts';
import type { ReportProblem } from './client.ts';
import { type ExpectedTrace, expectedTrace, isoOf } from './expected-trace.ts';
import type { Ledger, SentTrace } from './ledger.ts';
import { digestOf, type SentSpan } from './sent-span.ts';

const concurrency = 4;

/**
 * Reads the given traces and marks which spans are present. Payloads that a trace read returns complete are always checked; long ones
 * cost a request each and are read again only with `payloads: 'all'`.
 */
export async function checkTraces(
  client: HttpClient,
  ledger: Ledger,
  ids: Iterable<string>,
  report: ReportProblem,
  payloads: 'all' | 'new' = 'new',
): Promise<void> {
  const queue = [...ids][Symbol.iterator]();
  const checker = async () => {
    for (const id of queue) await checkTrace(client, ledger.traces.get(id) as SentTrace, report, payloads);
  };
  await Promise.all(Array.from({ length: concurrency }, checker));
  for (const { spans } of ledger.unanswered) {
    const present = spans.filter(({ trace, id }) => ledger.traces.get(trace)?.spans.get(id)?.present).length;
    if (present > 0 && present < spans.length) report(`a request of ${spans.length} spans is stored partially: ${present} spans`);
  }
}

async function checkTrace(client: HttpClient, trace: SentTrace, report: ReportProblem, payloads: 'all' | 'new'): Promise<void> {
  const { status, body } = await client.get(`/v1/traces/${trace.id}`);
  if (status !== 200 && status !== 404) return report(`trace ${trace.id} answered ${status}: ${body.subarray(0, 200).toString()}`);
  const detail = status === 404 ? null : (JSON.parse(body.toString()) as { data: TraceDetail }).data;
  const shown = new Map((detail?.spans ?? []).map((span) => [span.id, span]));
  if (detail && shown.size !== detail.spans.length) report(`trace ${trace.id} shows a span twice`);
  for (const id of shown.keys()) if (!trace.spans.has(id)) report(`trace ${trace.id} shows span ${id}, which was never sent`);
  for (const span of trace.spans.values()) {
    const shownSpan = shown.get(span.id);
    if (!shownSpan && (span.acked || span.present)) report(`span ${span.id} of trace ${trace.id} was acknowledged and is lost`);
    span.present = shownSpan !== undefined;
    if (!shownSpan) continue;
    checkSpan(span, shownSpan, report);
    if (shownSpan.truncated_fields === undefined) checkPayload(span, shownSpan, report);
    else if (payloads === 'all' || !span.isRead) checkPayload(span, await completePayload(client, span), report);
    span.isRead = true;
  }
  const present = trace.present();
  if (detail && present.length > 0) checkRollup(trace.id, expectedTrace(present), detail, report);
}

const difference =
  (sent: SentSpan, report: ReportProblem) =>
  (field: string, expected: unknown, got: unknown): void =>
    report(`span ${sent.id} of trace ${sent.trace}: ${field} is ${got}, but ${expected} was sent`);

function checkSpan(sent: SentSpan, shown: SpanInTrace, report: ReportProblem): void {
  const differs = difference(sent, report);
  if (shown.parent_id !== sent.parent) differs('parent', sent.parent, shown.parent_id);
  if (shown.name !== sent.name) differs('name', sent.name, shown.name);
  if (shown.status !== ['UNSET', 'OK', 'ERROR'][sent.status]) differs('status', sent.status, shown.status);
  if (shown.timestamp !== isoOf(sent.start_ns)) differs('start', isoOf(sent.start_ns), shown.timestamp);
  const duration = Number(sent.end_ns - sent.start_ns) / 1e6;
  if (shown.duration_ms !== duration) differs('duration', duration, shown.duration_ms);
  if (shown.tokens !== (sent.tokens ?? 0)) differs('tokens', sent.tokens, shown.tokens);
  if (!isNear(shown.cost, sent.cost ?? 0)) differs('cost', sent.cost, shown.cost);
}

function checkPayload(sent: SentSpan, shown: Pick<SpanInTrace, 'input' | 'output'>, report: ReportProblem): void {
  const differs = difference(sent, report);
  const { input = '', output = '' } = shown;
  if (digestOf(input) !== sent.input) differs('input', `a text with digest ${sent.input}`, input.slice(0, 120));
  if (digestOf(output) !== sent.output) differs('output', `a text with digest ${sent.output}`, output.slice(0, 120));
}

/** Fields over 8 KiB are previews in a trace read. */
async function completePayload(client: HttpClient, { trace, id }: SentSpan): Promise<SpanIo> {
  return (await client.json<{ data: SpanIo }>(`/v1/traces/${trace}/spans/${id}`)).data;
}

/** Tolerates rounding; a picodollar is less than any price. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

function checkRollup(id: string, expected: ExpectedTrace, shown: TraceDetail, report: ReportProblem): void {
  for (const field of ['status', 'start', 'end', 'latency_ms', 'tokens', 'cost'] as const) {
    const [right, got] = [expected[field], shown[field]];
    const isRight = typeof right === 'number' && typeof got === 'number' ? isNear(right, got) : right === got;
    if (!isRight) report(`trace ${id}: ${field} is ${got}, the value from its spans is ${right}`);
  }
}

/** Checks lists and counters over everything that is stored; reads one page per thousand traces. */
export async function checkLists(client: HttpClient, ledger: Ledger, report: ReportProblem): Promise<void> {
  const { rows, total } = await readPages<TraceItem>(client, '/v1/traces');
  const items = new Map(rows.map((item) => [item.id, item]));
  if (items.size !== rows.length) report(`the list shows ${rows.length - items.size} traces twice`);
  const expected = new Map<string, ExpectedTrace>();
  for (const trace of ledger.traces.values()) {
    const present = trace.present();
    if (present.length > 0) expected.set(trace.id, expectedTrace(present));
  }
  if (rows.length !== expected.size || total !== expected.size) {
    report(`the list shows ${rows.length} traces and counts ${total}; stored are ${expected.size}`);
  }
  for (const [id, right] of expected) {
    const item = items.get(id);
    const wrong = (['span_count', 'error_count', 'tokens', 'status'] as const).find((field) => item?.[field] !== right[field]);
    if (wrong) report(`the list shows ${wrong} ${item?.[wrong]} for trace ${id} instead of ${right[wrong]}`);
  }
  const spanCount = [...expected.values()].reduce((sum, { span_count }) => sum + span_count, 0);
  const spans = await client.json<{ pagination: { total: number } }>('/v1/spans?limit=1');
  if (spans.pagination.total !== spanCount) report(`the span list counts ${spans.pagination.total}; stored are ${spanCount}`);
  await checkSessions(client, [...expected.values()], report);
}

async function checkSessions(client: HttpClient, traces: ExpectedTrace[], report: ReportProblem): Promise<void> {
  const { rows } = await readPages<SessionItem>(client, '/v1/sessions');
  const expected = Map.groupBy(
    traces.filter(({ session }) => session !== ''),
    ({ session }) => session,
  );
  if (rows.length !== expected.size) report(`${rows.length} sessions are shown; stored are ${expected.size}`);
  for (const { id, trace_count, total_tokens, total_cost } of rows) {
    const of = expected.get(id) ?? [];
    const tokens = of.reduce((sum, trace) => sum + trace.tokens, 0);
    const cost = of.reduce((sum, trace) => sum + trace.cost, 0);
    if (trace_count !== of.length || total_tokens !== tokens || Math.abs(total_cost - cost) > 1e-6) {
      report(
        `session ${id} shows ${trace_count} traces, ${total_tokens} tokens, $${total_cost} instead of ${of.length}, ${tokens}, $${cost}`,
      );
    }
  }
}

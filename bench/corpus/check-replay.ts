/** Compares everything that a gateway shows after a replay with the expectations. */
import type { TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { HttpClient } from '../gateway/http-client.ts';
import type { Capture } from './captures.ts';
import { checkContext } from './checks/context-checks.ts';
import { checkConversation } from './checks/conversation-checks.ts';
import { checkGrouping } from './checks/grouping-checks.ts';
import { checkLists } from './checks/list-checks.ts';
import { checkModelCall } from './checks/model-call-checks.ts';
import { checkPayload } from './checks/payload-checks.ts';
import { checkProtocol } from './checks/protocol-checks.ts';
import { checkTrace, sessionOf } from './checks/trace-checks.ts';
import { checkTurns } from './checks/turn-checks.ts';
import type { Comparison } from './comparison.ts';
import type { ExpectedTrace } from './expectation.ts';
import type { Mode, Replayed } from './replay.ts';
import { readPages, readTrace } from './shown.ts';

const wholeCorpus = { name: '(all captures)', family: '(lists)' };

export async function checkReplay(
  client: HttpClient,
  captures: Capture[],
  replayed: Replayed[],
  mode: Mode,
  comparison: Comparison,
): Promise<void> {
  checkAnswers(captures, replayed, mode, comparison);
  const { rows, total } = await readPages<TraceItem>(client, '/v1/traces?bookkeeping=include');
  await checkLists(client, captures, rows, total, comparison.at(mode, wholeCorpus, 'lists'));
  const items = new Map(rows.map((item) => [item.id, item]));
  for (const capture of captures) {
    const { counts, traces } = capture.expectation;
    const expect = comparison.at(mode, capture, 'capture');
    expect(
      'counts.traces',
      traces.every(({ trace_id }) => items.has(trace_id)),
      counts.traces,
      traces.filter(({ trace_id }) => items.has(trace_id)).length,
    );
    const spanCount = traces.reduce((sum, { trace_id }) => sum + (items.get(trace_id)?.span_count ?? 0), 0);
    const placeholders = traces.flatMap(({ spans }) => spans.filter(({ placeholder }) => placeholder)).length;
    expect('counts.unique spans', spanCount === counts.unique_spans - placeholders, counts.unique_spans, spanCount);
    const sessions = new Set<string>();
    for (const trace of traces) sessions.add(await checkOneTrace(client, capture, trace, items, mode, comparison));
    for (const turn of capture.expectation.turns ?? []) sessions.add(turn.session_id);
    sessions.delete('');
    expect('counts.sessions', sessions.size === counts.sessions, counts.sessions, [...sessions]);
    await checkTurns(client, capture, comparison.at(mode, capture, 'turns'));
  }
}

/** Returns the session of the trace, '' when it has none. */
async function checkOneTrace(
  client: HttpClient,
  capture: Capture,
  expected: ExpectedTrace,
  items: Map<string, TraceItem>,
  mode: Mode,
  comparison: Comparison,
): Promise<string> {
  const place = `trace ${expected.trace_id}`;
  const shown = await readTrace(client, expected.trace_id, items);
  comparison.at(mode, capture, place)('counts.found', shown !== null, expected.trace_id, null);
  if (!shown) return '';
  const { turns, session_traces, key_spans } = capture.expectation;
  const hasLogs = capture.requests.some(({ signal }) => signal === 'otlp-logs');
  const hasTurns = turns !== undefined || session_traces !== undefined;
  checkTrace(comparison.at(mode, capture, place), expected, shown);
  await checkContext(client, expected.trace_id, shown, comparison.at(mode, capture, place));
  for (const span of expected.spans) {
    if (span.placeholder || (key_spans && !key_spans.includes(span.span_id))) continue;
    const expect = comparison.at(mode, capture, `${span.name} ${span.span_id}`);
    const found = shown.spans.get(span.span_id);
    expect('counts.span found', found !== undefined, span.span_id, null);
    if (!found) continue;
    checkProtocol(expect, span, found);
    checkGrouping(expect, span, found);
    checkModelCall(expect, span, found);
    checkConversation(expect, span, found, { parent: shown.spans.get(span.parent_id ?? ''), hasLogs, hasTurns });
    checkPayload(expect, span, found);
  }
  return sessionOf(shown);
}

/** Every captured request is valid: it must be accepted, with nothing refused. */
function checkAnswers(captures: Capture[], replayed: Replayed[], mode: Mode, comparison: Comparison): void {
  for (const { request, answer } of replayed) {
    const capture = captures.find(({ name }) => name === request.capture) as Capture;
    const expect = comparison.at(mode, capture, `POST ${request.signal}`);
    expect('answers.status', answer.status === 200, 200, `${answer.status} ${answer.body.subarray(0, 200).toString()}`);
    if (answer.status !== 200 || request.headers['content-type'] !== 'application/json') continue;
    const { partialSuccess } = JSON.parse(answer.body.toString()) as { partialSuccess?: { rejectedSpans?: string } };
    expect('answers.refused', Number(partialSuccess?.rejectedSpans ?? 0) === 0, 0, partialSuccess);
  }
}

/** Checks lists and filters over the whole corpus: sessions, users, tags, models, and that nothing is listed twice. */
import type { SessionItem } from '../../../shared/contract/tracing/sessions.ts';
import type { SpanItem } from '../../../shared/contract/tracing/spans.ts';
import type { TraceItem } from '../../../shared/contract/tracing/traces.ts';
import type { HttpClient } from '../../gateway/http-client.ts';
import type { Capture } from '../captures.ts';
import type { Expect } from '../comparison.ts';
import type { ExpectedTrace } from '../expectation.ts';
import { readPages } from '../shown.ts';
import { logOnlySpanCount, logOnlyTurns } from './turn-checks.ts';

/** @param items every trace of the list */
export async function checkLists(
  client: HttpClient,
  captures: Capture[],
  items: TraceItem[],
  total: number,
  expect: Expect,
): Promise<void> {
  const traces = captures.flatMap(({ expectation }) => expectation.traces);
  const logOnly = captures.flatMap(logOnlyTurns);
  const count = traces.length + logOnly.length;
  expect('lists.traces', items.length === count && total === count, count, [items.length, total]);
  expect(
    'lists.no trace twice',
    new Set(items.map(({ id }) => id)).size === items.length,
    items.length,
    new Set(items.map(({ id }) => id)).size,
  );
  const steps = traces.flatMap(({ spans }) => spans.filter(({ placeholder }) => !placeholder));
  const spans = await readPages<SpanItem>(client, '/v1/spans', 500);
  const right = steps.length + logOnly.reduce((sum, turn) => sum + logOnlySpanCount(turn), 0);
  expect('lists.spans', spans.rows.length === right && spans.total === right, right, [spans.rows.length, spans.total]);
  // The trace count of a coding agent's session is checked by its turns.
  const others = captures.filter(({ expectation }) => !expectation.session_traces).flatMap(({ expectation }) => expectation.traces);
  await checkSessions(client, others, expect);
  await checkFailed(client, traces, expect);
  for (const [parameter, valuesOf] of Object.entries(filters)) {
    for (const [value, expected] of tracesBy(traces, valuesOf)) {
      const found = await readPages<TraceItem>(client, `/v1/traces?bookkeeping=include&${parameter}=${encodeURIComponent(value)}`);
      const ids = new Set(found.rows.map(({ id }) => id));
      const missing = [...expected].filter((id) => !ids.has(id));
      expect(`lists.${parameter}=${value}`, missing.length === 0, [...expected], { missing });
    }
  }
}

/** What the facet "Any error" of the viewer selects with one click: every trace of which a span failed. */
async function checkFailed(client: HttpClient, traces: ExpectedTrace[], expect: Expect): Promise<void> {
  const { rows } = await readPages<TraceItem>(client, `/v1/traces?bookkeeping=include&filter=${encodeURIComponent('errors > 0')}`);
  const found = new Set(rows.map(({ id }) => id));
  for (const { trace_id, spans } of traces) {
    if (!spans.some(({ status, placeholder }) => status === 'ERROR' && !placeholder)) continue;
    expect('failed traces.found by one click', found.has(trace_id), trace_id, 'not found');
  }
}

/** Filters find a trace by any of its spans. A gateway may find more than the expectation lists, so only missing traces count. */
const filters: Record<string, (trace: ExpectedTrace) => (string | undefined)[]> = {
  session_id: ({ spans }) => spans.map(({ session_id }) => session_id),
  user_id: ({ spans }) => spans.map(({ user_id }) => user_id),
  tag: ({ tags }) => tags ?? [],
};

function tracesBy(traces: ExpectedTrace[], valuesOf: (trace: ExpectedTrace) => (string | undefined)[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const trace of traces) {
    for (const value of valuesOf(trace)) {
      if (value) found.set(value, (found.get(value) ?? new Set()).add(trace.trace_id));
    }
  }
  return found;
}

async function checkSessions(client: HttpClient, traces: ExpectedTrace[], expect: Expect): Promise<void> {
  const { rows } = await readPages<SessionItem>(client, '/v1/sessions');
  const shown = new Map(rows.map((session) => [session.id, session]));
  for (const [id, of] of tracesBy(traces, filters['session_id'] as never)) {
    expect('lists.sessions', shown.get(id)?.trace_count === of.size, { id, trace_count: of.size }, shown.get(id)?.trace_count);
  }
}

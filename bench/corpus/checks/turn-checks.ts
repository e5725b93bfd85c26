/** One prompt to a coding agent is one trace, whether spans, log records or both report it. */
import type { SessionItem } from '../../../shared/contract/tracing/sessions.ts';
import type { TraceItem } from '../../../shared/contract/tracing/traces.ts';
import type { HttpClient } from '../../gateway/http-client.ts';
import type { Capture } from '../captures.ts';
import type { Expect } from '../comparison.ts';
import type { ExpectedTurn } from '../expectation.ts';
import { sameJson, sameText } from '../same.ts';
import { type DetailedSpan, readDetail, readPages } from '../shown.ts';

/** Turns that only log records report; the gateway makes their traces. */
export const logOnlyTurns = ({ expectation }: Capture): ExpectedTurn[] =>
  (expectation.turns ?? []).filter(({ trace_id }) => trace_id === null);

/** The spans of such a turn: the turn itself, its model calls and its tools. */
export const logOnlySpanCount = ({ model_calls = [], tool_calls }: ExpectedTurn): number => 1 + model_calls.length + tool_calls.length;

export async function checkTurns(client: HttpClient, { expectation }: Capture, expect: Expect): Promise<void> {
  for (const turn of expectation.turns ?? []) await checkTurn(client, turn, expect);
  for (const { session_id, traces, plus_any_of = [] } of expectation.session_traces ?? []) {
    const { rows } = await readPages<TraceItem>(client, `/v1/traces?session_id=${encodeURIComponent(session_id)}`);
    const counted = rows.filter(({ id }) => !plus_any_of.includes(id));
    expect('turns.traces of the session', counted.length === traces, traces, rows);
    const sessions = await readPages<SessionItem>(client, '/v1/sessions');
    const count = sessions.rows.find(({ id }) => id === session_id)?.trace_count ?? 0;
    expect('turns.session', count >= traces && count <= traces + plus_any_of.length, traces, count);
  }
  if (!expectation.quiet_list) return;
  const { rows } = await readPages<TraceItem>(client, '/v1/traces');
  const listed = rows.map(({ id }) => id).filter((id) => expectation.quiet_list?.absent.includes(id));
  expect('turns.quiet list', listed.length === 0, [], listed);
  for (const id of expectation.quiet_list.absent) {
    const { status } = await client.get(`/v1/traces/${id}`);
    expect('turns.reachable by id', status === 200, 200, status);
  }
}

async function checkTurn(client: HttpClient, turn: ExpectedTurn, expect: Expect): Promise<void> {
  const { rows } = await readPages<TraceItem>(client, `/v1/traces?session_id=${encodeURIComponent(turn.session_id)}`);
  const item = turn.trace_id
    ? rows.find(({ id }) => id === turn.trace_id)
    : rows.find(({ input_preview }) => (turn.prompt ? turn.prompt.startsWith(input_preview?.slice(0, 40) ?? '\0') : !input_preview));
  expect('turns.found', item !== undefined, turn.trace_id ?? turn.prompt, rows);
  if (!item) return;
  const { detail, spans } = await readDetail(client, item.id);
  const textOf = (value: string | undefined) => value ?? '';
  expect(
    'turns.prompt',
    turn.prompt === null ? textOf(detail.input) === '' : textOf(detail.input).includes(inJson(turn.prompt)),
    turn.prompt,
    detail.input,
  );
  expect('turns.reply', sameText(turn.reply ?? '', textOf(detail.output)), turn.reply, detail.output);
  const total = turn.tokens && turn.tokens.input + turn.tokens.output;
  if (total !== undefined) expect('turns.tokens', detail.tokens === total, total, detail.tokens);
  if (turn.cost_usd !== undefined) expect('turns.cost', Math.abs(detail.cost - turn.cost_usd) < 1e-9, turn.cost_usd, detail.cost);
  const ends = turn.ends_at_least_unix_nano;
  if (ends !== undefined) {
    const least = Number((BigInt(ends) - BigInt(turn.started_at_unix_nano)) / 1000n) / 1000;
    expect('turns.latency', detail.latency_ms >= least, least, detail.latency_ms);
  }
  if (turn.model_any_of)
    expect(
      'turns.model',
      spans.some(({ model }) => turn.model_any_of?.includes(model ?? '')),
      turn.model_any_of,
      null,
    );
  checkCalls(turn, spans, expect);
  checkTools(turn, spans, expect);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function checkCalls({ model_calls, trace_id }: ExpectedTurn, spans: readonly DetailedSpan[], expect: Expect): void {
  if (!model_calls) return;
  const calls = spans.filter(({ type }) => type === 'GENERATION');
  expect('turns.model calls', calls.length === model_calls.length, model_calls.length, calls.length);
  model_calls.forEach((right, at) => {
    const call = calls[at];
    expect('turns.model', right.model_any_of.includes(call?.model ?? ''), right.model_any_of, call?.model);
    const tokens = [right.input_tokens, right.output_tokens];
    expect('turns.call tokens', sameJson(tokens, [call?.input_tokens, call?.output_tokens]), tokens, call);
    expect('turns.call cost', Math.abs((call?.cost ?? 0) - right.cost_usd) < 1e-9, right.cost_usd, call?.cost);
    // A span measures the call between other points than the log record.
    if (trace_id === null) expect('turns.call time', call?.duration_ms === right.duration_ms, right.duration_ms, call?.duration_ms);
  });
}

function checkTools({ tool_calls, trace_id }: ExpectedTurn, spans: readonly DetailedSpan[], expect: Expect): void {
  const tools = spans.filter(({ span_kind }) => span_kind === 'tool');
  if (trace_id === null) expect('turns.tools', tools.length === tool_calls.length, tool_calls.length, tools.length);
  for (const { name, call_id, arguments: args, success, result, duration_ms } of tool_calls) {
    const tool = tools.find((span) => span.name === name && (call_id === undefined || (span.tool_calls ?? '').includes(call_id)));
    expect('turns.tool', tool !== undefined, { name, call_id }, tools);
    if (!tool) continue;
    if (args !== undefined) expect('turns.tool arguments', sameJson(args, parsed(tool.input)), args, tool.input);
    if (typeof result === 'string') expect('turns.tool result', tool.output.includes(result), result, tool.output);
    if (success !== undefined) expect('turns.tool success', (tool.status === 'ERROR') !== success, success, tool.status);
    if (trace_id === null && duration_ms !== undefined)
      expect('turns.tool time', tool.duration_ms === duration_ms, duration_ms, tool.duration_ms);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

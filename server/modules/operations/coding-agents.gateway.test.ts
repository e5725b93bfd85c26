import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import {
  claudeRecord,
  claudeTurn,
  codexConversation,
  codexRecord,
  geminiRecord,
  geminiTurn,
  logsRequest,
  shuffled,
} from '../../fixtures/agent-records.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

let sessions = 0;
const aSession = () => `session-${++sessions}`;

async function send(service: string, records: readonly object[]): Promise<void> {
  const body = JSON.stringify(logsRequest(service, records));
  const response = await gateway.fetch('/v1/logs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  expect(response.status).toBe(200);
}

const rowsOf = async (session_id: string) => (await gateway.client.traceList.rows({ query: { session_id, sort_order: 'asc' } })).data.rows;

const spansOf = async (traceId: string) => {
  const { data } = await gateway.client.traces.get({ params: { traceId }, query: {} });
  return Promise.all(
    data.spans.map(
      async ({ id, parent_id, name, status, timestamp, duration_ms, type, model, tokens, cost, cost_source, span_kind, metadata }) => {
        const { input, output, tool_calls } = (await gateway.client.spans.io({ params: { traceId, spanId: id } })).data;
        return {
          id,
          parent_id,
          name,
          status,
          timestamp,
          duration_ms,
          type,
          model,
          tokens,
          cost,
          cost_source,
          span_kind,
          metadata,
          input,
          output,
          tool_calls,
        };
      },
    ),
  );
};

/** Everything that the viewer shows of a session. */
async function viewOf(session: string) {
  const rows = await rowsOf(session);
  const { data } = await gateway.client.sessions.list({ query: { limit: 1000 } });
  return {
    session: data.find(({ id }) => id === session),
    traces: await Promise.all(rows.map(async (row) => ({ row, spans: await spansOf(row.id) }))),
  };
}

/** The views of two sessions as text. Ids that derive from the session ids are replaced by numbers in their order of appearance. */
async function comparableViews(session: string, other: string): Promise<string[]> {
  const texts = await Promise.all([session, other].map(async (id) => JSON.stringify(await viewOf(id), null, 1).replaceAll(id, 'SESSION')));
  return texts.map((text) => {
    const ids: string[] = [];
    return text.replace(/"([0-9a-f]{16}|[0-9a-f]{32})"/g, (_, id: string) => {
      if (!ids.includes(id)) ids.push(id);
      return `"#${ids.indexOf(id)}"`;
    });
  });
}

const agents = [
  { agent: 'claude-code', turn: (session: string) => [...claudeTurn(session, 'p1'), ...claudeTurn(session, 'p2', 10_000)] },
  { agent: 'codex_exec', turn: codexConversation },
  { agent: 'gemini-cli', turn: (session: string) => geminiTurn(session, 'p1') },
];

describe('log records of coding agents without spans', () => {
  test('Claude Code: a trace for each prompt, with its text, the calls, the tool and the reply', async () => {
    const session = aSession();
    await send('claude-code', [...claudeTurn(session, 'p1'), ...claudeTurn(session, 'p2', 10_000)]);
    const { session: item, traces } = await viewOf(session);
    expect(item).toMatchObject({ trace_count: 2, total_cost: 1.5 });
    expect(traces).toHaveLength(2);
    const [{ row, spans }] = traces as [(typeof traces)[0]];
    expect(row).toMatchObject({
      name: 'claude_code.interaction',
      input_preview: 'List the owls p1',
      output_preview: 'Two owls of p1',
      latency_ms: 1301,
      cost: 0.75,
      tokens: 50 + 120 + 10 + 70 + 120 + 12,
      span_count: 5,
      error_count: 1,
      user_id: 'ada',
      models: ['claude-sonnet-4-5'],
      prompt_name: null,
    });
    expect(spans.map(({ name, span_kind, status, duration_ms }) => [name, span_kind, status, duration_ms])).toEqual([
      ['claude_code.interaction', 'agent', 'UNSET', 1301],
      ['claude_code.llm_request', 'llm', 'ERROR', 30],
      ['claude_code.llm_request', 'llm', 'UNSET', 100],
      ['Bash', 'tool', 'UNSET', 90],
      ['claude_code.llm_request', 'llm', 'UNSET', 250],
    ]);
    expect(spans[2]).toMatchObject({ model: 'claude-sonnet-4-5', tokens: 180, cost: 0.25, cost_source: 'reported' });
    expect(spans[3]?.tool_calls).toContain('"command":"ls owls"');
    const { data: read } = await gateway.client.traces.get({ params: { traceId: row.id }, query: {} });
    expect(read.spans[3]?.metadata).toMatchObject({ decision: 'accept', source: 'user_temporary' });
  });

  test('Codex: prompts without ids are told apart by their time', async () => {
    const session = aSession();
    await send('codex_exec', codexConversation(session));
    const { traces } = await viewOf(session);
    expect(traces.map(({ row }) => [row.input_preview, row.tokens, row.span_count, row.latency_ms])).toEqual([
      ['What is here?', 46, 3, 150],
      ['And now?', 46, 3, 150],
    ]);
    expect(traces[0]?.spans.map(({ name, span_kind, model, output }) => [name, span_kind, model, output])).toEqual([
      ['codex.turn', 'agent', null, ''],
      ['codex.model_call', 'llm', 'gpt-5-mini', ''],
      ['shell', 'tool', null, 'owls'],
    ]);
  });

  test('Gemini CLI: token counts and messages of one call are joined, and its pieces are one answer', async () => {
    const session = aSession();
    await send('gemini-cli', geminiTurn(session, 'p1'));
    const { traces } = await viewOf(session);
    expect(traces.map(({ row }) => [row.input_preview, row.output_preview, row.tokens, row.error_count])).toEqual([
      ['Which capital?', 'The capital is Paris.', 39, 1],
    ]);
    const call = traces[0]?.spans.find(({ span_kind }) => span_kind === 'llm');
    expect(call).toMatchObject({ output: 'The capital is Paris.', duration_ms: 180, model: 'gemini-2.5-flash' });
  });

  test.each(agents)('$agent: in any order, split over requests and repeated, the same is shown', async ({ agent, turn }) => {
    const session = aSession();
    await send(agent, turn(session));
    for (let seed = 1; seed <= 4; seed++) {
      const other = aSession();
      const records = shuffled(turn(other), seed);
      const batchSize = seed % 2 === 0 ? 1 : 3;
      for (let at = 0; at < records.length; at += batchSize) {
        await send(agent, records.slice(at, at + batchSize));
        if (seed > 2) await send(agent, records.slice(0, at + batchSize));
      }
      const [expected, actual] = await comparableViews(session, other);
      expect(actual).toBe(expected);
    }
  });

  test.each(agents)('$agent: across a restart between the records of one prompt', async ({ agent, turn }) => {
    const [session, other] = [aSession(), aSession()];
    await send(agent, turn(session));
    const records = shuffled(turn(other), 5);
    await send(agent, records.slice(0, 3));
    await gateway.restart();
    await send(agent, records.slice(3));
    await gateway.restart();
    const [expected, actual] = await comparableViews(session, other);
    expect(actual).toBe(expected);
  });

  test('ids derive from session and prompt: the same in another gateway, and others in another session', async () => {
    const session = aSession();
    await send('claude-code', claudeTurn(session, 'p1'));
    const otherGateway = await startTestGateway();
    try {
      await otherGateway.fetch('/v1/logs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(logsRequest('claude-code', shuffled(claudeTurn(session, 'p1'), 3))),
      });
      const { data } = await otherGateway.client.traceList.rows({ query: { session_id: session } });
      expect(data.rows.map(({ id }) => id)).toEqual((await rowsOf(session)).map(({ id }) => id));
    } finally {
      await otherGateway.stop();
    }
    const other = aSession();
    await send('claude-code', claudeTurn(other, 'p1'));
    expect((await rowsOf(other))[0]?.id).not.toBe((await rowsOf(session))[0]?.id);
  });

  test('a prompt that was not recorded is not shown as its placeholder', async () => {
    const session = aSession();
    const record = claudeRecord(session, 'p1');
    await send('claude-code', [
      record({ name: 'user_prompt', atMs: 0, attributes: { prompt: '<REDACTED>' } }),
      record({
        name: 'api_request',
        atMs: 20,
        attributes: { model: 'claude-sonnet-4-5', input_tokens: 1, output_tokens: 1, duration_ms: 5 },
      }),
    ]);
    const { traces } = await viewOf(session);
    expect(traces).toHaveLength(1);
    expect(traces[0]?.row.input_preview).toBeUndefined();
    expect(traces[0]?.spans.map(({ input }) => input)).toEqual(['', '']);
  });
});

describe('records and spans of one turn', () => {
  const wire = (session: string, traceId: string) => {
    const ids = { root: aSpanId(), call: aSpanId() };
    const common = { 'session.id': session, 'gen_ai.conversation.id': session };
    const spans = [
      aSpan({ traceId, spanId: ids.root, name: 'claude_code.interaction', attributes: { ...common, user_prompt: 'Which owls?' } }),
      aSpan({
        traceId,
        spanId: ids.call,
        parentSpanId: ids.root,
        name: 'claude_code.llm_request',
        attributes: { ...common, model: 'claude-sonnet-4-5', input_tokens: 10, output_tokens: 2 },
      }),
    ];
    const record = claudeRecord(session, 'p1');
    const span = { traceId, spanId: ids.root };
    const records = [
      record({ name: 'user_prompt', atMs: 0, attributes: { prompt: 'Which owls?' }, span }),
      record({
        name: 'api_request',
        atMs: 50,
        attributes: { model: 'claude-sonnet-4-5', input_tokens: 10, output_tokens: 2, cost_usd: 0.4 },
      }),
      record({ name: 'tool_result', atMs: 60, attributes: { tool_name: 'Read', tool_use_id: 't1', success: 'true', duration_ms: 5 } }),
      record({ name: 'assistant_response', atMs: 70, attributes: { response: 'Barn owls.' } }),
    ];
    return { spans, records };
  };

  test.each([1, 2, 3, 4, 5, 6])('records without a span join the trace of the spans, whatever comes first (%i)', async (seed) => {
    const [session, traceId] = [aSession(), aTraceId()];
    const { spans, records } = wire(session, traceId);
    const steps = shuffled([...records.map((record) => () => send('claude-code', [record])), () => gateway.ingest(aRequest(spans))], seed);
    for (const step of steps) await step();
    for (const record of records) await send('claude-code', [record]);
    const { session: item, traces } = await viewOf(session);
    expect(traces.map(({ row }) => row.id)).toEqual([traceId]);
    expect(item).toMatchObject({ trace_count: 1, total_cost: 0.4 });
    expect(traces[0]?.row).toMatchObject({ span_count: 2, input_preview: 'Which owls?', output_preview: 'Barn owls.', tokens: 12 });
    const all = await gateway.client.traces.list({ query: { limit: 1000, session_id: session, bookkeeping: 'include' } });
    expect(all.pagination.total).toBe(1);
  });

  test('Codex: records without a trace join the trace of their prompt', async () => {
    const [session, traceId, spanId] = [aSession(), aTraceId(), aSpanId()];
    const record = codexRecord(session);
    await send('codex_exec', [
      record({
        name: 'sse_event',
        atMs: 50,
        attributes: { 'event.kind': 'response.completed', input_token_count: 3, output_token_count: 1 },
      }),
    ]);
    expect(await rowsOf(session)).toEqual([]);
    await send('codex_exec', [record({ name: 'user_prompt', atMs: 0, attributes: { prompt: 'Hello' }, span: { traceId, spanId } })]);
    expect(await rowsOf(session)).toEqual([]);
    await gateway.ingest(aRequest([aSpan({ traceId, spanId, name: 'codex.turn_input' })]));
    const { data } = await gateway.client.viewer.rawSpan({ params: { traceId, spanId } });
    expect(data.logs).toHaveLength(2);
  });

  test('Gemini CLI: a call that has a span is not shown twice', async () => {
    const [session, traceId, spanId] = [aSession(), aTraceId(), aSpanId()];
    await send('gemini-cli', geminiTurn(session, 'p1'));
    expect(await rowsOf(session)).toHaveLength(1);
    const attributes = {
      'gen_ai.operation.name': 'llm_call',
      'gen_ai.conversation.id': session,
      'gen_ai.request.model': 'gemini-2.5-flash',
    };
    await gateway.ingest(aRequest([aSpan({ traceId, spanId, name: 'llm_call', attributes })]));
    await send('gemini-cli', [geminiRecord(session, 'p1')({ name: 'gemini_cli.api_request', atMs: 11, span: { traceId, spanId } })]);
    expect((await rowsOf(session)).map(({ id }) => id)).toEqual([traceId]);
  });
});

test('a trace that consists of records has their times', async () => {
  const session = aSession();
  await send('claude-code', claudeTurn(session, 'p1'));
  const [row] = await rowsOf(session);
  expect(row?.start).toBe(new Date(testEpochMs).toISOString());
  expect(row?.end).toBe(new Date(testEpochMs + 1301).toISOString());
});

test('a prompt that is not read yet is a trace of its records, until it is read', async () => {
  const session = aSession();
  const turn = (startMs: number, endMs: number | null) => {
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'session.id': session };
    const span = aSpan({ traceId: aTraceId(), name: 'codex', startMs: testEpochMs + startMs, attributes });
    const endTimeUnixNano = endMs === null ? '0' : `${testEpochMs + endMs}000000`;
    return aRequest([{ ...span, endTimeUnixNano }], { scope: 'glasshouse.history' });
  };
  const names = async () => (await rowsOf(session)).map(({ name, tokens }) => [name, tokens]);
  await send('codex_exec', codexConversation(session));
  await gateway.ingest(turn(-50, 300));
  expect(await names()).toEqual([
    ['codex', 46],
    ['codex.turn', 46],
  ]);
  // While it goes on, everything until the next one is of it.
  await gateway.ingest(turn(4950, null));
  expect(await names()).toEqual([
    ['codex', 46],
    ['codex', 46],
  ]);
});

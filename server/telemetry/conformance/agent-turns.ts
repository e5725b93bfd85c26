/** A turn of a coding agent that arrives by its session file, its log records and its exported spans is stored once. */
import { expect } from 'vitest';
import { aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { conversationOf, promptTraceId, turnRecordOf, turnSpanId } from '../../ingest/agent-records/turn-record.ts';
import { createPricing } from '../../ingest/cost/pricing.ts';
import { decodeJson } from '../../ingest/otlp/decode-json.ts';
import type { RawLog } from '../../ingest/otlp/raw-span.ts';
import { BatchBuilder } from '../../ingest/prepare/prepare.ts';
import type { PreparedBatch } from '../../ingest/prepare/prepared.ts';
import { arrivalMs } from './batch-of.ts';
import type { DeclareGuarantee, GuaranteeContext } from './guarantee.ts';

const session = 'a session';
const turnTrace = 'c0'.repeat(16);
const usage = { 'gen_ai.request.model': 'gemini-2.5-flash', 'gen_ai.usage.input_tokens': 30, 'gen_ai.usage.output_tokens': 9 };

function spansOf(scope: string, spans: object[]): PreparedBatch {
  const builder = new BatchBuilder(createPricing(), arrivalMs, null);
  for (const span of decodeJson(Buffer.from(JSON.stringify(aRequest(spans, { scope })))).spans) builder.add(span);
  return builder.finish();
}

/** @param isOver whether the turn has ended */
function history(isOver = true): PreparedBatch {
  const root = { traceId: turnTrace, spanId: 'd0'.repeat(8), name: 'gemini-cli', startMs: testEpochMs, durationMs: 300 };
  const call = { traceId: turnTrace, spanId: 'd1'.repeat(8), parentSpanId: root.spanId, name: 'chat', startMs: testEpochMs + 10 };
  return spansOf('glasshouse.history', [
    {
      ...aSpan({ ...root, attributes: { 'gen_ai.operation.name': 'invoke_agent', 'session.id': session } }),
      ...(isOver ? {} : { endTimeUnixNano: '0' }),
    },
    aSpan({ ...call, attributes: { 'gen_ai.operation.name': 'chat', 'session.id': session, ...usage } }),
  ]);
}

function exported(atMs = 10): PreparedBatch {
  const attributes = { 'gen_ai.operation.name': 'llm_call', 'gen_ai.conversation.id': session, ...usage };
  return spansOf('gemini-cli', [aSpan({ traceId: 'e0'.repeat(16), name: 'llm_call', startMs: testEpochMs + atMs, attributes })]);
}

type Attributes = Record<string, string | number>;
type Sender = { service: string; span: { trace_id: string; span_id: string }; named: Attributes };

/** @param records each with its name, its time after the epoch of tests in milliseconds, and its attributes */
function recordsOf({ service, span, named }: Sender, ...records: [string, number, Attributes][]): PreparedBatch {
  const builder = new BatchBuilder(createPricing(), arrivalMs, null);
  for (const [name, atMs, own] of records) {
    const attributes = Object.entries({ ...named, ...own });
    const times = { time_ns: `${testEpochMs + atMs}000000`, observed_ns: '0' };
    const log: RawLog = { ...span, name, ...times, severity_number: 9, severity_text: 'INFO', body: null, attributes, dropped: 0 };
    const resource = { attributes: [['service.name', service]] as RawLog['attributes'], dropped: 0, schema_url: '' };
    builder.addLog({ log, turn: turnRecordOf(log), resource: span.span_id === '' ? resource : null });
  }
  return builder.finish();
}

/** The prompt, which is reported before it is written to the file, and the answer. */
const records = () =>
  recordsOf(
    { service: 'gemini-cli', span: { trace_id: '', span_id: '' }, named: { 'session.id': session, prompt_id: session } },
    ['gemini_cli.user_prompt', -30, { prompt: 'Which capital?' }],
    ['gemini_cli.api_response', 110, { input_token_count: 30, output_token_count: 9 }],
  );

const orders = [
  [history, records, exported],
  [records, exported, history],
  [exported, history, records],
  [() => history(false), records, exported, history],
  [records, history, exported, history, records, exported],
];

const claudeConversation = conversationOf('claude-code', session);
const claudePrompt = promptTraceId(claudeConversation, 'p1');
const claudeTrace = 'f0'.repeat(16);

/** A turn of Claude Code, whose log records name their prompt and the span that it exports. */
const claude = {
  history: () =>
    spansOf('glasshouse.history', [
      aSpan({
        ...{ traceId: claudePrompt, spanId: turnSpanId(claudePrompt, 'turn'), name: 'claude-code', startMs: testEpochMs, durationMs: 300 },
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'session.id': session },
      }),
      aSpan({
        ...{ traceId: claudePrompt, spanId: turnSpanId(claudePrompt, 'call:r1'), parentSpanId: turnSpanId(claudePrompt, 'turn') },
        ...{ name: 'chat', startMs: testEpochMs + 10 },
        attributes: { 'gen_ai.operation.name': 'chat', 'session.id': session, ...usage },
      }),
    ]),
  exported: () =>
    spansOf('com.anthropic.claude_code.tracing', [
      aSpan({
        ...{ traceId: claudeTrace, spanId: 'f1'.repeat(8), name: 'claude_code.llm_request', startMs: testEpochMs + 10 },
        attributes: { 'session.id': session, model: 'claude-sonnet-4-5', input_tokens: 30, output_tokens: 9 },
      }),
    ]),
  records: () =>
    recordsOf(
      {
        service: 'claude-code',
        span: { trace_id: claudeTrace, span_id: 'f1'.repeat(8) },
        named: { 'session.id': session, 'prompt.id': 'p1' },
      },
      ['claude_code.api_request', 50, { request_id: 'r1', cost_usd: 0.25, input_tokens: 30, output_tokens: 9 }],
    ),
};

const claudeOrders = [
  [claude.history, claude.records, claude.exported],
  [claude.exported, claude.records, claude.history, claude.records],
  [claude.records, claude.history, claude.exported],
];

/** The next prompt, which is not read yet, while the turn before it is open. */
const next = {
  history: () =>
    spansOf('glasshouse.history', [
      {
        ...aSpan({
          ...{ traceId: claudePrompt, spanId: turnSpanId(claudePrompt, 'turn'), name: 'claude-code', startMs: testEpochMs },
          attributes: { 'gen_ai.operation.name': 'invoke_agent', 'session.id': session },
        }),
        endTimeUnixNano: '0',
      },
    ]),
  exported: () =>
    spansOf('com.anthropic.claude_code.tracing', [
      aSpan({
        ...{ traceId: 'f8'.repeat(16), spanId: 'f9'.repeat(8), name: 'claude_code.llm_request', startMs: testEpochMs + 5000 },
        attributes: { 'session.id': session, model: 'claude-sonnet-4-5', input_tokens: 30, output_tokens: 9 },
      }),
    ]),
  records: () =>
    recordsOf(
      {
        ...{ service: 'claude-code', span: { trace_id: 'f8'.repeat(16), span_id: 'f9'.repeat(8) } },
        named: { 'session.id': session, 'prompt.id': 'p2' },
      },
      ['claude_code.api_request', 5050, { request_id: 'r2', cost_usd: 0.5, input_tokens: 30, output_tokens: 9 }],
    ),
};

const nextOrders = [
  [next.history, next.exported, next.records],
  [next.records, next.exported, next.history],
];

/** A call after the end of the turn, which is not in its file. */
const later = () => exported(600);
const ordersWithLater = [
  [history, later],
  [later, history],
  [() => history(false), later, history],
];

export function agentTurnGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'a turn that is read from a session file and exported is one trace, counted once, in any order and repeated',
    async ({ tenant }) => {
      const [first, ...others] = await listed(orders, tenant);
      expect(first?.rows.map(({ id, tokens }) => [id, tokens])).toEqual([[turnTrace, 39]]);
      expect(first).toMatchObject({ bookkeeping_hidden: 1, sessions: [{ trace_count: 1, total_tokens: 39 }] });
      for (const other of others) expect(other).toEqual(first);
    },
  );

  guarantee(
    'a turn whose records were sent with exported spans is one trace with their costs, once it is read from a session file',
    async ({ tenant }) => {
      const [first, ...others] = await listed(claudeOrders, tenant);
      expect(first?.rows.map(({ id, tokens, cost }) => [id, tokens, cost])).toEqual([[claudePrompt, 39, 0.25]]);
      expect(first).toMatchObject({ bookkeeping_hidden: 1, sessions: [{ trace_count: 1, total_tokens: 39, total_cost: 0.25 }] });
      for (const other of others) expect(other).toEqual(first);
    },
  );

  guarantee('a prompt that is exported and not read yet counts, although the turn before it is open', async ({ tenant }) => {
    const [first, ...others] = await listed(nextOrders, tenant);
    expect(first).toMatchObject({ bookkeeping_hidden: 0, sessions: [{ trace_count: 2, total_tokens: 39 }] });
    for (const other of others) expect(other).toEqual(first);
  });

  guarantee(
    'an exported call after the end of a turn that is read counts, also if it came before the end was known',
    async ({ tenant }) => {
      const [first, ...others] = await listed(ordersWithLater, tenant);
      expect(first).toMatchObject({ bookkeeping_hidden: 0, sessions: [{ trace_count: 2, total_tokens: 78 }] });
      for (const other of others) expect(other).toEqual(first);
    },
  );
}

/** What lists and sessions have of each order, in an app of its own. */
const listed = (all: (() => PreparedBatch)[][], tenant: GuaranteeContext['tenant']) =>
  Promise.all(
    all.map(async (order) => {
      const app = tenant();
      for (const batch of order) await app.store.writer.write(app.scope, batch());
      const { rows, bookkeeping_hidden } = await app.listed();
      return { rows, bookkeeping_hidden, sessions: (await app.sessions()).data };
    }),
  );

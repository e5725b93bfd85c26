import { expect } from 'vitest';
import { type ContextWindow, contextWindows } from '../../../shared/contract/tracing/context-windows.ts';
import { aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

interface AgentOptions {
  traceId: string;
  /** Above the agent. */
  parentSpanId?: string;
  name?: string;
  startMs?: number;
  calls?: number;
  /** The call before which the clock in the system prompt moves on. */
  laterFrom?: number;
  model?: string;
  isRecorded?: boolean;
  /** What the lookups of orders answer. */
  answer?: (order: string) => string;
  /** The first order. */
  order?: number;
  /** Of each call, as its sender reports it. */
  cost?: number;
}

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const lookUp = (order: string) => ({
  role: 'assistant',
  parts: [{ type: 'tool_call', id: `call_${order}`, name: 'lookup_order', arguments: { order } }],
});
const answerOf = (order: string, response: string) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: `call_${order}`, response }],
});

/** An agent that looks orders up, with a cache that reads the prompt before. */
function anAgent({
  traceId,
  parentSpanId,
  name = 'refunds',
  startMs = testEpochMs,
  calls = 3,
  laterFrom = calls,
  model = 'claude-sonnet-4-5',
  isRecorded = true,
  answer = (of) => `Order ${of} was shipped to Lyon on a rainy day`,
  order = 48210,
  cost,
}: AgentOptions): object[] {
  const agentId = aSpanId();
  const prompt = (at: number) => [
    text('system', `You answer questions about orders.\nIt is ${at < laterFrom ? '09:31' : '09:32'} in Lyon.\nBe brief.`),
    text('user', 'Where are my orders?'),
    ...Array.from({ length: at }, (_, nth) => String(order + nth)).flatMap((each) => [lookUp(each), answerOf(each, answer(each))]),
  ];
  const call = (at: number) => ({
    ...{ traceId, parentSpanId: agentId, name: `chat ${model}`, startMs: startMs + 10 + at * 100, durationMs: 50 },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.response.model': model,
      'gen_ai.usage.input_tokens': 1000 + at * 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': at === 0 || at === laterFrom ? 0 : 900 + at * 100,
      'gen_ai.usage.cache_creation.input_tokens': at === 0 || at === laterFrom ? 1000 + at * 100 : 100,
      ...(cost === undefined ? {} : { 'gen_ai.usage.cost': String(cost) }),
      ...(isRecorded ? { 'gen_ai.input.messages': JSON.stringify(prompt(at)) } : {}),
    },
  });
  const agent = {
    traceId,
    spanId: agentId,
    name: `invoke_agent ${name}`,
    startMs,
    durationMs: 10 + calls * 100,
    ...(parentSpanId ? { parentSpanId } : {}),
  };
  return [
    aSpan({ ...agent, attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name } }),
    ...Array.from({ length: calls }, (_, at) => aSpan(call(at))),
  ];
}

async function windowsOf(app: Tenant, spans: object[]): Promise<ContextWindow[]> {
  await app.write(spans);
  return readWindows(app, (spans[0] as { traceId: string }).traceId);
}

async function readWindows(app: Tenant, traceId: string): Promise<ContextWindow[]> {
  const found = await app.store.contexts.find(app.scope, traceId);
  const { windows, is_whole } = contextWindows.find.reply.shape.data.parse(found?.decode());
  expect(is_whole).toBe(true);
  return windows;
}

export function contextGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a prompt is what entered and what stayed, in order, with every reported token', async ({ tenant }) => {
    const [window] = await windowsOf(tenant(), anAgent({ traceId: aTraceId() }));
    expect(window).toMatchObject({ agent: 'refunds', model: 'claude-sonnet-4-5', limit_tokens: 200_000, peak: 2 });
    expect(window?.parts.map(({ origin, name, label, entered, calls }) => [origin, name, label, entered, calls])).toEqual([
      ['system', '', 'You answer questions about orders. It is 09:31 in Lyon. Be brief.', 0, 3],
      ['user', '', 'Where are my orders?', 0, 3],
      ['assistant', '', 'lookup_order {"order":"48210"}', 1, 2],
      ['tool_result', 'lookup_order', '48210', 1, 2],
      ['assistant', '', 'lookup_order {"order":"48211"}', 2, 1],
      ['tool_result', 'lookup_order', '48211', 2, 1],
    ]);
    expect(window?.calls.map(({ parts, entered, dropped, compared_with }) => ({ parts, entered, dropped, compared_with }))).toEqual([
      { parts: [0, 1], entered: [0, 1], dropped: [], compared_with: null },
      { parts: [0, 1, 2, 3], entered: [2, 3], dropped: [], compared_with: 0 },
      { parts: [0, 1, 2, 3, 4, 5], entered: [4, 5], dropped: [], compared_with: 1 },
    ]);
    for (const { input_tokens, tokens, other_tokens, divergence, cache_loss } of window?.calls ?? []) {
      expect(tokens.reduce((sum, each) => sum + each, other_tokens)).toBe(input_tokens);
      expect([divergence, cache_loss]).toEqual([null, null]);
    }
  });

  guarantee('the cache breaks where the prompt changes, and what is lost has the price of the list', async ({ tenant }) => {
    const [window] = await windowsOf(tenant(), anAgent({ traceId: aTraceId(), laterFrom: 2 }));
    const { divergence, cache_loss, rewritten } = window?.calls[2] ?? {};
    expect(rewritten).toEqual([{ from: 0, to: 4 }]);
    expect(divergence).toEqual({
      ...{ change: 'time', before: 0, after: 4, byte: 45 },
      text: {
        ...{ line: 2, character: 46, head: 'You answer questions about orders.\nIt is ', removed: '09:31', added: '09:32' },
        ...{ tail: ' in Lyon.\nBe brief.', is_cut: false },
      },
    });
    expect(cache_loss).toEqual({ tokens: 1100, is_estimate: false, cost: (1100 * (3_750_000 - 300_000)) / 1e12, pause_ms: 50 });
    expect(window?.calls.filter((call) => call.cache_loss)).toHaveLength(1);
  });

  guarantee('a sub-agent has a window of its own', async ({ tenant }) => {
    const traceId = aTraceId();
    const lead = anAgent({ traceId, name: 'lead' });
    const { spanId } = lead[0] as { spanId: string };
    const windows = await windowsOf(tenant(), [
      ...lead,
      ...anAgent({ traceId, parentSpanId: spanId, name: 'scout', startMs: testEpochMs + 20, calls: 2 }),
    ]);
    expect(windows.map(({ agent, agent_id, calls }) => [agent, agent_id === spanId, calls.length])).toEqual([
      ['lead', true, 3],
      ['scout', false, 2],
    ]);
  });

  guarantee('what was not recorded, and a window that is not known, are told', async ({ tenant }) => {
    const [window] = await windowsOf(tenant(), anAgent({ traceId: aTraceId(), isRecorded: false, model: 'house-model' }));
    expect(window).toMatchObject({ limit_tokens: null, parts: [] });
    expect(window?.calls[1]).toMatchObject({
      prompt: 'not_recorded',
      parts: [],
      input_tokens: 1100,
      cached_tokens: 1000,
      cost: null,
      compared_with: null,
    });
  });

  guarantee('costs that no call can have are numbers, too', async ({ tenant }) => {
    const [window] = await windowsOf(tenant(), anAgent({ traceId: aTraceId(), cost: 1e308 }));
    expect([window?.cost, ...(window?.parts ?? []).map(({ cost }) => cost)].every(Number.isFinite)).toBe(true);
  });

  guarantee('a trace that is read again after each of its spans is read as by a store that never read it', async ({ location }) => {
    const data = location();
    const traceId = aTraceId();
    const answer = () => 'There is no such order, and there never was one';
    const [lead, scout] = [
      anAgent({ traceId, name: 'lead', startMs: testEpochMs + 5000, answer }),
      anAgent({ traceId, order: 7000, answer }),
    ];
    const running = scout.map((span) => ({ ...span, endTimeUnixNano: '0', attributes: [] }));
    const { scope, last } = await whileOpen(data, async (store) => {
      const app = new Tenant(store);
      const windows: ContextWindow[][] = [];
      for (const span of [...lead.toReversed(), ...running, ...scout]) windows.push(await windowsOf(app, [span]));
      return { scope: app.scope, last: windows.at(-1) };
    });
    await whileOpen(data, async (store) => expect(await readWindows(new Tenant(store, scope), traceId)).toEqual(last));
    expect(last?.map(({ parts }) => parts.filter(({ origin }) => origin === 'tool_result').map(({ label }) => label))).toEqual([
      ['7000', '7001'],
      ['48210', '48211'],
    ]);
  });

  guarantee('a trace without model calls has no windows; one that is unknown or of another app is not found', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    expect(await windowsOf(app, [aSpan({ traceId: aTraceId() })])).toEqual([]);
    const spans = anAgent({ traceId: aTraceId() });
    await other.write(spans);
    for (const id of [(spans[0] as { traceId: string }).traceId, 'unknown'])
      expect(await app.store.contexts.find(app.scope, id)).toBeNull();
  });
}

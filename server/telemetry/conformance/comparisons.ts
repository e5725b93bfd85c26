import { expect } from 'vitest';
import { type Comparison, comparisons } from '../../../shared/contract/tracing/comparison.ts';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

interface RunOptions {
  traceId: string;
  startMs: number;
  order?: string;
  window?: string;
  decision?: string;
  temperature?: number;
  attempts?: number;
}

/** An agent that looks an order up, decides, and refunds it. */
function aRefund({
  traceId,
  startMs,
  order = '48213',
  window = 'open',
  decision = 'Refund it.',
  temperature = 0,
  attempts = 1,
}: RunOptions): object[] {
  const root = aSpanId();
  const tool = (name: string, at: number, args: object, result: object) => ({
    ...{ traceId, parentSpanId: root, name: `execute_tool ${name}`, startMs: startMs + at, durationMs: 5 },
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': `call_${aSpanId()}`,
      'gen_ai.tool.call.arguments': JSON.stringify(args),
      'gen_ai.tool.call.result': JSON.stringify(result),
    },
  });
  const failed = { status: 'ERROR' as const, statusMessage: '503' };
  return [
    aSpan({
      ...{ traceId, spanId: root, name: 'invoke_agent refund-agent', startMs, durationMs: 500 },
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'refund-agent' },
    }),
    aChat({ traceId, parentSpanId: root, startMs: startMs + 10, ask: `A cracked lid, order ${order}`, reply: 'I look it up.' }),
    aSpan(tool('lookup_order', 20, { order }, { order, window })),
    aChat({
      ...{ traceId, parentSpanId: root, startMs: startMs + 30, ask: `The order is ${window}`, reply: decision },
      attributes: { 'gen_ai.request.temperature': temperature },
    }),
    ...Array.from({ length: attempts }, (_, at) =>
      aSpan({ ...tool('issue_refund', 40 + at * 10, { order }, {}), ...(at < attempts - 1 ? failed : {}) }),
    ),
  ];
}

async function compared(app: Tenant, a: object[], b: object[]): Promise<Comparison> {
  await app.write([...a, ...b]);
  const traceOf = (spans: object[]) => (spans[0] as { traceId: string }).traceId;
  const found = await app.store.comparisons.find(app.scope, { a: traceOf(a), b: traceOf(b) });
  return comparisons.find.reply.shape.data.parse(found?.decode());
}

/** The step at which the runs part, and how it differs. */
const parting = ({ pairs, divergence }: Comparison) => {
  const pair = divergence === null ? undefined : pairs[divergence];
  return pair && [(pair.a ?? pair.b)?.name, ...pair.differences];
};

const anHour = 3_600_000;

export function comparisonGuarantees(guarantee: DeclareGuarantee): void {
  const run = (options: Partial<RunOptions> = {}) => aRefund({ traceId: aTraceId(), startMs: testEpochMs, ...options });

  guarantee('the same run at another time is equal, with other ids and with attempts that failed at first', async ({ tenant }) => {
    const found = await compared(tenant(), run(), run({ startMs: testEpochMs + anHour, attempts: 3 }));
    expect(found).toMatchObject({
      divergence: null,
      is_whole: true,
      a: { errors: 0, tool_calls: 2, model_calls: 2, steps: 6 },
      b: { errors: 2, tool_calls: 4, model_calls: 2, steps: 6 },
    });
    expect(found.pairs.map(({ b }) => [b?.kind, b?.name, b?.phase, b?.failed_attempts])).toEqual([
      ['agent', 'refund-agent', 'start', 0],
      ['llm', 'gpt-4o', 'whole', 0],
      ['tool', 'lookup_order', 'whole', 0],
      ['llm', 'gpt-4o', 'whole', 0],
      ['tool', 'issue_refund', 'whole', 2],
      ['agent', 'refund-agent', 'end', 0],
    ]);
  });

  guarantee('runs part at the first step that differs, and the first difference is its cause', async ({ tenant }) => {
    expect(parting(await compared(tenant(), run(), run({ window: 'closed', decision: 'Ask for a photo.' })))).toEqual([
      'lookup_order',
      'result',
    ]);
    expect(parting(await compared(tenant(), run(), run({ order: '7' })))).toEqual(['gpt-4o', 'messages']);
    expect(parting(await compared(tenant(), run(), run({ temperature: 1, decision: 'Wait.' })))).toEqual(['gpt-4o', 'settings', 'wording']);
    expect(parting(await compared(tenant(), run(), run({ decision: 'Wait.' })))).toEqual(['gpt-4o', 'wording']);
    expect(parting(await compared(tenant(), run(), run({ attempts: 0 })))).toEqual(['issue_refund', 'missing']);
  });

  guarantee('a run is compared with none that is unknown or of another app', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const [spans, foreign] = [run(), run()];
    await app.write(spans);
    await other.write(foreign);
    const [a, b] = [spans, foreign].map((list) => (list[0] as { traceId: string }).traceId) as [string, string];
    for (const query of [
      { a, b },
      { a: b, b: a },
      { a, b: 'unknown' },
    ])
      expect(await app.store.comparisons.find(app.scope, query)).toBeNull();
  });
}

import { expect } from 'vitest';
import { type Comparison, comparisons } from '../../../shared/contract/tracing/comparison.ts';
import { aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { aRefund, type RefundOptions } from './refund-run.ts';
import type { Tenant } from './tenant.ts';

async function compared(app: Tenant, a: object[], b: object[]): Promise<Comparison> {
  await app.write([...a, ...b]);
  const traceOf = (spans: object[]) => (spans[0] as { traceId: string }).traceId;
  const found = await app.store.comparisons.find(app.scope, { a: traceOf(a), b: traceOf(b) });
  return comparisons.find.reply.shape.data.parse(found?.decode());
}

/** The step at which the runs diverge, and how it differs. */
const divergent = ({ pairs, divergence }: Comparison) => {
  const pair = divergence === null ? undefined : pairs[divergence];
  return pair && [(pair.a ?? pair.b)?.name, ...pair.differences];
};

const anHour = 3_600_000;

export function comparisonGuarantees(guarantee: DeclareGuarantee): void {
  const run = (options: Partial<RefundOptions> = {}) => aRefund({ traceId: aTraceId(), startMs: testEpochMs, ...options });

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
    expect(divergent(await compared(tenant(), run(), run({ window: 'closed', decision: 'Ask for a photo.' })))).toEqual([
      'lookup_order',
      'result',
    ]);
    expect(divergent(await compared(tenant(), run(), run({ order: '7' })))).toEqual(['gpt-4o', 'messages']);
    expect(divergent(await compared(tenant(), run(), run({ temperature: 1, decision: 'Wait.' })))).toEqual([
      'gpt-4o',
      'settings',
      'wording',
    ]);
    expect(divergent(await compared(tenant(), run(), run({ decision: 'Wait.' })))).toEqual(['gpt-4o', 'wording']);
    expect(divergent(await compared(tenant(), run(), run({ attempts: 0 })))).toEqual(['issue_refund', 'missing']);
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

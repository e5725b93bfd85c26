import { expect } from 'vitest';
import { type SeenBefore, seenBefore } from '../../../shared/contract/tracing/seen-before.ts';
import { aSpan, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { aRefund, type RefundOptions } from './refund-run.ts';
import type { Tenant } from './tenant.ts';

async function seen({ store, scope }: Tenant, traceId: string): Promise<SeenBefore | null> {
  const found = await store.comparisons.seenBefore(scope, traceId);
  return found && seenBefore.find.reply.shape.data.parse(found.decode());
}

/** @returns id of the trace */
async function written(app: Tenant, minute: number, options: Partial<RefundOptions>): Promise<string> {
  const traceId = aTraceId();
  await app.write(aRefund({ traceId, startMs: testEpochMs + minute * 60_000, order: String(48213 + minute), ...options }));
  return traceId;
}

const closed = (order: number) => ({ window: 'closed', failure: `The window of order ${order} is closed` });

export function seenBeforeGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'the other runs with the failure of a run are found, apart by whether they failed, with what was different',
    async ({ tenant }) => {
      const app = tenant();
      const failed = [await written(app, 0, closed(1)), await written(app, 1, closed(2)), await written(app, 2, closed(3))];
      const recovered = [
        await written(app, 3, { ...closed(4), status: 'OK', photo: true }),
        await written(app, 4, { ...closed(5), status: 'OK', photo: true }),
      ];
      await written(app, 5, { failure: 'timeout' });
      const good = await written(app, 6, {});
      const found = await seen(app, failed[2] as string);
      expect(found).toMatchObject({
        error: { kind: 'tool', name: 'issue_refund', message: 'The window of order ‹n› is closed' },
        ...{
          failed: [failed[1], failed[0]],
          failed_count: 2,
          recovered: recovered.toReversed(),
          recovered_count: 2,
          good: [],
          is_whole: true,
        },
      });
      expect(found?.facts[0]).toMatchObject({ kind: 'tool', name: 'request_photo', a: [], b: [{ run: 0 }, { run: 1 }], separation: 1 });
      expect(found?.compared).toEqual({ a: failed.toReversed(), b: recovered.toReversed(), is_whole: true });
      const ofRecovered = await seen(app, recovered[0] as string);
      expect(ofRecovered?.compared).toEqual({ a: recovered, b: [good], is_whole: true });
      expect(found?.nearest.slice(0, 2).map(({ run }) => run.id)).toEqual([failed[1], failed[0]]);
    },
  );

  guarantee('where no run recovered from a failure, good runs of the same name show what was different', async ({ tenant }) => {
    const app = tenant();
    const failed = [await written(app, 0, closed(1)), await written(app, 1, closed(2))];
    const good = [await written(app, 2, {}), await written(app, 3, {})];
    await written(app, 4, { name: 'another agent' });
    const found = await seen(app, failed[0] as string);
    expect(found).toMatchObject({ failed: [failed[1]], recovered_count: 0, good: good.toReversed() });
    expect(found?.facts[0]).toMatchObject({ kind: 'result', name: 'lookup_order', field: 'window', value: 'closed' });
    // Runs that went as it did are no contrast to it.
    const went = [await written(app, 5, { ...closed(3), status: 'OK' }), await written(app, 6, { ...closed(4), status: 'OK' })];
    expect(await seen(app, went[0] as string)).toMatchObject({
      ...{ failed: failed.toReversed(), recovered: [went[1]], good: good.toReversed(), compared: { a: went, b: good.toReversed() } },
      facts: [{ kind: 'result', value: 'closed' }],
    });
  });

  guarantee('of long runs the first steps are compared, which is told, and their figures are those of all', async ({ tenant }) => {
    const app = tenant();
    const runs = [await written(app, 0, closed(1)), await written(app, 1, closed(2))];
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'log_note', 'agentmark.prompt_name': 'refund' };
    for (const traceId of runs)
      await app.write(Array.from({ length: 2500 }, (_, at) => aSpan({ traceId, attributes, startMs: testEpochMs + 90_000 + at })));
    const found = await seen(app, runs[0] as string);
    expect([found?.is_whole, found?.compared]).toEqual([true, { a: runs, b: [], is_whole: false }]);
    expect(found?.nearest[0]?.run).toMatchObject({ id: runs[1], tool_calls: 2502, model_calls: 2, prompts: ['refund'] });
  });

  guarantee('planted twins are found among thousands of other traces', async ({ tenant }) => {
    const app = tenant();
    const others = Array.from({ length: 3000 }, (_, at) =>
      aSpan({
        ...{ name: `job ${at % 40}`, startMs: testEpochMs + at * 1000 },
        ...(at % 3 === 0 ? { status: 'ERROR' as const, statusMessage: `failure ${String.fromCharCode(97 + (at % 26))}` } : {}),
      }),
    );
    const twins = [await written(app, -9, closed(1)), await written(app, -8, closed(2))];
    for (let at = 0; at < others.length; at += 1000) await app.write(others.slice(at, at + 1000));
    const late = await written(app, 100, closed(3));
    expect(await seen(app, late)).toMatchObject({ failed: twins.toReversed(), failed_count: 2, is_whole: true });
  });

  guarantee('a failure that no other run had has no runs, a good run has no failure, and an unknown one is null', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const foreign = await written(other, 0, closed(1));
    const [bad, good] = [await written(app, 0, closed(1)), await written(app, 1, {})];
    const nothing = {
      ...{ failed: [], failed_count: 0, recovered: [], recovered_count: 0, good: [] },
      ...{ facts: [], compared: { a: [], b: [], is_whole: true }, nearest: [], is_whole: true },
    };
    expect(await seen(app, bad)).toMatchObject({ error: { name: 'issue_refund' }, ...nothing });
    expect(await seen(app, good)).toEqual({ error: null, ...nothing });
    expect([await seen(app, foreign), await seen(app, 'unknown')]).toEqual([null, null]);
  });
}

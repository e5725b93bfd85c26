import { expect } from 'vitest';
import type { z } from 'zod';
import { type ComparedGroups, groupComparisons } from '../../../shared/contract/tracing/compared-groups.ts';
import { aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { aRefund, type RefundOptions } from './refund-run.ts';
import type { Tenant } from './tenant.ts';

const { query, reply } = groupComparisons.find;

async function compared({ store, scope }: Tenant, asked: z.input<typeof query>): Promise<ComparedGroups> {
  return reply.shape.data.parse((await store.comparisons.groups(scope, query.parse(asked))).decode());
}

/** @returns ids of the traces, in the order of the options */
async function written(app: Tenant, runs: Partial<RefundOptions>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, options] of runs.entries()) {
    const traceId = aTraceId();
    ids.push(traceId);
    await app.write(aRefund({ traceId, startMs: testEpochMs + at * 60_000, order: String(48213 + at), ...options }));
  }
  return ids;
}

const best = ({ facts: [fact] }: ComparedGroups) =>
  fact && { what: [fact.kind, fact.name, fact.field, fact.value], shares: [fact.a.length, fact.b.length] };

const closed = { window: 'closed', decision: 'Ask for a photo.', failure: 'The window of order 48213 is closed' };

export function groupComparisonGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('what separates two groups is named first, with the runs and spans that show it', async ({ tenant }) => {
    const app = tenant();
    const bad = await written(app, [closed, closed, closed, { failure: 'timeout' }]);
    const good = await written(app, [{}, { attempts: 2 }, {}]);
    const found = await compared(app, { a_ids: bad.join(), b_ids: good.join() });
    expect(best(found)).toEqual({ what: ['result', 'lookup_order', 'window', 'closed'], shares: [3, 0] });
    expect([found.a.runs.map(({ id }) => id), found.b.runs.map(({ id }) => id), found.is_whole]).toEqual([bad, good, true]);
    const span = found.facts[0]?.a[2];
    expect([span?.run, await app.io(bad[2] as string, span?.span_id as string)]).toMatchObject([
      2,
      { output: expect.stringContaining('closed') },
    ]);
    expect(found.facts.map(({ kind, name, value }) => [kind, name, value])).toContainEqual([
      'error',
      'issue_refund',
      'The window of order ‹n› is closed',
    ]);
  });

  guarantee('settings, arguments, steps and errors separate groups', async ({ tenant }) => {
    const plants: [RefundOptions | object, unknown[]][] = [
      [{ temperature: 1 }, ['setting', '', 'temperature', '1']],
      [{ order: '7' }, ['argument', 'lookup_order', 'order', '7']],
      [{ attempts: 0 }, ['tool', 'issue_refund', '', '']],
      [{ failure: 'No such order' }, ['error', 'issue_refund', '', 'No such order']],
    ];
    for (const [plant, what] of plants) {
      const app = tenant();
      const [a, b] = [await written(app, [plant, plant, plant]), await written(app, [{}, {}, {}, {}])];
      expect(best(await compared(app, { a_ids: a.join(), b_ids: b.join() }))?.what).toEqual(what);
    }
  });

  guarantee('groups are the newest traces that filters select; without a second one, good runs of the same names', async ({ tenant }) => {
    const app = tenant();
    const bad = await written(app, [closed, closed, closed]);
    const good = await written(app, [{}, {}, {}]);
    await written(app, [{ name: 'another agent' }, { attempts: 2 }]);
    const found = await compared(app, { a: 'error contains "is closed"' });
    const ids = ({ runs }: ComparedGroups['a']) => runs.map(({ id }) => id);
    expect([ids(found.a), ids(found.b)]).toEqual([bad.toReversed(), good.toReversed()]);
    expect(best(found)?.what).toEqual(['result', 'lookup_order', 'window', 'closed']);
    const newest = await compared(app, { a: 'status = ERROR', b: 'errors = 0', limit: 1 });
    expect([newest.a, newest.b].map((group) => [group.runs.length, group.has_more])).toEqual([
      [1, true],
      [1, true],
    ]);
    const inRange = await compared(app, { a: 'errors > 0', to: testEpochMs + 60_000 });
    expect([inRange.a.runs.length, inRange.b.runs.length]).toEqual([1, 1]);
  });

  guarantee('the second group is the newest traces that are not in the first, as many as were asked for', async ({ tenant }) => {
    const app = tenant();
    const good = await written(app, [{}, {}, {}]);
    const bad = await written(
      app,
      [3, 4].map((minute) => ({ ...closed, startMs: testEpochMs + minute * 60_000 })),
    );
    const ids = ({ runs, has_more }: ComparedGroups['a']) => [runs.map(({ id }) => id), has_more];
    for (const b of ['spans > 0', undefined]) {
      const found = await compared(app, { a: 'errors > 0', b, limit: 2 });
      expect([ids(found.a), ids(found.b)]).toEqual([
        [bad.toReversed(), false],
        [[good[2], good[1]], true],
      ]);
    }
    const found = await compared(app, { a: 'spans > 0', limit: 4 });
    expect([ids(found.a), ids(found.b)]).toEqual([
      [[...bad.toReversed(), good[2], good[1]], true],
      [[good[0]], false],
    ]);
  });

  guarantee('a trace is in one group only, and unknown or foreign ones are in none', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const [first, second] = (await written(app, [closed, {}])) as [string, string];
    const [foreign] = (await written(other, [{}])) as [string];
    const found = await compared(app, { a_ids: [first, first, foreign].join(), b_ids: [first, second, 'unknown'].join() });
    expect([found.a.runs, found.b.runs].map((runs) => runs.map(({ id }) => id))).toEqual([[first], [second]]);
    expect(await compared(app, { a_ids: foreign })).toMatchObject({ a: { runs: [] }, b: { runs: [] }, facts: [], compared: 0 });
  });
}

import { expect } from 'vitest';
import type { z } from 'zod';
import { type Activity, activity, activityQuery } from '../../../shared/contract/viewer/activity.ts';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const minute = 60_000;
const hour = { from: testEpochMs, to: testEpochMs + 60 * minute };

async function activityOf({ store, scope }: Tenant, query: Partial<z.input<typeof activityQuery>> = {}): Promise<Activity> {
  return activity.parse((await store.statistics.activity(scope, activityQuery.parse({ ...hour, ...query }))).decode());
}

interface Run {
  at: number;
  model?: string;
  user?: string;
  tags?: string[];
  /** Of the tool call; the run itself succeeds. */
  toolStatus?: 'OK' | 'ERROR';
  /** Its span. */
  toolSpan?: string;
  firstTokenS?: number;
}

/** A run of a second: one model call of 400 ms and one tool call of 200 ms. */
function aRun({ at, model = 'gpt-4o', user, tags, toolStatus = 'OK', toolSpan = 'execute_tool search', firstTokenS = 0.1 }: Run): object[] {
  const place = { traceId: aTraceId(), startMs: testEpochMs + at * minute };
  const spanId = aSpanId();
  const root = { ...(user ? { 'user.id': user } : {}), ...(tags ? { 'langfuse.trace.tags': tags } : {}) };
  const usage = { 'gen_ai.usage.cache_read.input_tokens': 60, 'gen_ai.response.time_to_first_chunk': firstTokenS };
  return [
    aSpan({ ...place, spanId, name: 'run', durationMs: 1000, status: 'OK', attributes: root }),
    aChat({ ...place, parentSpanId: spanId, durationMs: 400, model, inputTokens: 100, outputTokens: 20, attributes: usage }),
    aSpan({
      ...{ ...place, parentSpanId: spanId, name: toolSpan, durationMs: 200, status: toolStatus },
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' },
    }),
  ];
}

const counts = ({ groups }: Activity) => Object.fromEntries(groups.map(({ name, count }) => [name, count]));

export function activityGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('figures of a range are those of its traces, in all and in each step', async ({ tenant }) => {
    const app = tenant();
    await app.write([
      ...aRun({ at: 1 }),
      ...aRun({ at: 2, toolStatus: 'ERROR', firstTokenS: 0.3 }),
      aSpan({ startMs: testEpochMs + 50 * minute, durationMs: 5000, status: 'ERROR' }),
      ...aRun({ at: 61 }),
    ]);
    const { totals, steps } = await activityOf(app, { steps: 6 });
    expect(totals).toMatchObject({ traces: 3, errors: 1, errors_inside: 1, spans: 7, p50_ms: 1000, p95_ms: 5000 });
    expect(totals).toMatchObject({ input_tokens: 200, output_tokens: 40, cache_read_tokens: 120 });
    expect(totals).toMatchObject({ first_tokens: 2, first_token_p50_ms: 100, first_token_p95_ms: 300 });
    expect(steps).toMatchObject([
      { at: testEpochMs, traces: 2, errors: 0, errors_inside: 1, p50_ms: 1000, first_tokens: 2, cache_read_tokens: 120 },
      { at: testEpochMs + 50 * minute, traces: 1, errors: 1, errors_inside: 0, p50_ms: 5000, first_token_p50_ms: null },
    ]);
  });

  guarantee('it is broken down by calls of models and tools, and by traces of users, services and tags', async ({ tenant }) => {
    const app = tenant();
    await app.write([
      ...aRun({ at: 1, user: 'ann', tags: ['beta', 'web'] }),
      ...aRun({ at: 2, user: 'ann', tags: ['beta'], toolStatus: 'ERROR' }),
      ...aRun({ at: 3, user: 'bob', model: 'claude-haiku-4-5', toolSpan: 'execute_tool \t search\u00a0' }),
    ]);
    const by = (key: NonNullable<z.input<typeof activityQuery>['by']>) => activityOf(app, { by: key, steps: 60 });
    expect(counts(await by('model'))).toEqual({ 'gpt-4o': 2, 'claude-haiku-4-5': 1 });
    expect((await by('tool')).groups).toMatchObject([{ name: 'search', count: 3, errors: 1, p50_ms: 200, cost: 0 }]);
    const users = await by('user');
    expect(counts(users)).toEqual({ ann: 2, bob: 1 });
    const ann = { errors: 0, errors_inside: 1, p50_ms: 1000, input_tokens: 200, cache_read_tokens: 120, first_tokens: 2 };
    expect(users.groups.find(({ name }) => name === 'ann')).toMatchObject(ann);
    expect(counts(await by('tag'))).toEqual({ beta: 2, web: 1 });
    expect(counts(await by('prompt'))).toEqual({ '': 3 });
    const { groups } = await by('service');
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({ count: 3, errors_inside: 1 });
    expect(groups[0]?.series.filter((value) => value > 0)).toHaveLength(3);
  });

  guarantee('a filter selects the traces that are counted, by fields and by contents', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    await app.write([...aRun({ at: 1, user: 'ann' }), ...aRun({ at: 2, user: 'bob' }), aChat({ traceId, ask: 'Where is my kettle?' })]);
    for (const [filter, traces] of [
      ['user_id:ann', 1],
      ['tool:search', 2],
      ['kettle', 1],
      ['kettle tool:search', 0],
    ] as const)
      expect([filter, (await activityOf(app, { filter })).totals.traces]).toEqual([filter, traces]);
    expect((await activityOf(app, { filter: 'kettle' })).traces).toMatchObject([{ id: traceId, running: 0, has_failed: false }]);
  });

  guarantee('each trace is returned by itself where they are few', async ({ tenant }) => {
    const app = tenant();
    await app.write([...aRun({ at: 2, toolStatus: 'ERROR' }), ...aRun({ at: 1 })]);
    expect((await activityOf(app)).traces).toMatchObject([
      { at: testEpochMs + minute, name: 'run', duration_ms: 1000, errors: 0, input_tokens: 100, output_tokens: 20, cache_read_tokens: 60 },
      { at: testEpochMs + 2 * minute, errors: 1, has_failed: false },
    ]);
    await app.write(Array.from({ length: 200 }, (_, at) => aSpan({ traceId: aTraceId(), startMs: testEpochMs + at })));
    expect((await activityOf(app)).traces).toHaveLength(202);
    expect((await activityOf(app, { to: hour.to + 1 })).traces).toBeNull();
  });
}

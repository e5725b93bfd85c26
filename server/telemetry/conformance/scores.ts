import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Score, score, scoreQuery } from '../../../shared/contract/evaluation/scores.ts';
import { aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { type Declare, whileOpen } from './promise.ts';
import { Tenant } from './tenant.ts';

const aScore = (parts: Partial<Score> = {}): Score => ({
  id: randomUUID(),
  resource_id: 'somewhere',
  name: 'accuracy',
  score: 1,
  label: '',
  reason: '',
  source: 'api',
  created_at: at(0),
  ...parts,
});

const at = (ms: number): string => new Date(testEpochMs + ms).toISOString();
const dayMs = 24 * 3_600_000;

const put = ({ store, scope }: Tenant, ...scores: Score[]): Promise<number> => store.scores.insert(scope, scores);

async function listed({ store, scope }: Tenant, query: z.input<typeof scoreQuery> = {}): Promise<Score[]> {
  const { data, total } = await store.scores.list(scope, scoreQuery.parse(query));
  const rows = z.array(score.strict()).parse(data.decode());
  if (query.limit === undefined && query.offset === undefined) expect(total).toBe(rows.length);
  return rows;
}

const namesOf = async (app: Tenant, query: z.input<typeof scoreQuery>): Promise<string[]> =>
  (await listed(app, query)).map(({ name }) => name).sort();

export function scorePromises(promise: Declare): void {
  promise('a score whose id is stored is not stored again, and the first one stays', async ({ place }) => {
    await whileOpen(place(), async (store) => {
      const app = new Tenant(store);
      const [first, second] = [aScore(), aScore()];
      expect(await put(app, first)).toBe(1);
      expect(await put(app, { ...first, score: 0, name: 'other' }, second)).toBe(1);
      expect(new Map((await listed(app)).map((one) => [one.id, one]))).toEqual(new Map([first, second].map((one) => [one.id, one])));
    });
  });

  promise('a score is read back as it was given, also by a store that is opened later', async ({ place }) => {
    const where = place();
    const full = aScore({ score: -0.1, label: 'schlecht 😀', reason: 'a\nb\u0000c', user_id: 'ann', session_id: 'chat', source: 'eval' });
    const bare = aScore({ score: 1.7976931348623157e308 });
    const { scope } = await whileOpen(where, async (store) => {
      const app = new Tenant(store);
      await put(app, full, bare);
      expect(await listed(app)).toEqual([bare, full]);
      return app;
    });
    await whileOpen(where, async (store) => {
      for (const each of [full, bare]) expect((await store.scores.find(scope, each.id))?.decode()).toEqual(each);
    });
  });

  promise('a later score of the same name stands beside the earlier one', async ({ tenant }) => {
    const app = tenant();
    const [first, second] = [aScore({ score: 0 }), aScore({ score: 1, created_at: at(1) })];
    await put(app, first);
    await put(app, second);
    expect(await listed(app, { resource_id: 'somewhere', name: 'accuracy' })).toEqual([second, first]);
  });

  promise('scores that cannot all be kept are none of them kept, and take no others with them', async ({ tenant }) => {
    const app = tenant();
    await put(app, aScore());
    const others = [aScore({ name: 'alone' }), aScore({ name: 'also alone' })];
    const outcomes = await Promise.allSettled([
      put(app, others[0] as Score),
      put(app, aScore({ name: 'lost' }), aScore({ score: Number.NaN })),
      put(app, others[1] as Score),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await namesOf(app, {})).toEqual(['accuracy', 'alone', 'also alone']);
  });

  promise('writing scores and spans at the same time loses none', async ({ tenant }) => {
    const app = tenant();
    const traceIds = Array.from({ length: 20 }, () => aTraceId());
    await Promise.all(traceIds.flatMap((traceId) => [app.write([aSpan({ traceId })]), put(app, aScore({ resource_id: traceId }))]));
    for (const traceId of traceIds) expect((await app.detail(traceId)).scores).toHaveLength(1);
  });

  promise('lists are newest first, ties by arrival, and pages cut from them never overlap', async ({ tenant }) => {
    const app = tenant();
    const scores = Array.from({ length: 30 }, (_, index) => aScore({ score: index, created_at: at((index * 7) % 5) }));
    for (let index = 0; index < 30; index += 10) await put(app, ...scores.slice(index, index + 10));
    const expected = scores.toReversed().sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
    expect(await listed(app)).toEqual(expected);
    const pages = await Promise.all([0, 7, 14, 21, 28, 35].map((offset) => listed(app, { limit: 7, offset })));
    expect(pages.flat()).toEqual(expected);
    expect((await app.store.scores.list(app.scope, scoreQuery.parse({ limit: 1, offset: 40 }))).total).toBe(30);
  });

  promise('days are whole days of UTC, both ends included', async ({ tenant }) => {
    const app = tenant();
    const midnight = Math.floor(testEpochMs / dayMs) * dayMs - testEpochMs;
    const day = at(midnight).slice(0, 10);
    const next = at(midnight + dayMs).slice(0, 10);
    await put(
      app,
      aScore({ name: 'before', created_at: at(midnight - 1) }),
      aScore({ name: 'first', created_at: at(midnight) }),
      aScore({ name: 'last', created_at: at(midnight + dayMs - 1) }),
      aScore({ name: 'after', created_at: at(midnight + dayMs) }),
    );
    expect(await namesOf(app, { start_date: day, end_date: day })).toEqual(['first', 'last']);
    expect(await namesOf(app, { start_date: day })).toEqual(['after', 'first', 'last']);
    expect(await namesOf(app, { end_date: day })).toEqual(['before', 'first', 'last']);
    expect(await namesOf(app, { start_date: next, end_date: next })).toEqual(['after']);
  });

  promise('name, source and resource match exactly', async ({ tenant }) => {
    const app = tenant();
    await put(app, aScore({ name: 'a' }), aScore({ name: 'A', source: 'annotation' }), aScore({ name: 'a%', resource_id: 'Somewhere' }));
    expect(await namesOf(app, { name: 'a' })).toEqual(['a']);
    expect(await namesOf(app, { name: '' })).toEqual([]);
    expect(await namesOf(app, { source: 'annotation' })).toEqual(['A']);
    expect(await namesOf(app, { resource_id: 'Somewhere' })).toEqual(['a%']);
    expect(await namesOf(app, { source: 'api', name: 'A' })).toEqual([]);
  });

  promise('whether a resource is a trace or a span is seen when it is asked', async ({ tenant }) => {
    const app = tenant();
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    await put(
      app,
      aScore({ name: 'trace', resource_id: traceId }),
      aScore({ name: 'span', resource_id: spanId }),
      aScore({ name: 'nothing' }),
    );
    for (const resource_type of ['trace', 'span'] as const) expect(await namesOf(app, { resource_type })).toEqual([]);
    await app.write([aSpan({ traceId, spanId })]);
    for (const resource_type of ['trace', 'span'] as const) expect(await namesOf(app, { resource_type })).toEqual([resource_type]);
    expect(await namesOf(tenant(), { resource_type: 'trace' })).toEqual([]);
  });

  promise('scores of a session are its own, those of its traces and those of their spans', async ({ tenant }) => {
    const app = tenant();
    const [traceId, other] = [aTraceId(), aTraceId()];
    const [root, child] = [aSpanId(), aSpanId()];
    await put(
      app,
      aScore({ name: 'own', session_id: 'chat' }),
      aScore({ name: 'trace', resource_id: traceId }),
      aScore({ name: 'child', resource_id: child }),
      aScore({ name: 'other trace', resource_id: other }),
      aScore({ name: 'other session', session_id: 'Chat' }),
    );
    expect(await namesOf(app, { session_id: 'chat' })).toEqual(['own']);
    await app.write([aSpan({ traceId, spanId: root, attributes: { 'session.id': 'chat' } })]);
    await app.write([aSpan({ traceId, spanId: child, parentSpanId: root }), aSpan({ traceId: other })]);
    expect(await namesOf(app, { session_id: 'chat' })).toEqual(['child', 'own', 'trace']);
    expect(await namesOf(app, { session_id: 'chat', resource_type: 'span' })).toEqual(['child']);
    expect(await namesOf(app, { session_id: 'nobody' })).toEqual([]);
  });

  promise('a trace is read with its scores and those of its spans, newest first, and without those of others', async ({ tenant }) => {
    const app = tenant();
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    const given = [
      aScore({ resource_id: traceId }),
      aScore({ resource_id: spanId, created_at: at(5), session_id: 'chat', user_id: 'ann' }),
    ];
    await put(app, ...given, aScore({ resource_id: aSpanId() }));
    await app.write([aSpan({ traceId, spanId })]);
    const { session_id: _, ...second } = given[1] as Score;
    expect((await app.detail(traceId)).scores).toEqual([second, given[0]]);
    expect(await app.detail(traceId, { graph: false, scores: false })).not.toHaveProperty('scores');
  });

  const spellings: [string, trace: string, span: string, asTrace: string, asSpan: string][] = [
    ['hexadecimal of either case', 'ab'.repeat(16), 'cd'.repeat(8), 'AB'.repeat(16), 'CD'.repeat(8)],
    [
      'UUIDs',
      '0195f3a0-1c2d-7e4f-8a9b-0c1d2e3f4a5b',
      '7f000000-0000-4000-8000-000000000001',
      '0195f3a01c2d7e4f8a9b0c1d2e3f4a5b',
      '7F000000-0000-4000-8000-000000000001',
    ],
    ['readable text', 'trace-1', 'Span_1', 'trace-1', 'Span_1'],
  ];
  for (const [kind, traceId, spanId, asTrace, asSpan] of spellings) {
    promise(`a resource is found however its id is spelled: ${kind}`, async ({ tenant }) => {
      const app = tenant();
      await app.write([aSpan({ traceId, spanId })]);
      await put(app, aScore({ name: 'trace', resource_id: asTrace }), aScore({ name: 'span', resource_id: asSpan }));
      expect((await app.detail(traceId)).scores?.map(({ resource_id }) => resource_id)).toEqual([asSpan, asTrace]);
      expect([await namesOf(app, { resource_id: traceId }), await namesOf(app, { resource_id: spanId })]).toEqual([['trace'], ['span']]);
      for (const resource_type of ['trace', 'span'] as const) expect(await namesOf(app, { resource_type })).toEqual([resource_type]);
    });
  }

  promise('names stand once each, in code-unit order', async ({ tenant }) => {
    const app = tenant();
    const names = ['b', 'B', 'é', 'a b', '\uffee', '😀', 'b', 'z'];
    await put(app, ...names.map((name) => aScore({ name })));
    expect((await app.store.scores.names(app.scope)).decode()).toEqual(['B', 'a b', 'b', 'z', 'é', '😀', '\uffee']);
    expect((await tenant().store.scores.names(tenant().scope)).decode()).toEqual([]);
  });

  promise('what is removed is gone for good, and only that', async ({ tenant }) => {
    const app = tenant();
    const [gone, kept] = [aScore({ name: 'gone' }), aScore({ name: 'kept' })];
    await put(app, gone, kept);
    expect(await app.store.scores.remove(app.scope, gone.id)).toBe(true);
    expect(await app.store.scores.remove(app.scope, gone.id)).toBe(false);
    expect(await app.store.scores.find(app.scope, gone.id)).toBeNull();
    expect(await listed(app)).toEqual([kept]);
    expect((await app.store.scores.names(app.scope)).decode()).toEqual(['kept']);
  });

  promise('a score of another app is not found, listed, named or removed', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    const secret = aScore({ resource_id: traceId, name: 'secret', session_id: 'chat' });
    await put(red, secret);
    for (const app of [red, blue]) await app.write([aSpan({ traceId, spanId, attributes: { 'session.id': 'chat' } })]);
    expect(await blue.store.scores.find(blue.scope, secret.id)).toBeNull();
    expect([await listed(blue), await listed(blue, { session_id: 'chat' }), await listed(blue, { resource_type: 'trace' })]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await blue.store.scores.names(blue.scope)).decode()).toEqual([]);
    expect((await blue.detail(traceId)).scores).toEqual([]);
    expect(await blue.store.scores.remove(blue.scope, secret.id)).toBe(false);
    expect(await listed(red)).toEqual([secret]);
  });
}

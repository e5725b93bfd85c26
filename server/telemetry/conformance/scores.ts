import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Score, score, scoreQuery } from '../../../shared/contract/evaluation/scores.ts';
import { aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

export const aScore = (parts: Partial<Score> = {}): Score => ({
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

const insert = ({ store, scope }: Tenant, ...scores: Score[]): Promise<number> => store.scores.insert(scope, scores);

async function list({ store, scope }: Tenant, query: z.input<typeof scoreQuery> = {}): Promise<Score[]> {
  const { data, total } = await store.scores.list(scope, scoreQuery.parse(query));
  const rows = z.array(score.strict()).parse(data.decode());
  if (query.limit === undefined && query.offset === undefined) expect(total).toBe(rows.length);
  return rows;
}

const namesOf = async (app: Tenant, query: z.input<typeof scoreQuery>): Promise<string[]> =>
  (await list(app, query)).map(({ name }) => name).sort();

export function scoreGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a score with a stored id is not stored again, and the first one stays', async ({ location }) => {
    await whileOpen(location(), async (store) => {
      const app = new Tenant(store);
      const [first, second] = [aScore(), aScore()];
      expect(await insert(app, first)).toBe(1);
      expect(await insert(app, { ...first, score: 0, name: 'other' }, second)).toBe(1);
      expect(new Map((await list(app)).map((row) => [row.id, row]))).toEqual(new Map([first, second].map((row) => [row.id, row])));
    });
  });

  guarantee('a score is read back as it was inserted, also after the store is reopened', async ({ location }) => {
    const data = location();
    const full = aScore({ score: -0.1, label: 'schlecht 😀', reason: 'a\nb\u0000c', user_id: 'ann', session_id: 'chat', source: 'eval' });
    const bare = aScore({ score: 1.7976931348623157e308 });
    const { scope } = await whileOpen(data, async (store) => {
      const app = new Tenant(store);
      await insert(app, full, bare);
      expect(await list(app)).toEqual([bare, full]);
      return app;
    });
    await whileOpen(data, async (store) => {
      for (const row of [full, bare]) expect((await store.scores.find(scope, row.id))?.decode()).toEqual(row);
    });
  });

  guarantee('a later score of the same name is listed in addition to the earlier one', async ({ tenant }) => {
    const app = tenant();
    const [first, second] = [aScore({ score: 0 }), aScore({ score: 1, created_at: at(1) })];
    await insert(app, first);
    await insert(app, second);
    expect(await list(app, { resource_id: 'somewhere', name: 'accuracy' })).toEqual([second, first]);
  });

  guarantee('an insert stores all of its scores or none, and a failed one does not affect others', async ({ tenant }) => {
    const app = tenant();
    await insert(app, aScore());
    const others = [aScore({ name: 'alone' }), aScore({ name: 'also alone' })];
    const outcomes = await Promise.allSettled([
      insert(app, others[0] as Score),
      insert(app, aScore({ name: 'lost' }), aScore({ score: Number.NaN })),
      insert(app, others[1] as Score),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await namesOf(app, {})).toEqual(['accuracy', 'alone', 'also alone']);
  });

  guarantee('writing scores and spans at the same time loses none', async ({ tenant }) => {
    const app = tenant();
    const traceIds = Array.from({ length: 20 }, () => aTraceId());
    await Promise.all(traceIds.flatMap((traceId) => [app.write([aSpan({ traceId })]), insert(app, aScore({ resource_id: traceId }))]));
    for (const traceId of traceIds) expect((await app.detail(traceId)).scores).toHaveLength(1);
  });

  guarantee('lists are newest first, ties by arrival, and pages never overlap', async ({ tenant }) => {
    const app = tenant();
    const scores = Array.from({ length: 30 }, (_, index) => aScore({ score: index, created_at: at((index * 7) % 5) }));
    for (let index = 0; index < 30; index += 10) await insert(app, ...scores.slice(index, index + 10));
    const expected = scores.toReversed().sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
    expect(await list(app)).toEqual(expected);
    const pages = await Promise.all([0, 7, 14, 21, 28, 35].map((offset) => list(app, { limit: 7, offset })));
    expect(pages.flat()).toEqual(expected);
    expect((await app.store.scores.list(app.scope, scoreQuery.parse({ limit: 1, offset: 40 }))).total).toBe(30);
  });

  guarantee('days are complete UTC days, both included', async ({ tenant }) => {
    const app = tenant();
    const midnight = Math.floor(testEpochMs / dayMs) * dayMs - testEpochMs;
    const day = at(midnight).slice(0, 10);
    const next = at(midnight + dayMs).slice(0, 10);
    await insert(
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

  guarantee('name, source and resource match exactly', async ({ tenant }) => {
    const app = tenant();
    await insert(app, aScore({ name: 'a' }), aScore({ name: 'A', source: 'annotation' }), aScore({ name: 'a%', resource_id: 'Somewhere' }));
    expect(await namesOf(app, { name: 'a' })).toEqual(['a']);
    expect(await namesOf(app, { name: '' })).toEqual([]);
    expect(await namesOf(app, { source: 'annotation' })).toEqual(['A']);
    expect(await namesOf(app, { resource_id: 'Somewhere' })).toEqual(['a%']);
    expect(await namesOf(app, { source: 'api', name: 'A' })).toEqual([]);
  });

  guarantee('whether a resource is a trace or a span is determined when scores are read', async ({ tenant }) => {
    const app = tenant();
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    await insert(
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

  guarantee('scores of a session are its own, those of its traces and those of their spans', async ({ tenant }) => {
    const app = tenant();
    const [traceId, other] = [aTraceId(), aTraceId()];
    const [root, child] = [aSpanId(), aSpanId()];
    await insert(
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

  guarantee('a trace is read with its scores and those of its spans, newest first, and without those of others', async ({ tenant }) => {
    const app = tenant();
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    const inserted = [
      aScore({ resource_id: traceId }),
      aScore({ resource_id: spanId, created_at: at(5), session_id: 'chat', user_id: 'ann' }),
    ];
    await insert(app, ...inserted, aScore({ resource_id: aSpanId() }));
    await app.write([aSpan({ traceId, spanId })]);
    const { session_id: _, ...second } = inserted[1] as Score;
    expect((await app.detail(traceId)).scores).toEqual([second, inserted[0]]);
    const outline = (await app.store.traces.outline(app.scope, traceId))?.decode();
    expect(outline?.scores.map(({ id }) => id)).toEqual(inserted.map(({ id }) => id).reverse());
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
    guarantee(`a resource is found however its id is spelled: ${kind}`, async ({ tenant }) => {
      const app = tenant();
      await app.write([aSpan({ traceId, spanId })]);
      await insert(app, aScore({ name: 'trace', resource_id: asTrace }), aScore({ name: 'span', resource_id: asSpan }));
      expect((await app.detail(traceId)).scores?.map(({ resource_id }) => resource_id)).toEqual([asSpan, asTrace]);
      expect([await namesOf(app, { resource_id: traceId }), await namesOf(app, { resource_id: spanId })]).toEqual([['trace'], ['span']]);
      for (const resource_type of ['trace', 'span'] as const) expect(await namesOf(app, { resource_type })).toEqual([resource_type]);
    });
  }

  guarantee('each name is listed once, sorted by code units', async ({ tenant }) => {
    const app = tenant();
    const names = ['b', 'B', 'é', 'a b', '\uffee', '😀', 'b', 'z'];
    await insert(app, ...names.map((name) => aScore({ name })));
    expect((await app.store.scores.names(app.scope)).decode()).toEqual(['B', 'a b', 'b', 'z', 'é', '😀', '\uffee']);
    expect((await tenant().store.scores.names(tenant().scope)).decode()).toEqual([]);
  });

  guarantee('a removed score is gone, and no other', async ({ tenant }) => {
    const app = tenant();
    const [removed, remaining] = [aScore({ name: 'removed' }), aScore({ name: 'remaining' })];
    await insert(app, removed, remaining);
    expect(await app.store.scores.remove(app.scope, removed.id)).toBe(true);
    expect(await app.store.scores.remove(app.scope, removed.id)).toBe(false);
    expect(await app.store.scores.find(app.scope, removed.id)).toBeNull();
    expect(await list(app)).toEqual([remaining]);
    expect((await app.store.scores.names(app.scope)).decode()).toEqual(['remaining']);
  });

  guarantee('a score of another app is not found, listed, named or removed', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    const secret = aScore({ resource_id: traceId, name: 'secret', session_id: 'chat' });
    await insert(red, secret);
    for (const app of [red, blue]) await app.write([aSpan({ traceId, spanId, attributes: { 'session.id': 'chat' } })]);
    expect(await blue.store.scores.find(blue.scope, secret.id)).toBeNull();
    expect([await list(blue), await list(blue, { session_id: 'chat' }), await list(blue, { resource_type: 'trace' })]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await blue.store.scores.names(blue.scope)).decode()).toEqual([]);
    expect((await blue.detail(traceId)).scores).toEqual([]);
    expect(await blue.store.scores.remove(blue.scope, secret.id)).toBe(false);
    expect(await list(red)).toEqual([secret]);
  });
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { scoreQuery } from '../../../shared/contract/evaluation/scores.ts';
import { traceList } from '../../../shared/contract/tracing/trace-list.ts';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { TelemetryStore } from '../store.ts';
import type { DeletionState, TraceSelection } from '../trace-deletions.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const longText = 'a system prompt that every trace has '.repeat(300);

interface Sent {
  traceId: string;
  spanId: string;
}

/** A trace with a child span, a score on each, and texts: one that all traces share, one of its own. */
async function send(app: Tenant, word: string, ids: Partial<Sent> = {}): Promise<Sent> {
  const sent = { traceId: ids.traceId ?? aTraceId(), spanId: ids.spanId ?? aSpanId() };
  const attributes = { 'session.id': `session ${word}`, 'user.id': `user ${word}`, 'agentmark.tags': JSON.stringify([word]) };
  await app.write([
    aSpan({ ...sent, name: `run ${word}`, attributes }),
    aChat({ traceId: sent.traceId, parentSpanId: sent.spanId, ask: longText, reply: `${word} `.repeat(2000), attributes }),
  ]);
  const score = (resource_id: string) => ({
    ...{ id: randomUUID(), resource_id, name: word, score: 1, label: '', reason: '', source: 'api' as const },
    created_at: new Date(testEpochMs).toISOString(),
  });
  await app.store.scores.insert(app.scope, [score(sent.traceId), score(sent.spanId)]);
  return sent;
}

/** Resolves when no read returns the traces, or when nothing is left of them. */
async function remove({ store, scope }: Tenant, selection: TraceSelection, until: DeletionState = 'erasing') {
  const id = randomUUID();
  const reached = Promise.withResolvers<void>();
  const stop = store.deletions.follow((change) => {
    if (change.id === id && (change.state === until || change.state === 'done')) reached.resolve();
  });
  const begun = await store.deletions.begin(scope, id, selection);
  await reached.promise;
  stop();
  return { begun, ended: (await store.deletions.find(scope, id))?.decode() };
}

/** Results of further kinds of reads. */
async function everyRead(app: Tenant): Promise<unknown[]> {
  const { store, scope } = app;
  const { overTime, facets } = traceList;
  const window = { from: testEpochMs - 86_400_000, to: testEpochMs + 86_400_000 };
  const { arrived: _, ...listed } = await app.listed({ limit: 1000 });
  const scores = await store.scores.list(scope, scoreQuery.parse({ limit: 1000 }));
  return [
    await app.everything(),
    listed,
    (await store.traceList.overTime(scope, overTime.query.parse({}))).decode(),
    (await store.traceList.facets(scope, facets.query.parse({ limit: 100 }))).decode(),
    scores.data.decode(),
    (await store.scores.names(scope)).decode(),
    (await store.metrics.requests(scope, window, true)).decode(),
  ];
}

const search = async (app: Tenant, word: string): Promise<number> => (await app.traces({ filter: `output contains ${word}` })).total;
const filtered = (text: string): TraceSelection => ({ filter: parseFilterText('traces', text) });

export function deletionGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a deleted trace is in no read, and all reads are as if it had never been sent', async ({ tenant }) => {
    const app = tenant();
    await send(app, 'robin');
    const before = await everyRead(app);
    const gone = await send(app, 'wren');
    const { begun, ended } = await remove(app, { trace_ids: [gone.traceId, 'unknown'] });
    expect([begun.traces, begun.spans, begun.forwarded]).toEqual([1, 2, []]);
    expect(ended).toMatchObject({ traces: 1, removed_traces: 1 });
    expect(await everyRead(app)).toEqual(before);
    expect([await app.find(gone.traceId), await search(app, 'wren'), await search(app, 'robin')]).toEqual([null, 0, 1]);
  });

  guarantee('a score stays while another trace has a span of its id', async ({ tenant }) => {
    const app = tenant();
    const gone = await send(app, 'wren');
    const shared = await send(app, 'robin', { spanId: gone.spanId });
    const scoresOf = async () =>
      (await app.store.scores.list(app.scope, scoreQuery.parse({ resource_id: gone.spanId }))).data.decode().length;
    await remove(app, { trace_ids: [gone.traceId] });
    expect(await scoresOf()).toBe(2);
    await remove(app, { trace_ids: [shared.traceId] });
    expect(await scoresOf()).toBe(0);
  });

  guarantee('traces are selected by session, by user and by filter, and the others are untouched', async ({ tenant }) => {
    for (const selection of [
      { session_id: 'session wren' },
      { user_id: 'user wren' },
      filtered('tags = wren'),
      filtered('output contains wren'),
    ]) {
      const app = tenant();
      await send(app, 'robin');
      const before = await everyRead(app);
      for (let at = 0; at < 3; at++) await send(app, 'wren');
      expect(await app.store.deletions.count(app.scope, selection)).toEqual({ traces: 3, spans: 6, forwarded: [] });
      const { ended } = await remove(app, selection);
      expect(ended).toMatchObject({ traces: 3, spans: 6, removed_traces: 3 });
      expect(await everyRead(app)).toEqual(before);
    }
  });

  guarantee('a text stays while another trace has it', async ({ tenant }) => {
    const app = tenant();
    const [kept, gone] = [await send(app, 'robin'), await send(app, 'wren')];
    await remove(app, { trace_ids: [gone.traceId] });
    const spans = await app.ofTrace(kept.traceId);
    const payloads = await Promise.all(spans.map(({ id }) => app.io(kept.traceId, id)));
    expect(JSON.stringify(payloads)).toContain(longText);
  });

  guarantee('data of another app with the same ids is neither counted nor deleted', async ({ tenant }) => {
    const [red, blue] = [tenant(), tenant()];
    const ids = await send(red, 'wren');
    await send(blue, 'wren', ids);
    const before = await everyRead(blue);
    for (const selection of [
      { trace_ids: [ids.traceId] },
      { session_id: 'session wren' },
      { user_id: 'user wren' },
      filtered('tags = wren'),
      {},
    ]) {
      await remove(red, selection);
      expect(await red.store.deletions.count(red.scope, selection)).toEqual({ traces: 0, spans: 0, forwarded: [] });
      expect(await everyRead(blue)).toEqual(before);
      await send(red, 'wren', ids);
    }
    const id = randomUUID();
    await red.store.deletions.begin(red.scope, id, {});
    expect(await blue.store.deletions.find(blue.scope, id)).toBeNull();
  });

  guarantee('a trace that is sent again after it was deleted is a new trace', async ({ tenant }) => {
    const app = tenant();
    const ids = await send(app, 'wren');
    await remove(app, { trace_ids: [ids.traceId] });
    expect(await app.write([aSpan({ ...ids, name: 'again' })])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await app.detail(ids.traceId)).toMatchObject({ name: 'again', spans: [{ id: ids.spanId }], scores: [] });
  });

  guarantee('an accepted deletion is finished after the store is opened again', async ({ location }) => {
    const data = location();
    const id = randomUUID();
    const { scope, kept } = await whileOpen(data, async (store) => {
      const app = new Tenant(store);
      for (let at = 0; at < 30; at++) await send(app, 'wren');
      const kept = await send(app, 'robin');
      await app.store.deletions.begin(app.scope, id, { user_id: 'user wren' });
      return { scope: app.scope, kept };
    });
    await whileOpen(data, async (store) => {
      await untilDone(store, scope, id);
      const app = new Tenant(store, scope);
      expect((await app.traces()).data.map(({ id }) => id)).toEqual([kept.traceId]);
      expect((await app.sessions()).data.map(({ id }) => id)).toEqual(['session robin']);
    });
  });
}

async function untilDone(store: TelemetryStore, scope: Tenant['scope'], id: string): Promise<void> {
  const done = Promise.withResolvers<void>();
  const stop = store.deletions.follow((change) => {
    if (change.id === id && change.state === 'done') done.resolve();
  });
  if ((await store.deletions.find(scope, id))?.decode().state !== 'done') await done.promise;
  stop();
}

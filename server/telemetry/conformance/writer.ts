import { expect, vi } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { WriteOutcome } from '../../ingest/intake.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { CommitNotice } from '../span-writer.ts';
import { StorageError } from '../storage-error.ts';
import { batchOf } from './batch-of.ts';
import { type Declare, whileOpen } from './promise.ts';
import { Tenant } from './tenant.ts';

const stored = (accepted: number): WriteOutcome => ({ accepted, duplicates: 0, conflicts: [] });

/** A trace of three spans with everything in them that a list, a detail or a session shows. */
function aConversation(traceId = aTraceId()): object[] {
  const root = aSpanId();
  const of = (attributes: Record<string, string>) => ({
    'session.id': 'chat',
    'user.id': 'ann',
    'agentmark.tags': '["b","a"]',
    ...attributes,
  });
  return [
    aSpan({ traceId, spanId: root, name: 'agent', status: 'OK', durationMs: 900, attributes: of({ 'agentmark.metadata.plan': 'pro' }) }),
    aChat({ traceId, parentSpanId: root, durationMs: 300, attributes: of({}) }),
    aSpan({ traceId, parentSpanId: root, name: 'look up', status: 'ERROR', statusMessage: 'no such page', attributes: of({}) }),
  ];
}

export function writerPromises(promise: Declare): void {
  promise('what was written is read by the very next call', async ({ tenant }) => {
    const app = tenant();
    for (let round = 1; round <= 8; round++) {
      expect(await app.write(aConversation())).toEqual(stored(3));
      const [traces, spans, sessions] = await Promise.all([app.traces(), app.spans(), app.sessions()]);
      expect([traces.total, traces.data.length, spans.total, sessions.data[0]?.trace_count]).toEqual([round, round, 3 * round, round]);
    }
  });

  promise('what was written is there when the store is opened again, byte for byte', async ({ place }) => {
    const here = place();
    const scopes = [1, 2].map((app) => ({ tenant_id: 'tenant', app_id: `app${app}` }));
    const before = await whileOpen(here, async (store) => {
      const apps = scopes.map((scope) => new Tenant(store, scope));
      for (const app of apps) for (let trace = 0; trace < 5; trace++) await app.write(aConversation());
      return Promise.all(apps.map((app) => app.everything()));
    });
    const after = await whileOpen(here, (store) => Promise.all(scopes.map((scope) => new Tenant(store, scope).everything())));
    expect(after).toEqual(before);
  });

  promise('a trace goes on where it stood when the store is opened again', async ({ place }) => {
    const here = place();
    const scope = { tenant_id: 'tenant', app_id: 'app' };
    const spans = aConversation();
    await whileOpen(here, (store) => new Tenant(store, scope).write(spans.slice(1)));
    const { grown, whole } = await whileOpen(here, async (store) => {
      const app = new Tenant(store, scope);
      expect(await app.write(spans)).toEqual({ accepted: 1, duplicates: 2, conflicts: [] });
      const other = new Tenant(store);
      await other.write(spans);
      return { grown: await app.everything(), whole: await other.everything() };
    });
    expect(grown).toEqual(whole);
  });

  promise('what was begun before a stop is answered and kept; what comes later is refused, not left waiting', async ({ place }) => {
    const here = place();
    const scope = { tenant_id: 'tenant', app_id: 'app' };
    const store = await here.open();
    const app = new Tenant(store, scope);
    const begun = Array.from({ length: 20 }, () => app.write(aConversation()));
    await store.stop();
    expect(await Promise.all(begun)).toEqual(Array.from({ length: 20 }, () => stored(3)));
    for (const late of [app.write(aConversation()), app.traces(), app.sessions()]) {
      expect(await late.catch((error: unknown) => error)).toMatchObject({ name: 'StorageError', errorKind: 'stopping' });
    }
    expect((await whileOpen(here, (again) => new Tenant(again, scope).traces())).total).toBe(20);
  });

  promise('a write that races with a stop is refused or kept, and never says the one and does the other', async ({ place }) => {
    const here = place();
    const scope = { tenant_id: 'tenant', app_id: 'app' };
    const store = await here.open();
    const app = new Tenant(store, scope);
    const stopping = store.stop();
    const racing = Array.from({ length: 20 }, () => app.write(aConversation()).catch((error: unknown) => error));
    const answers = await Promise.all(racing);
    await stopping;
    const kept = answers.filter((answer) => !(answer instanceof StorageError));
    expect((await whileOpen(here, (again) => new Tenant(again, scope).traces())).total).toBe(kept.length);
  });

  promise('a read that races with a stop is answered or refused, never left waiting', async ({ place }) => {
    const store = await place().open();
    const app = new Tenant(store);
    await app.write(aConversation());
    // More than one thread reads at a time, so some of them are only being started.
    const racing = Array.from({ length: 20 }, () => app.traces().catch((error: unknown) => error));
    await store.stop();
    for (const answer of await Promise.all(racing)) {
      if (answer instanceof StorageError) expect(answer.errorKind).toBe('stopping');
      else expect(answer).toMatchObject({ total: 1 });
    }
  });

  promise('a retry is answered as such and changes nothing', async ({ tenant }) => {
    const app = tenant();
    const spans = aConversation();
    await app.write(spans);
    const before = await app.everything();
    expect(await app.write(spans)).toEqual({ accepted: 0, duplicates: 3, conflicts: [] });
    expect(await app.write([...spans.toReversed(), ...spans])).toEqual({ accepted: 0, duplicates: 6, conflicts: [] });
    expect(await app.everything()).toEqual(before);
  });

  promise('a span that stands in one request twice is stored once', async ({ tenant }) => {
    const app = tenant();
    const spans = aConversation();
    expect(await app.write([...spans, ...spans])).toEqual({ accepted: 3, duplicates: 3, conflicts: [] });
    expect((await app.spans()).total).toBe(3);
  });

  promise(
    'another span under ids that are taken is refused by name; the first one stays and its neighbours are stored',
    async ({ tenant }) => {
      const app = tenant();
      const [traceId, spanId] = [aTraceId(), aSpanId()];
      await app.write([aSpan({ traceId, spanId, name: 'first' })]);
      const neighbour = aSpan({ traceId, name: 'neighbour', parentSpanId: spanId });
      const { accepted, duplicates, conflicts } = await app.write([aSpan({ traceId, spanId, name: 'second' }), neighbour]);
      expect([accepted, duplicates, conflicts.length]).toEqual([1, 0, 1]);
      expect(conflicts[0]).toContain(spanId);
      expect(conflicts[0]).toContain(traceId);
      expect((await app.ofTrace(traceId)).map(({ name }) => name).sort()).toEqual(['first', 'neighbour']);
    },
  );

  promise('a conflict inside one request keeps the one that stands first', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const { accepted, conflicts } = await app.write([aSpan({ ...ids, name: 'first' }), aSpan({ ...ids, name: 'second' })]);
    expect([accepted, conflicts.length]).toEqual([1, 1]);
    expect((await app.onlyTrace()).name).toBe('first');
  });

  promise('a difference anywhere in a span is a conflict: payload, resource, warning or nanosecond', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const long = 'x'.repeat(5_000);
    const sent = aSpan({ ...ids, attributes: { 'output.value': long, small: 1 } });
    await app.write([sent]);
    const others = [
      { ...sent, attributes: [{ key: 'output.value', value: { stringValue: `${long}y` } }] },
      { ...sent, attributes: (sent['attributes'] as object[]).slice(0, 1) },
      { ...sent, endTimeUnixNano: String(BigInt(sent['endTimeUnixNano'] as string) + 1n) },
      { ...sent, links: [{ traceId: aTraceId(), spanId: aSpanId() }] },
      { ...sent, kind: 3 },
    ];
    for (const other of others) expect((await app.write([other])).conflicts).toHaveLength(1);
    expect(await app.write([sent])).toMatchObject({ duplicates: 1 });
  });

  promise('each of many requests at once is answered for itself', async ({ tenant }) => {
    const apps = [tenant(), tenant()] as const;
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    for (const app of apps) await app.write([aSpan({ ...ids, name: 'first' })]);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const app = apps[index % 2] as Tenant;
        return index === 30 ? app.write([aSpan({ ...ids, name: 'second' })]) : app.write(aConversation());
      }),
    );
    outcomes.forEach(({ accepted, conflicts }, index) => {
      expect([accepted, conflicts.length]).toEqual(index === 30 ? [0, 1] : [3, 0]);
    });
    expect((await apps[0].traces()).total + (await apps[1].traces()).total).toBe(61);
  });

  promise('a request that cannot be stored fails alone, though its neighbours share a commit', async ({ tenant }) => {
    const app = tenant();
    const intake = app.store.openIntake();
    const broken = { ...batchOf(aConversation()), resources: [] };
    const batches = [batchOf(aConversation()), broken, batchOf(aConversation())];
    const answers = batches.map((_, id) => intake.written(id).catch((error: unknown) => error));
    for (const [id, batch] of batches.entries()) intake.port.postMessage({ id, scope: app.scope, batch: pack(batch), allowance: null });
    const [before, failed, after] = await Promise.all(answers);
    expect([before, after]).toEqual([stored(3), stored(3)]);
    expect(failed).toBeInstanceOf(StorageError);
    const { data, total } = await app.traces();
    expect([data.length, total, (await app.spans()).total]).toEqual([2, 2, 6]);
    intake.port.close();
  });

  promise('what comes is written though what was announced beside it never comes', async ({ tenant }) => {
    const app = tenant();
    const intake = app.store.openIntake();
    Atomics.add(intake.coming, 0, 1);
    const written = intake.written(1);
    intake.port.postMessage({ id: 1, scope: app.scope, batch: pack(batchOf(aConversation())), allowance: null });
    expect(await written).toEqual(stored(3));
    intake.port.close();
  });

  promise('a request without spans is a success that changes nothing', async ({ tenant }) => {
    const app = tenant();
    expect(await app.write([])).toEqual(stored(0));
    expect(await app.traces()).toEqual({ data: [], total: 0 });
  });

  promise(
    'followers hear of every commit once it can be read, of whom it concerns, and of nothing that changed nothing',
    async ({ tenant }) => {
      const app = tenant();
      const heard: { notice: CommitNotice; seen: Promise<boolean> }[] = [];
      const unfollow = app.store.follow((notice) => {
        if (notice.scope.tenant_id !== app.scope.tenant_id) return;
        const seen = Promise.all(notice.trace_ids.map((id) => app.find(id))).then((found) => found.every((each) => each !== null));
        heard.push({ notice, seen });
      });
      const [one, two] = [aTraceId(), aTraceId()] as const;
      const spans = [...aConversation(one), ...aConversation(two)];
      await app.write(spans);
      await app.write(spans);
      await app.write([]);
      await app.write([aSpan({ traceId: two })]);
      // Notices come by a way of their own, so one may be a moment behind the answer to its write.
      await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 120_000 });
      expect(heard.map(({ notice: { scope, span_count, trace_ids } }) => ({ scope, span_count, trace_ids: trace_ids.toSorted() }))).toEqual(
        [
          { scope: app.scope, span_count: 6, trace_ids: [one, two].sort() },
          { scope: app.scope, span_count: 1, trace_ids: [two] },
        ],
      );
      expect(await Promise.all(heard.map(({ seen }) => seen))).toEqual([true, true]);
      unfollow();
      const later = new Promise<void>((resolve) => {
        const stop = app.store.follow(() => resolve(stop()));
      });
      await app.write(aConversation());
      await later;
      expect(heard).toHaveLength(2);
    },
  );
}

import { expect, vi } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { WriteOutcome } from '../../ingest/sink.ts';
import type { CommitNotice } from '../span-writer.ts';
import { StorageError } from '../storage-error.ts';
import { batchOf } from './batch-of.ts';
import { type DeclareGuarantee, needing, whileOpen } from './guarantee.ts';
import { Tenant } from './tenant.ts';

const stored = (accepted: number): WriteOutcome => ({ accepted, duplicates: 0, conflicts: [] });

/** A trace of three spans with everything that lists, details and sessions show. */
function aConversation(traceId = aTraceId()): object[] {
  const root = aSpanId();
  const withCommon = (attributes: Record<string, string>) => ({
    'session.id': 'chat',
    'user.id': 'ann',
    'agentmark.tags': '["b","a"]',
    ...attributes,
  });
  return [
    aSpan({
      traceId,
      spanId: root,
      name: 'agent',
      status: 'OK',
      durationMs: 900,
      attributes: withCommon({ 'agentmark.metadata.plan': 'pro' }),
    }),
    aChat({ traceId, parentSpanId: root, durationMs: 300, attributes: withCommon({}) }),
    aSpan({ traceId, parentSpanId: root, name: 'look up', status: 'ERROR', statusMessage: 'no such page', attributes: withCommon({}) }),
  ];
}

function conflictGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'another span with the ids of a stored one is rejected with its ids, and other spans of the request are stored',
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

  guarantee('a difference anywhere in a span is a conflict: payload, resource, warning or nanosecond', async ({ tenant }) => {
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

  guarantee('each of many concurrent requests has its own result', async ({ tenant }) => {
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
}

export function writerGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('written spans are visible to the next read', async ({ tenant }) => {
    const app = tenant();
    for (let round = 1; round <= 8; round++) {
      expect(await app.write(aConversation())).toEqual(stored(3));
      const [traces, spans, sessions] = await Promise.all([app.traces(), app.spans(), app.sessions()]);
      expect([traces.total, traces.data.length, spans.total, sessions.data[0]?.trace_count]).toEqual([round, round, 3 * round, round]);
    }
  });

  guarantee('a reopened store reads exactly as before', async ({ location }) => {
    const data = location();
    const scopes = [1, 2].map((app) => ({ tenant_id: 'tenant', app_id: `app${app}` }));
    const before = await whileOpen(data, async (store) => {
      const apps = scopes.map((scope) => new Tenant(store, scope));
      for (const app of apps) for (let trace = 0; trace < 5; trace++) await app.write(aConversation());
      return Promise.all(apps.map((app) => app.everything()));
    });
    const after = await whileOpen(data, (store) => Promise.all(scopes.map((scope) => new Tenant(store, scope).everything())));
    expect(after).toEqual(before);
  });

  guarantee('a trace can be continued after the store is reopened', async ({ location }) => {
    const data = location();
    const scope = { tenant_id: 'tenant', app_id: 'app' };
    const spans = aConversation();
    await whileOpen(data, (store) => new Tenant(store, scope).write(spans.slice(1)));
    const { continued, complete } = await whileOpen(data, async (store) => {
      const app = new Tenant(store, scope);
      expect(await app.write(spans)).toEqual({ accepted: 1, duplicates: 2, conflicts: [] });
      const other = new Tenant(store);
      await other.write(spans);
      return { continued: await app.everything(), complete: await other.everything() };
    });
    expect(continued).toEqual(complete);
  });

  guarantee('writes before a stop are completed and stored; later calls are refused at once', async ({ location }) => {
    const data = location();
    const scope = { tenant_id: 'tenant', app_id: 'app' };
    const store = await data.open();
    const app = new Tenant(store, scope);
    const writes = Array.from({ length: 20 }, () => app.write(aConversation()));
    await store.stop();
    expect(await Promise.all(writes)).toEqual(Array.from({ length: 20 }, () => stored(3)));
    for (const late of [app.write(aConversation()), app.traces(), app.sessions()]) {
      expect(await late.catch((error: unknown) => error)).toMatchObject({ name: 'StorageError', errorKind: 'stopping' });
    }
    expect((await whileOpen(data, (reopened) => new Tenant(reopened, scope).traces())).total).toBe(20);
  });

  guarantee('a write that races with a stop is either refused or stored, as its result says', async ({ location }) => {
    const data = location();
    const scope = { tenant_id: 'tenant', app_id: 'app' };
    const store = await data.open();
    const app = new Tenant(store, scope);
    const stopping = store.stop();
    const racing = Array.from({ length: 20 }, () => app.write(aConversation()).catch((error: unknown) => error));
    const results = await Promise.all(racing);
    await stopping;
    const accepted = results.filter((result) => !(result instanceof StorageError));
    expect((await whileOpen(data, (reopened) => new Tenant(reopened, scope).traces())).total).toBe(accepted.length);
  });

  guarantee('a read that races with a stop is answered or refused, never left waiting', async ({ location }) => {
    const store = await location().open();
    const app = new Tenant(store);
    await app.write(aConversation());
    // Several threads read at a time, so some of them are still starting.
    const racing = Array.from({ length: 20 }, () => app.traces().catch((error: unknown) => error));
    await store.stop();
    for (const result of await Promise.all(racing)) {
      if (result instanceof StorageError) expect(result.errorKind).toBe('stopping');
      else expect(result).toMatchObject({ total: 1 });
    }
  });

  guarantee('a retry is reported as duplicates and changes nothing', async ({ tenant }) => {
    const app = tenant();
    const spans = aConversation();
    await app.write(spans);
    const before = await app.everything();
    expect(await app.write(spans)).toEqual({ accepted: 0, duplicates: 3, conflicts: [] });
    expect(await app.write([...spans.toReversed(), ...spans])).toEqual({ accepted: 0, duplicates: 6, conflicts: [] });
    expect(await app.everything()).toEqual(before);
  });

  guarantee('a span that is in a request twice is stored once', async ({ tenant }) => {
    const app = tenant();
    const spans = aConversation();
    expect(await app.write([...spans, ...spans])).toEqual({ accepted: 3, duplicates: 3, conflicts: [] });
    expect((await app.spans()).total).toBe(3);
  });

  guarantee('of conflicting spans the first is stored, in one request and later', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    expect(await app.write([aSpan({ ...ids, name: 'first' }), aSpan({ ...ids, name: 'second' })])).toMatchObject({ accepted: 1 });
    expect(await app.write([aSpan({ ...ids, name: 'third' })])).toMatchObject({ accepted: 0 });
    expect((await app.onlyTrace()).name).toBe('first');
  });

  needing('reports_conflicts', conflictGuarantees)(guarantee);

  guarantee('a request that cannot be stored fails alone, even if others share its commit', async ({ tenant }) => {
    const app = tenant();
    const broken = { ...batchOf(aConversation()), resources: [] };
    const batches = [batchOf(aConversation()), broken, batchOf(aConversation())];
    const results = batches.map((batch) => app.store.writer.write(app.scope, batch).catch((error: unknown) => error));
    const [before, failed, after] = await Promise.all(results);
    expect([before, after]).toEqual([stored(3), stored(3)]);
    expect(failed).toBeInstanceOf(StorageError);
    const { data, total } = await app.traces();
    expect([data.length, total, (await app.spans()).total]).toEqual([2, 2, 6]);
  });

  guarantee('a request without spans is a success that changes nothing', async ({ tenant }) => {
    const app = tenant();
    expect(await app.write([])).toEqual(stored(0));
    expect(await app.traces()).toEqual({ data: [], total: 0 });
  });

  guarantee(
    'followers are notified of every commit that changed something, once it can be read, with its scope and traces',
    async ({ tenant }) => {
      const app = tenant();
      const notifications: { notice: CommitNotice; isReadable: Promise<boolean> }[] = [];
      const unfollow = app.store.follow((notice) => {
        if (notice.scope.tenant_id !== app.scope.tenant_id) return;
        const isReadable = Promise.all(notice.trace_ids.map((id) => app.find(id))).then((found) => found.every((trace) => trace !== null));
        notifications.push({ notice, isReadable });
      });
      const [one, two] = [aTraceId(), aTraceId()] as const;
      const spans = [...aConversation(one), ...aConversation(two)];
      await app.write(spans);
      await app.write(spans);
      await app.write([]);
      await app.write([aSpan({ traceId: two })]);
      // Notices are sent separately, so one may arrive a moment after the result of its write.
      await vi.waitFor(() => expect(notifications).toHaveLength(2), { timeout: 120_000 });
      expect(
        notifications.map(({ notice: { scope, span_count, trace_ids } }) => ({ scope, span_count, trace_ids: trace_ids.toSorted() })),
      ).toEqual([
        { scope: app.scope, span_count: 6, trace_ids: [one, two].sort() },
        { scope: app.scope, span_count: 1, trace_ids: [two] },
      ]);
      expect(await Promise.all(notifications.map(({ isReadable }) => isReadable))).toEqual([true, true]);
      unfollow();
      const later = new Promise<void>((resolve) => {
        const stop = app.store.follow(() => resolve(stop()));
      });
      await app.write(aConversation());
      await later;
      expect(notifications).toHaveLength(2);
    },
  );
}

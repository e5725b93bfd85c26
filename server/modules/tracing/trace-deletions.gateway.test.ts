/** Deleting traces over HTTP: by id, session, user and filter; who may; what is recorded; what stays at a destination. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { systemClock } from '../../platform/clock.ts';

describe('on one machine', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const send = async (attributes = {}): Promise<string> => {
    const traceId = aTraceId();
    await gateway.ingest(aRequest([aSpan({ traceId, attributes })]));
    return traceId;
  };
  const find = (traceId: string) => codeOf(gateway.client.traces.get({ params: { traceId } }));

  it('a trace is gone when the request is answered, and a second request does not find it', async () => {
    const traceId = await send();
    const { data } = await gateway.client.traceDeletions.removeTrace({ params: { traceId } });
    expect(data).toMatchObject({ state: expect.stringMatching(/erasing|done/), traces: 1, spans: 1, removed_traces: 1, forwarded: [] });
    expect(await find(traceId)).toBe('404 trace_not_found');
    expect(await codeOf(gateway.client.traceDeletions.removeTrace({ params: { traceId } }))).toBe('404 trace_not_found');
    const read = await gateway.client.traceDeletions.get({ params: { deletionId: data.id ?? '' } });
    expect(read.data).toMatchObject({ id: data.id, traces: 1 });
  });

  it('a dry run counts and deletes nothing; the same request without it deletes what was counted', async () => {
    const kept = await send({ 'user.id': 'bob' });
    const gone = [await send({ 'user.id': 'ann' }), await send({ 'user.id': 'ann' })];
    const body = { filter: 'user_id = ann' };
    const counted = (await gateway.client.traceDeletions.create({ body: { ...body, dry_run: true } })).data;
    expect(counted).toEqual({ id: null, state: 'dry_run', traces: 2, spans: 2, removed_traces: 0, forwarded: [] });
    for (const id of gone) expect(await find(id)).toBe('none');
    await gateway.client.traceDeletions.create({ body });
    expect([await find(kept), ...(await Promise.all(gone.map(find)))]).toEqual(['none', '404 trace_not_found', '404 trace_not_found']);
  });

  it('a session is deleted with all of its traces', async () => {
    const gone = [await send({ 'session.id': 'chat' }), await send({ 'session.id': 'chat' })];
    const { data } = await gateway.client.traceDeletions.removeSession({ params: { sessionId: 'chat' } });
    expect(data.traces).toBe(2);
    for (const id of gone) expect(await find(id)).toBe('404 trace_not_found');
    expect((await gateway.client.sessions.list({ query: { search: 'chat' } })).pagination.total).toBe(0);
    expect(await codeOf(gateway.client.traceDeletions.removeSession({ params: { sessionId: 'chat' } }))).toBe('404 session_not_found');
  });

  it('a request that says nothing, or contradicts itself, deletes nothing', async () => {
    const traceId = await send();
    const bodies: object[] = [
      {},
      { dry_run: false },
      { trace_ids: [] },
      { trace_ids: [traceId], all: true },
      { all: false },
      { filters: 'x' },
    ];
    for (const body of bodies)
      expect(await codeOf(gateway.client.traceDeletions.create({ body: body as never }))).toBe('400 invalid_request_body');
    expect(await codeOf(gateway.client.traceDeletions.create({ body: { filter: 'cost >' } }))).toBe('400 invalid_filter');
    expect(await find(traceId)).toBe('none');
  });

  it('a time range and a list of ids select exactly those traces', async () => {
    const [early, late] = [aTraceId(), aTraceId()];
    const day = Date.UTC(2025, 5, 1);
    await gateway.ingest(aRequest([aSpan({ traceId: early, startMs: day }), aSpan({ traceId: late, startMs: day + 1000 })]));
    expect((await gateway.client.traceDeletions.create({ body: { from: day, to: day + 1000 } })).data.traces).toBe(1);
    expect([await find(early), await find(late)]).toEqual(['404 trace_not_found', 'none']);
    const { data } = await gateway.client.traceDeletions.create({ body: { trace_ids: [late, early, 'unknown'] } });
    expect([data.traces, await find(late)]).toEqual([1, '404 trace_not_found']);
  });
});

describe('for a team', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud.stop());

  const send = async (attributes = {}): Promise<string> => {
    const traceId = aTraceId();
    await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId, attributes })]));
    return traceId;
  };

  it('each deletion has an audit entry with who, and hashes of how much; a dry run has none', async () => {
    const { owner, user_id, app_id, tenant_id } = cloud.tenant;
    const traceId = await send({ 'user.id': 'ann' });
    await owner.traceDeletions.create({ body: { user_id: 'ann', dry_run: true } });
    const { data } = await owner.traceDeletions.removeTrace({ params: { traceId } });
    const control = openSqliteControl(cloud.dataDir, systemClock);
    const entries = (await control.audit.list(tenant_id, { limit: 100, offset: 0 })).data;
    await control.stop();
    expect(entries.filter(({ action }) => action === 'trace.delete')).toMatchObject([
      {
        actor_kind: 'user',
        actor_id: user_id,
        app_id,
        target: data.id,
        before_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        after_hash: null,
      },
    ]);
  });

  it('owners, admins and keys with trace.delete may; members, and keys that may only send, may not', async () => {
    const { owner, client, app_id } = cloud.tenant;
    const traceId = await send();
    const { data } = await owner.apiKeys.create({ body: { name: 'sends', permissions: ['trace.write', 'trace.read', 'score.delete'] } });
    const writer = await addMember(cloud, cloud.tenant, 'writer@acme.test', 'write');
    for (const refused of [cloud.as(data.plaintext_key, app_id), writer.client])
      expect(await codeOf(refused.traceDeletions.removeTrace({ params: { traceId } }))).toBe('403 forbidden');
    const admin = await addMember(cloud, cloud.tenant, 'admin@acme.test', 'admin');
    expect((await admin.client.traceDeletions.removeTrace({ params: { traceId } })).data.traces).toBe(1);
    expect((await client.traceDeletions.removeTrace({ params: { traceId: await send() } })).data.traces).toBe(1);
  });

  it('a team neither counts, deletes nor reads deletions of another', async () => {
    const other = await cloud.addTenant('other');
    const traceId = await send({ 'session.id': 'chat', 'user.id': 'ann' });
    for (const body of [{ trace_ids: [traceId] }, { user_id: 'ann' }, { session_id: 'chat' }, { all: true } as const])
      expect((await other.owner.traceDeletions.create({ body })).data).toMatchObject({ id: null, traces: 0 });
    expect(await codeOf(other.owner.traceDeletions.removeTrace({ params: { traceId } }))).toBe('404 trace_not_found');
    expect(await codeOf(other.owner.traceDeletions.removeSession({ params: { sessionId: 'chat' } }))).toBe('404 session_not_found');
    const { data } = await cloud.tenant.owner.traceDeletions.removeTrace({ params: { traceId } });
    expect(await codeOf(other.owner.traceDeletions.get({ params: { deletionId: data.id ?? '' } }))).toBe('404 trace_deletion_not_found');
  });

  it('a queue item of a deleted trace stays', async () => {
    const { owner } = cloud.tenant;
    const traceId = await send();
    const { data: queue } = await owner.annotationQueues.create({ body: { name: 'q', score_config_names: ['tone'] } });
    await owner.annotationItems.add({ params: { queueId: queue.id }, body: { items: [{ resource_id: traceId, resource_type: 'trace' }] } });
    await owner.traceDeletions.removeTrace({ params: { traceId } });
    const { data } = await owner.annotationItems.list({ params: { queueId: queue.id }, query: {} });
    expect(data.map(({ resource_id }) => resource_id)).toEqual([traceId]);
  });
});

it('traces that were forwarded to a cloud stay there, and the answer counts them', async () => {
  const cloud = await startTestCloud();
  const gateway = await startTestGateway();
  try {
    const { api_key, app_id } = cloud.tenant;
    await gateway.ingest(aRequest([aSpan({ attributes: { 'user.id': 'ann' } })]));
    await gateway.client.forwarding.create({ body: { name: 'acme', url: cloud.url, key: api_key, app_id } });
    const forwarded = aTraceId();
    await gateway.ingest(aRequest([aSpan({ traceId: forwarded, attributes: { 'user.id': 'ann' } })]));
    await expect.poll(() => codeOf(cloud.tenant.client.traces.get({ params: { traceId: forwarded } }))).toBe('none');
    const count = async () => (await gateway.client.traceDeletions.create({ body: { user_id: 'ann', dry_run: true } })).data;
    await expect.poll(async () => (await count()).forwarded).toEqual([{ name: 'acme', traces: 1 }]);
    const { data } = await gateway.client.traceDeletions.create({ body: { user_id: 'ann' } });
    expect(data).toMatchObject({ traces: 2, forwarded: [{ name: 'acme', traces: 1 }] });
    expect(await codeOf(cloud.tenant.client.traces.get({ params: { traceId: forwarded } }))).toBe('none');
  } finally {
    await gateway.stop();
    await cloud.stop();
  }
});

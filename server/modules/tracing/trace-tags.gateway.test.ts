/** Tags added over HTTP: who may, what is refused, and that lists and filters of one machine and of a tenant know them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../../../shared/client.ts';
import { taggedIdsMax, tagLengthMax } from '../../../shared/contract/tracing/trace-tags.ts';
import { aRequest, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { addedTagsMax } from '../../telemetry/trace-tags.ts';

describe('on one machine', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const send = async (): Promise<string> => {
    const traceId = aTraceId();
    await gateway.ingest(aRequest([aSpan({ traceId })]));
    return traceId;
  };
  const change = (body: { trace_ids: string[]; add?: string[]; remove?: string[] }) => gateway.client.traceTags.change({ body });
  const found = async (filter: string) => (await gateway.client.traces.list({ query: { filter } })).data.map(({ id }) => id);

  it('a tag is found by filters when the request is answered, without the spaces around it', async () => {
    const trace_ids = [await send(), await send()];
    expect((await change({ trace_ids, add: ['  needs a fix '] })).data).toEqual({ changed: 2 });
    expect((await found('tags = "needs a fix"')).sort()).toEqual(trace_ids.sort());
    expect((await change({ trace_ids: trace_ids.slice(0, 1), remove: ['needs a fix'] })).data).toEqual({ changed: 1 });
    expect(await found('tags = "needs a fix"')).toEqual(trace_ids.slice(1));
  });

  it('the tags of as many traces as can be selected are read with a request line that proxies take', async () => {
    const traceId = await send();
    await change({ trace_ids: [traceId], add: ['read'] });
    const trace_ids = [traceId, ...Array.from({ length: taggedIdsMax - 1 }, aTraceId)];
    const query = { trace_ids: trace_ids.join() };
    expect((await gateway.client.traceTags.find({ query })).data).toEqual([{ tag: 'read', traces: 1, added: 1 }]);
    expect(pathOf('/v1/trace-tags', {}, query).length).toBeLessThan(8000);
    expect(await codeOf(gateway.client.traceTags.find({ query: { trace_ids: [...trace_ids, traceId].join() } }))).toBe(
      '400 invalid_query_params',
    );
  });

  it('refuses a request that changes nothing, has an invalid tag, or names no trace', async () => {
    const trace_ids = [await send()];
    for (const body of [
      { trace_ids },
      { trace_ids, add: [' '] },
      { trace_ids, add: ['x'.repeat(tagLengthMax + 1)] },
      { trace_ids, add: ['\ud800'] },
      { trace_ids: [], add: ['a'] },
    ])
      expect(await codeOf(change(body))).toBe('400 invalid_request_body');
  });

  it('refuses a trace too many tags, naming it, and leaves the others alone', async () => {
    const [full, other] = [await send(), await send()] as [string, string];
    const many = Array.from({ length: addedTagsMax }, (_, at) => `many ${at}`);
    for (let at = 0; at < many.length; at += 20) await change({ trace_ids: [full], add: many.slice(at, at + 20) });
    const refusal = change({ trace_ids: [other, full], add: ['last straw'] });
    await expect(refusal).rejects.toMatchObject({ status: 409, message: expect.stringContaining(full) });
    expect(await found('tags = "last straw"')).toEqual([]);
  });
});

describe('in the cloud', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
  });
  afterAll(() => cloud.stop());

  it('members and keys with trace.write may; readers and keys without it may not', async () => {
    const { owner, app_id } = cloud.tenant;
    const traceId = aTraceId();
    await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId })]));
    const body = { trace_ids: [traceId], add: ['reviewed'] };
    const keyWith = async (permission: 'trace.write' | 'score.write') => {
      const { data } = await owner.apiKeys.create({ body: { name: permission, permissions: [permission] } });
      return cloud.as(data.plaintext_key, app_id);
    };
    const reader = await addMember(cloud, cloud.tenant, 'reader@acme.test', 'read');
    for (const refused of [reader.client, await keyWith('score.write')])
      expect(await codeOf(refused.traceTags.change({ body }))).toBe('403 forbidden');
    const member = await addMember(cloud, cloud.tenant, 'member@acme.test', 'write');
    expect((await member.client.traceTags.change({ body })).data).toEqual({ changed: 1 });
    expect((await (await keyWith('trace.write')).traceTags.change({ body })).data).toEqual({ changed: 0 });
  });

  it('a team does not tag the traces of another', async () => {
    const other = await cloud.addTenant('other');
    const traceId = aTraceId();
    await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId })]));
    const body = { trace_ids: [traceId], add: ['theirs'] };
    expect((await other.owner.traceTags.change({ body })).data).toEqual({ changed: 0 });
    expect((await cloud.tenant.owner.traces.list({ query: { tag: ['theirs'] } })).data).toEqual([]);
  });
});

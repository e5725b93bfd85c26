import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;
let mine: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud({ queueRules: { everyMs: 50, settledMs: 0, againEveryMs: 50 } });
  mine = cloud.tenant;
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

const draft = { name: 'tone', score_config_names: ['tone'] };
const unknown = { queueId: '00000000-0000-4000-8000-000000000000' };

const aQueue = async (tenant = mine, more = {}) => (await tenant.client.annotationQueues.create({ body: { ...draft, ...more } })).data;

const clientWith = async (permission: 'annotation_queue.read' | 'trace.read' | 'score_config.read') => {
  const { data } = await mine.owner.apiKeys.create({ body: { name: permission, permissions: [permission] } });
  return cloud.as(data.plaintext_key, mine.app_id);
};

describe('a queue', () => {
  it('is created with defaults, and read back as created', async () => {
    const created = await aQueue();
    expect(created).toEqual({
      ...{ id: expect.any(String), app_id: mine.app_id, ...draft, description: null, dataset_id: null, instructions: null },
      ...{ status: 'active', reviewers_required: 1, created_by: expect.stringMatching(/^api_key:/), updated_at: null },
      ...{ reviewer_ids: null, shares_evenly: false, waiting_for_me: 0 },
      ...{ created_at: expect.any(String), progress: { pending: 0, in_progress: 0, completed: 0, skipped: 0, total: 0 } },
    });
    expect((await mine.client.annotationQueues.get({ params: { queueId: created.id } })).data).toEqual(created);
  });

  it('records its creator and every field', async () => {
    const dataset_id = '10000000-0000-4000-8000-000000000000';
    const body = { ...draft, description: 'd', instructions: 'i', dataset_id, reviewers_required: 50 };
    const { data } = await mine.owner.annotationQueues.create({ body });
    expect(data).toMatchObject({ ...body, created_by: (await mine.owner.auth.me()).data.user.id });
  });

  it.each([
    ['no name', { ...draft, name: '' }],
    ['a name of NUL only', { ...draft, name: '\0' }],
    ['a name of 256 characters', { ...draft, name: 'n'.repeat(256) }],
    ['no score', { ...draft, score_config_names: [] }],
    ['a long description', { ...draft, description: 'd'.repeat(1001) }],
    ['long instructions', { ...draft, instructions: 'i'.repeat(5001) }],
    ['a dataset id that is invalid', { ...draft, dataset_id: 'mine' }],
    ['no reviewers', { ...draft, reviewers_required: 0 }],
    ['a negative number of reviewers', { ...draft, reviewers_required: -1 }],
    ['half a reviewer', { ...draft, reviewers_required: 1.5 }],
    ['a reviewer who is no member', { ...draft, reviewer_ids: [unknown.queueId] }],
    ['an empty list of reviewers', { ...draft, reviewer_ids: [] }],
    ['51 reviewers', { ...draft, reviewers_required: 51 }],
  ])('with %s is refused', async (_, body) => {
    expect(await codeOf(mine.client.annotationQueues.create({ body }))).toBe('400 invalid_request_body');
  });

  it('changes only in the fields that were sent', async () => {
    const created = await aQueue();
    const params = { queueId: created.id };
    const change = { description: null, status: 'completed' as const, score_config_names: null, instructions: 'new' };
    const { data } = await mine.client.annotationQueues.update({ params, body: change });
    expect(data).toEqual({ ...created, ...change, updated_at: expect.any(String) });
    expect(await codeOf(mine.client.annotationQueues.update({ params, body: {} }))).toBe('400 invalid_request_body');
    expect((await mine.client.annotationQueues.get({ params })).data).toEqual(data);
  });

  it('is deleted with its items, and then not found', async () => {
    const { id: queueId } = await aQueue();
    await mine.client.annotationItems.add({ params: { queueId }, body: { items: [{ resource_id: 't' }] } });
    await mine.client.annotationQueues.remove({ params: { queueId } });
    expect(await codeOf(mine.client.annotationQueues.remove({ params: { queueId } }))).toBe('404 annotation_queue_not_found');
    expect(await codeOf(mine.client.annotationItems.list({ params: { queueId } }))).toBe('404 annotation_queue_not_found');
  });

  it('of another tenant or app is not found, like one that does not exist', async () => {
    const { id: queueId } = await aQueue();
    const { data: second } = await mine.owner.apps.create({ body: { name: 'second' } });
    const strangers = [other.client, cloud.as(mine.token, second.id)].map((client) => ({ client, params: { queueId } }));
    for (const { client, params } of [...strangers, { client: mine.client, params: unknown }]) {
      const { annotationQueues: queues } = client;
      const answers = [queues.get({ params }), queues.update({ params, body: { name: 'stolen' } }), queues.remove({ params })];
      expect(await Promise.all(answers.map(codeOf))).toEqual(Array(3).fill('404 annotation_queue_not_found'));
    }
    expect((await mine.client.annotationQueues.get({ params: { queueId } })).data.name).toBe('tone');
  });

  it('needs the permission', async () => {
    const { id: queueId } = await aQueue();
    const [reader, stranger] = [await clientWith('annotation_queue.read'), await clientWith('trace.read')];
    const params = { queueId };
    expect((await reader.annotationQueues.get({ params })).data.id).toBe(queueId);
    const { annotationQueues: queues, annotationItems: items } = reader;
    const requests = [
      ...[queues.create({ body: draft }), queues.update({ params, body: { name: 'x' } }), queues.remove({ params })],
      ...[items.add({ params, body: { items: [{ resource_id: 't' }] } }), stranger.annotationQueues.get({ params })],
      stranger.annotationQueues.list({}),
    ];
    expect(await Promise.all(requests.map(codeOf))).toEqual(Array(6).fill('403 forbidden'));
    expect(await codeOf(cloud.as(null).annotationQueues.list({}))).toBe('401 unauthorized');
  });

  it('needs a valid id', async () => {
    const params = { queueId: 'mine' };
    const { annotationQueues: queues } = mine.client;
    const answers = [queues.get({ params }), queues.update({ params, body: { name: 'x' } }), queues.remove({ params })];
    expect(await Promise.all(answers.map(codeOf))).toEqual(Array(3).fill('400 invalid_path_params'));
  });
});

describe('a rule', () => {
  const send = async (tenant: TestTenant, status: 'ERROR' | 'OK') => {
    const traceId = randomUUID().replaceAll('-', '');
    const span = aSpan({ traceId, startMs: Date.now(), durationMs: 1, status });
    expect((await cloud.ingest(tenant, aRequest([span]))).status).toBe(200);
    return traceId;
  };

  it('adds what its filter matches once, later scores too, and nothing of another app or from before', async () => {
    const [tenant, stranger] = [await cloud.addTenant('ruled'), await cloud.addTenant('unruled')];
    const { annotationQueues: queues, annotationItems } = tenant.owner;
    const params = { queueId: (await aQueue(tenant)).id };
    const items = async () => (await annotationItems.list({ params })).data.map(({ resource_id }) => resource_id).sort();
    const early = await send(tenant, 'ERROR');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const body = { filter: 'status = ERROR or score__tone < 0.5' };
    const { data: rule } = await queues.createRule({ params, body });
    expect((await queues.previewRule({ params, body })).data).toEqual({
      matching: 1,
      sampled: 1,
      is_lower_bound: false,
      is_estimate: false,
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [failed, scored] = [await send(tenant, 'ERROR'), await send(tenant, 'OK'), await send(stranger, 'ERROR')];
    await expect.poll(items, { timeout: 30_000 }).toEqual([failed]);
    await tenant.client.scores.create({ body: { resource_id: scored, name: 'tone', score: 0.1 } });
    await expect.poll(items, { timeout: 30_000 }).toEqual([failed, scored].sort());
    expect((await queues.listRules({ params })).data).toMatchObject([{ id: rule.id, added: 2, sample_percent: 100, paused: false }]);

    const [first] = (await annotationItems.list({ params })).data;
    await annotationItems.remove({ params: { ...params, itemId: first?.id ?? '' } });
    const later = await send(tenant, 'ERROR');
    await expect.poll(items, { timeout: 30_000 }).toContain(later);
    expect(await items()).toHaveLength(2);
    expect(await items()).not.toContain(early);
  });

  it('is refused with a filter that is none, and belongs to its queue', async () => {
    const params = { queueId: (await aQueue()).id };
    const { annotationQueues: queues } = mine.owner;
    for (const body of [{ filter: 'modle = 1' }, { sample_percent: 0 }, { max_per_day: 1001 }])
      expect(await codeOf(queues.createRule({ params, body }))).toMatch(/^400 invalid_(filter|request_body)$/);
    const { data } = await queues.createRule({ params, body: { paused: true } });
    const rule = { ...params, ruleId: data.id };
    const body = { filter: '', sample_percent: 50, max_per_day: 9, paused: true };
    expect(await codeOf(other.owner.annotationQueues.replaceRule({ params: rule, body }))).toBe('404 annotation_queue_rule_not_found');
    for (const left of Object.keys(body)) {
      const partial = { ...body, [left]: undefined };
      expect(await codeOf(queues.replaceRule({ params: rule, body: partial as unknown as typeof body }))).toBe('400 invalid_request_body');
    }
    const { data: key } = await mine.owner.apiKeys.create({ body: { name: 'blind', permissions: ['annotation_queue.write'] } });
    const { annotationQueues: blind } = cloud.as(key.plaintext_key, mine.app_id);
    expect([await codeOf(blind.createRule({ params, body })), await codeOf(blind.replaceRule({ params: rule, body }))]).toEqual(
      Array(2).fill('403 forbidden'),
    );
    expect(await codeOf(other.owner.annotationQueues.listRules({ params }))).toBe('404 annotation_queue_not_found');
    expect((await queues.listRules({ params })).data).toEqual([data]);
  });
});

describe('a score configuration of the team', () => {
  const create = (body: NewScoreConfig, client = mine.owner) => client.scoreConfigChanges.create({ body });
  const names = async (include_archived?: 'true') =>
    (await mine.client.scoreConfigs.list({ query: { ...(include_archived && { include_archived }) } })).data.map(({ name }) => name);

  it('is offered, checked in reviews, and archived, when reviews are still checked', async () => {
    const categories = [{ label: 'kind', value: 1, color: 'green' as const }];
    const tone = { name: 'tone of voice', data_type: 'categorical' as const, categories };
    const { data } = await create(tone);
    expect(data).toMatchObject({ ...tone, source: 'created', commit_sha: '', archived: false });
    expect(await codeOf(create({ name: tone.name, data_type: 'text' }))).toBe('409 duplicate_score_config_name');
    expect(await names()).toEqual([tone.name]);
    const { id: queueId } = await aQueue(mine, { score_config_names: [tone.name], reviewers_required: 3 });
    await mine.client.annotationItems.add({ params: { queueId }, body: { items: [{ resource_id: 't' }] } });
    const itemId = (await mine.client.annotationItems.list({ params: { queueId } })).data[0]?.id ?? '';
    const review = (reviewer: string, score: number) => {
      const body = { status: 'completed' as const, reviewer, scores: [{ name: tone.name, score }] };
      return codeOf(mine.client.annotationItems.review({ params: { queueId, itemId }, body }));
    };
    expect([await review('one', 2), await review('one', 1)]).toEqual(['400 invalid_request_body', 'none']);
    const { name, ...definition } = tone;
    await mine.owner.scoreConfigChanges.replace({ params: { name }, body: { ...definition, archived: true } });
    expect([await names(), await names('true'), await review('two', 2)]).toEqual([[], [name], '400 invalid_request_body']);
  });

  it('is refused when it makes no sense, and belongs to one app', async () => {
    const twice = { label: 'kind', value: 1 };
    for (const body of [
      { name: 'x', data_type: 'numeric', min: 1, max: 1 },
      { name: 'x', data_type: 'categorical', categories: [] },
      { name: 'x', data_type: 'categorical', categories: [twice, { ...twice, value: 2 }] },
      { name: 'x', data_type: 'categorical', categories: [{ ...twice, color: 'pink' as 'red' }] },
      ...['', ' ', ' x', '.', '..', 'a\u202eb', 'a\nb'].map((name) => ({ name, data_type: 'text' }) as const),
    ] as const)
      expect([body, await codeOf(create(body as unknown as NewScoreConfig))]).toEqual([body, '400 invalid_request_body']);
    await create({ name: 'mine', data_type: 'boolean' });
    const params = { name: 'mine' };
    expect(await codeOf(other.owner.scoreConfigChanges.replace({ params, body: { data_type: 'text', archived: false } }))).toBe(
      '404 score_config_not_found',
    );
    expect(await codeOf(other.owner.scoreConfigs.get({ params }))).toBe('404 score_config_not_found');
    expect(await codeOf(create({ name: 'y', data_type: 'text' }, await clientWith('score_config.read')))).toBe('403 forbidden');
  });
});

describe('the list of queues', () => {
  it('is newest first, in pages that do not overlap, and of one app', async () => {
    const tenant = await cloud.addTenant('lister');
    const created: string[] = [];
    for (const name of ['a', 'b', 'c']) created.push((await aQueue(tenant, { name })).id);
    const pages = await Promise.all([0, 2].map((offset) => tenant.client.annotationQueues.list({ query: { limit: 2, offset } })));
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id)).sort()).toEqual(created.sort());
    expect(pages.map(({ pagination }) => pagination)).toEqual([0, 2].map((offset) => ({ limit: 2, offset, total: 3 })));
    const { data } = await tenant.client.annotationQueues.list({});
    expect(data.map(({ created_at }) => created_at)).toEqual(
      data
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
  });

  it('refuses invalid limits and flags', async () => {
    for (const query of ['limit=0', 'limit=1001', 'offset=-1', 'assigned_to_me=maybe']) {
      const answer = await cloud.fetch(`/v1/annotation-queues?${query}`, {
        headers: { Authorization: mine.api_key, 'X-Service-App-Id': mine.app_id },
      });
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });

  it('shows a person the queues with open work for them, and a key none', async () => {
    const { client, user_id } = await addMember(cloud, mine, 'ann@acme.test', 'write');
    const { id: queueId } = await aQueue(mine, { name: 'for ann' });
    await mine.client.annotationItems.add({ params: { queueId }, body: { items: [{ resource_id: 'one' }, { resource_id: 'two' }] } });
    const { data: items } = await mine.client.annotationItems.list({ params: { queueId } });
    const params = { queueId, itemId: items[0]?.id ?? '' };
    const assignedQueues = async (caller = client) => {
      const { data, pagination } = await caller.annotationQueues.list({ query: { assigned_to_me: 'true' } });
      expect(pagination.total).toBe(data.length);
      return data.map(({ name }) => name);
    };
    expect(await assignedQueues()).toEqual([]);
    await mine.client.annotationItems.update({ params, body: { assigned_to: user_id } });
    expect(await assignedQueues()).toEqual(['for ann']);
    expect([await assignedQueues(mine.owner), await assignedQueues(mine.client)]).toEqual([[], []]);
    await client.annotationItems.review({ params, body: { status: 'completed' } });
    expect(await assignedQueues()).toEqual([]);
    const { data } = await client.annotationQueues.get({ params });
    expect(data.progress).toEqual({ pending: 1, in_progress: 0, completed: 1, skipped: 0, total: 2 });
  });

  it('is reviewed by those whom its queue names, each of whom sees what waits for them', async () => {
    const [bo, eve] = await Promise.all(['bo', 'eve'].map((each) => addMember(cloud, mine, `${each}@acme.test`, 'write')));
    if (!bo || !eve) throw new Error('two members');
    const { id: queueId } = await aQueue(mine, { reviewer_ids: [bo.user_id.toUpperCase()], shares_evenly: true });
    const params = { queueId };
    await mine.client.annotationItems.add({ params, body: { items: [{ resource_id: 'one' }, { resource_id: 'two' }] } });
    const ofBo = (await bo.client.annotationItems.list({ params, query: { for_me: 'assigned' } })).data;
    expect(ofBo).toMatchObject([{ resource_id: 'one', assigned_to: bo.user_id, assignees: [bo.user_id] }, { resource_id: 'two' }]);
    const lists = [eve.client, mine.client].map((client) => client.annotationItems.list({ params, query: { for_me: 'assigned' } }));
    expect((await Promise.all(lists)).map(({ data, pagination }) => [data, pagination.total])).toEqual(Array(2).fill([[], 0]));
    const waiting = async ({ client }: typeof bo) => (await client.annotationQueues.get({ params })).data.waiting_for_me;
    expect([await waiting(bo), await waiting(eve)]).toEqual([2, 0]);
    const place = { queueId, itemId: ofBo[0]?.id ?? '' };
    expect(await codeOf(eve.client.annotationItems.review({ params: place, body: { status: 'completed' } }))).toBe('403 forbidden');
    const assign = (assigned_to: string | null) =>
      eve.client.annotationItems.assign({ params, body: { item_ids: ofBo.map(({ id }) => id), assigned_to } });
    expect(await codeOf(assign(eve.user_id))).toBe('400 invalid_request_body');
    expect((await assign(null)).data).toEqual({ assigned: 2 });
    expect((await bo.client.annotationItems.list({ params, query: { for_me: 'free' } })).pagination.total).toBe(2);
    expect(await waiting(bo)).toBe(0);
  });
});

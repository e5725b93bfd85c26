import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQueue } from '../../fixtures/a-queue.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;
let mine: TestTenant;
let other: TestTenant;
let ann: Awaited<ReturnType<typeof addMember>>;

beforeAll(async () => {
  cloud = await startTestCloud();
  mine = cloud.tenant;
  other = await cloud.addTenant('other');
  ann = await addMember(cloud, mine, 'ann@acme.test', 'write');
});
afterAll(() => cloud.stop());

const unknownId = '00000000-0000-4000-8000-000000000000';
const oneItem = [{ resource_id: 't' }];

describe('items', () => {
  it('are added once each, and listed in the order of arrival', async () => {
    const { annotationItems } = mine.client;
    const { queueId, items } = await aQueue(mine.client, [{ resource_id: 'b' }, { resource_id: 'a' }, { resource_id: 'b' }]);
    expect(items.map(({ resource_id }) => resource_id)).toEqual(['b', 'a']);
    expect(items[0]).toEqual({
      ...{ id: expect.any(String), queue_id: queueId, resource_id: 'b', resource_type: 'trace', status: 'pending' },
      ...{ assigned_to: null, completed_by: null, completed_at: null, created_at: expect.any(String), assignees: [] },
    });
    const again = [{ resource_id: 'a' }, { resource_id: 'a', resource_type: 'span' as const }];
    const added = await annotationItems.add({ params: { queueId }, body: { items: again } });
    expect(added.data).toEqual({ added: 1 });
    expect((await annotationItems.add({ params: { queueId }, body: { items: again } })).data).toEqual({ added: 0 });
  });

  it('are added up to a thousand at a time', async () => {
    const { queueId } = await aQueue(mine.client, []);
    const many = Array.from({ length: 1001 }, (_, index) => ({ resource_id: `t${index}` }));
    const add = (items: { resource_id: string }[]) => mine.client.annotationItems.add({ params: { queueId }, body: { items } });
    expect((await add(many.slice(1))).data.added).toBe(1000);
    expect(await codeOf(add(many))).toBe('400 invalid_request_body');
    expect(await codeOf(add([]))).toBe('400 invalid_request_body');
    expect(await codeOf(add([{ resource_id: '' }]))).toBe('400 invalid_request_body');
    const pages = [0, 400, 800].map((offset) => mine.client.annotationItems.list({ params: { queueId }, query: { limit: 400, offset } }));
    const listedIds = (await Promise.all(pages)).flatMap(({ data }) => data.map(({ resource_id }) => resource_id));
    expect(listedIds).toEqual(many.slice(1).map(({ resource_id }) => resource_id));
  });

  it('cannot be added to an archived queue', async () => {
    const { queueId } = await aQueue(mine.client, []);
    await mine.client.annotationQueues.update({ params: { queueId }, body: { status: 'archived' } });
    const add = () => mine.client.annotationItems.add({ params: { queueId }, body: { items: oneItem } });
    expect(await codeOf(add())).toBe('409 queue_archived');
    await mine.client.annotationQueues.update({ params: { queueId }, body: { status: 'active' } });
    expect((await add()).data.added).toBe(1);
  });

  it('are listed by status and assignee', async () => {
    const { queueId, at } = await aQueue(mine.client, [{ resource_id: 'a' }, { resource_id: 'b' }, { resource_id: 'c' }]);
    await mine.client.annotationItems.update({ params: at(1), body: { assigned_to: ann.user_id } });
    const list = async (query: object) => {
      const { data, pagination } = await mine.client.annotationItems.list({ params: { queueId }, query });
      expect(pagination.total).toBe(data.length);
      return data.map(({ resource_id }) => resource_id);
    };
    expect(await list({ status: 'pending' })).toEqual(['a', 'c']);
    expect(await list({ assigned_to: ann.user_id })).toEqual(['b']);
    expect(await list({ assigned_to: ann.user_id, status: 'completed' })).toEqual([]);
    const wrong = mine.client.annotationItems.list({ params: { queueId }, query: { status: 'done' as 'pending' } });
    expect(await codeOf(wrong)).toBe('400 invalid_query_params');
  });

  it('of another tenant are not found, not even through a queue of one’s own', async () => {
    const [theirs, own] = [await aQueue(mine.client, oneItem), await aQueue(other.client, oneItem)];
    const { annotationItems: items } = other.client;
    const foreignItems = [theirs.at(0), { ...theirs.at(0), queueId: own.queueId }, { ...own.at(0), itemId: unknownId }];
    for (const params of foreignItems) {
      const body = { status: 'completed' as const };
      const answers = [items.get({ params }), items.update({ params, body }), items.remove({ params }), items.review({ params, body })];
      expect(await Promise.all(answers.map(codeOf))).toEqual(Array(4).fill('404 annotation_queue_item_not_found'));
    }
    const params = { queueId: theirs.queueId };
    const answers = [items.list({ params }), items.add({ params, body: { items: oneItem } })];
    expect(await Promise.all(answers.map(codeOf))).toEqual(Array(2).fill('404 annotation_queue_not_found'));
    expect((await mine.client.annotationItems.get({ params: theirs.at(0) })).data.status).toBe('pending');
  });

  it('need a valid id', async () => {
    const { queueId } = await aQueue(mine.client, []);
    const { annotationItems: items } = mine.client;
    const params = { queueId, itemId: 'first' };
    const body = { status: 'completed' as const };
    const answers = [items.get({ params }), items.update({ params, body }), items.remove({ params }), items.review({ params, body })];
    expect(await Promise.all(answers.map(codeOf))).toEqual(Array(4).fill('400 invalid_path_params'));
  });

  it('are not found after their removal', async () => {
    const { at } = await aQueue(mine.client, oneItem);
    const remove = () => mine.client.annotationItems.remove({ params: at(0) });
    await remove();
    expect(await codeOf(remove())).toBe('404 annotation_queue_item_not_found');
  });

  it('need the permission', async () => {
    const { at, queueId } = await aQueue(mine.client, oneItem);
    const { data } = await mine.owner.apiKeys.create({ body: { name: 'reviews', permissions: ['annotation_queue.review'] } });
    const { annotationItems: items } = cloud.as(data.plaintext_key, mine.app_id);
    const params = at(0);
    const requests = [
      ...[items.list({ params: { queueId } }), items.get({ params }), items.add({ params: { queueId }, body: { items: oneItem } })],
      ...[items.update({ params, body: { status: 'skipped' as const } }), items.remove({ params })],
    ];
    expect(await Promise.all(requests.map(codeOf))).toEqual(Array(5).fill('403 forbidden'));
    expect((await items.review({ params, body: { status: 'completed' } })).data.item.status).toBe('completed');
    const { client: reader } = await addMember(cloud, mine, 'reader@acme.test', 'read');
    expect(await codeOf(reader.annotationItems.review({ params, body: { status: 'completed' } }))).toBe('403 forbidden');
  });
});

describe('an assignment', () => {
  it('starts the review and adds a reviewer until it is withdrawn', async () => {
    const { at } = await aQueue(mine.client, oneItem, 2);
    const params = at(0);
    const { annotationItems: items } = mine.client;
    expect((await items.update({ params, body: { assigned_to: ann.user_id.toUpperCase() } })).data).toMatchObject({
      ...{ status: 'in_progress', assigned_to: ann.user_id, completed_by: null },
    });
    // The assignee keeps the item open, whatever others do.
    const skipped = await items.review({ params, body: { status: 'skipped' } });
    expect(skipped.data).toMatchObject({ item: { status: 'in_progress' }, review_progress: { completed: 0, total: 2, required: 2 } });
    const { data: withdrawn } = await items.update({ params, body: { assigned_to: null } });
    expect(withdrawn).toMatchObject({ status: 'in_progress', assigned_to: null });
    const { data } = await ann.client.annotationItems.review({ params, body: { status: 'completed' } });
    expect(data.review_progress).toEqual({ completed: 1, total: 2, required: 2 });
  });

  it('withdrawn from the only assignee leaves the item pending', async () => {
    const { at } = await aQueue(mine.client, oneItem);
    const assign = async (assigned_to: string | null) =>
      (await mine.client.annotationItems.update({ params: at(0), body: { assigned_to } })).data.status;
    expect([await assign(ann.user_id), await assign(null)]).toEqual(['in_progress', 'pending']);
  });

  it('to somebody else releases the previous assignee', async () => {
    const { at } = await aQueue(mine.client, oneItem);
    const { user_id } = await addMember(cloud, mine, 'bob@acme.test', 'write');
    const { annotationItems: items } = mine.client;
    for (const assigned_to of [user_id, ann.user_id]) await items.update({ params: at(0), body: { assigned_to } });
    const { data } = await ann.client.annotationItems.review({ params: at(0), body: { status: 'completed' } });
    expect(data).toMatchObject({ reviewer: { user_id: ann.user_id }, review_progress: { total: 1 } });
  });

  it.each([
    ['an unknown user', () => unknownId],
    ['the owner of another tenant', async () => (await other.owner.auth.me()).data.user.id],
    ['an invalid id', () => 'ann'],
  ])('to %s is refused', async (_, assignee) => {
    const { at } = await aQueue(mine.client, oneItem);
    const body = { assigned_to: await assignee() };
    expect(await codeOf(mine.client.annotationItems.update({ params: at(0), body }))).toBe('400 invalid_request_body');
  });
});

describe('a change of state', () => {
  it('to completed records by whom and when, and to another status clears both', async () => {
    const { at } = await aQueue(mine.client, oneItem);
    const set = async (client: typeof mine.client, status: 'pending' | 'completed' | 'skipped') =>
      (await client.annotationItems.update({ params: at(0), body: { status } })).data;
    const completion = { completed_by: ann.user_id, completed_at: expect.any(String) };
    expect(await set(ann.client, 'completed')).toMatchObject({ status: 'completed', ...completion });
    expect(await set(mine.client, 'completed')).toMatchObject(completion);
    for (const status of ['skipped', 'pending'] as const)
      expect(await set(mine.client, status)).toMatchObject({ status, completed_by: null, completed_at: null });
    const nothing = mine.client.annotationItems.update({ params: at(0), body: {} });
    expect(await codeOf(nothing)).toBe('400 invalid_request_body');
  });

  it('that reopens an item allows another review', async () => {
    const { at } = await aQueue(mine.client, oneItem);
    const params = at(0);
    const review = () => ann.client.annotationItems.review({ params, body: { status: 'completed' } });
    await review();
    expect(await codeOf(review())).toBe('409 queue_item_closed');
    await mine.client.annotationItems.update({ params, body: { status: 'in_progress' } });
    expect((await review()).data).toMatchObject({ item: { status: 'completed' }, review_progress: { completed: 1, total: 1 } });
  });

  it('follows when a queue requires fewer reviewers', async () => {
    const { at, queueId } = await aQueue(mine.client, [{ resource_id: 'a' }, { resource_id: 'b' }], 3);
    await ann.client.annotationItems.review({ params: at(0), body: { status: 'completed' } });
    await mine.client.annotationItems.review({ params: at(1), body: { status: 'completed', reviewer: 'judge' } });
    await ann.client.annotationItems.review({ params: at(1), body: { status: 'completed' } });
    const { data: queue } = await mine.client.annotationQueues.update({ params: { queueId }, body: { reviewers_required: 2 } });
    expect(queue.progress).toEqual({ pending: 0, in_progress: 1, completed: 1, skipped: 0, total: 2 });
    const { data: item } = await mine.client.annotationItems.get({ params: at(1) });
    expect(item).toMatchObject({ status: 'completed', completed_by: ann.user_id, completed_at: expect.any(String) });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;
let mine: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud();
  mine = cloud.tenant;
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

const write = async (client = mine.client, resource_id = 't', body = 'Looks wrong') =>
  (await client.comments.create({ body: { resource_id, body } })).data;

describe('a comment', () => {
  it('has a text, a resource, an author and a time', async () => {
    const { client, user_id } = await addMember(cloud, mine, 'ann@acme.test', 'write');
    const created = await write(client);
    expect(created).toEqual({
      ...{ id: expect.any(String), resource_id: 't', resource_type: 'trace', body: 'Looks wrong', updated_at: null },
      ...{ user_id, author_name: 'ann@acme.test', created_at: expect.any(String) },
    });
    expect((await mine.client.comments.get({ params: { commentId: created.id } })).data).toEqual(created);
    expect(await write()).toMatchObject({ user_id: null, author_name: 'Full Access' });
  });

  it.each([
    ['nothing', { resource_id: 't', body: '' }],
    ['10001 characters', { resource_id: 't', body: 'c'.repeat(10_001) }],
    ['no resource', { resource_id: '', body: 'c' }],
    ['a resource of an unknown kind', { resource_id: 't', resource_type: 'app' as 'trace', body: 'c' }],
  ])('of %s is refused', async (_, body) => {
    expect(await codeOf(mine.client.comments.create({ body }))).toBe('400 invalid_request_body');
  });

  it('of another tenant is not found, and neither is one that does not exist', async () => {
    const { id: commentId } = await write();
    const unreachable = [
      [other.client, commentId],
      [mine.client, '00000000-0000-4000-8000-000000000000'],
    ] as const;
    for (const [{ comments }, id] of unreachable) {
      const answers = [comments.get({ params: { commentId: id } }), comments.remove({ params: { commentId: id } })];
      expect(await Promise.all(answers.map(codeOf))).toEqual(Array(2).fill('404 comment_not_found'));
    }
    expect((await other.client.comments.list({})).pagination.total).toBe(0);
    expect(await codeOf(mine.client.comments.get({ params: { commentId: 'first' } }))).toBe('400 invalid_path_params');
    expect(await codeOf(mine.client.comments.remove({ params: { commentId: 'first' } }))).toBe('400 invalid_path_params');
  });

  it('is deleted by its author or with the permission to delete all; others do not even learn whether it exists', async () => {
    const permissions = ['comment.write', 'comment.read'] as const;
    const writer = async (name: string) => {
      const { data } = await mine.owner.apiKeys.create({ body: { name, permissions: [...permissions] } });
      return cloud.as(data.plaintext_key, mine.app_id);
    };
    const [first, second] = [await writer('first'), await writer('second')];
    const [own, theirs] = [await write(first), await write(first)];
    const remove = (client: typeof first, commentId: string) => codeOf(client.comments.remove({ params: { commentId } }));
    expect(await remove(second, own.id)).toBe('403 forbidden');
    expect(await remove(second, '00000000-0000-4000-8000-000000000000')).toBe('403 forbidden');
    expect(await remove(first, own.id)).toBe('none');
    expect(await remove(mine.owner, theirs.id)).toBe('none');
    expect(await remove(mine.owner, theirs.id)).toBe('404 comment_not_found');
  });

  it('needs the permission', async () => {
    const { data } = await mine.owner.apiKeys.create({ body: { name: 'tracer', permissions: ['trace.read'] } });
    const { comments } = cloud.as(data.plaintext_key, mine.app_id);
    const { id: commentId } = await write();
    const requests = [
      comments.list({}),
      comments.get({ params: { commentId } }),
      comments.create({ body: { resource_id: 't', body: 'c' } }),
    ];
    expect(await Promise.all(requests.map(codeOf))).toEqual(Array(3).fill('403 forbidden'));
    expect(await codeOf(cloud.as(null).comments.list({}))).toBe('401 unauthorized');
  });
});

describe('an inbox', () => {
  it('has what mentions its owner, in all apps of the tenant, and is for them alone', async () => {
    const tenant = await cloud.addTenant('inbox');
    const [ann, ben] = [
      await addMember(cloud, tenant, 'ann@inbox.test', 'read'),
      await addMember(cloud, tenant, 'ben@inbox.test', 'write'),
    ];
    const second = (await tenant.owner.apps.create({ body: { name: 'second' } })).data.id;
    const body = `@[Ann](user:${ann.user_id}) @[Outsider](user:${mine.user_id}) look`;
    const [first, newest] = [await write(ben.client, 't', body), await write(cloud.as(ben.token, second), 't', body)];
    expect(first.body).toBe(body);
    const inbox = await ann.client.notices.list({ query: { limit: 1 } });
    expect(inbox.data).toEqual([
      { id: expect.any(String), kind: 'mention', app_id: second, comment: newest, created_at: newest.created_at, read_at: null },
    ]);
    const older = await ann.client.notices.list({ query: { before: inbox.next ?? '' } });
    expect([older.data.map(({ comment }) => comment.id), older.next]).toEqual([[first.id], null]);
    expect((await mine.owner.notices.unread()).data).toEqual({ unread: 0 });

    const mark = { params: { noticeId: inbox.data[0]?.id ?? '' }, body: { is_read: true } };
    expect(await codeOf(ben.client.notices.mark(mark))).toBe('404 notice_not_found');
    expect((await ann.client.notices.mark(mark)).data.read_at).toEqual(expect.any(String));
    expect((await ann.client.notices.unread()).data).toEqual({ unread: 1 });
    expect([(await ben.client.notices.markAll()).data, (await ann.client.notices.markAll()).data]).toEqual([{ marked: 0 }, { marked: 1 }]);
    expect(await codeOf(tenant.client.notices.unread())).toBe('403 forbidden');
    expect(await codeOf(ann.client.notices.list({ query: { before: 'x' } }))).toBe('400 invalid_query_params');
  });
});

it('the list is oldest first, in pages, and can be filtered by resource', async () => {
  const tenant = await cloud.addTenant('lister');
  for (const [resource, body] of ['a1', 'b1', 'a2', 'a3'].map((text) => [text.slice(0, 1), text] as const))
    await write(tenant.client, resource, body);
  await tenant.client.comments.create({ body: { resource_id: 'a', resource_type: 'span', body: 'a4' } });
  const list = async (query: object) => (await tenant.client.comments.list({ query })).data.map(({ body }) => body);
  expect(await list({})).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  expect(await list({ resource_id: 'a', resource_type: 'trace' })).toEqual(['a1', 'a2', 'a3']);
  expect(await list({ resource_id: 'a', limit: 2, offset: 1 })).toEqual(['a2', 'a3']);
  expect((await tenant.client.comments.list({ query: { resource_id: 'a', limit: 1 } })).pagination.total).toBe(4);
  expect(await codeOf(tenant.client.comments.list({ query: { resource_type: 'app' as 'trace' } }))).toBe('400 invalid_query_params');
});

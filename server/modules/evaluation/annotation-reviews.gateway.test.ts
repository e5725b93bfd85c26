import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import { aQueue } from '../../fixtures/a-queue.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;
let mine: TestTenant;
let ann: Awaited<ReturnType<typeof addMember>>;

beforeAll(async () => {
  cloud = await startTestCloud();
  mine = cloud.tenant;
  ann = await addMember(cloud, mine, 'ann@acme.test', 'write');
});
afterAll(() => cloud.stop());

const scoresOf = async (resource_id: string): Promise<Score[]> => (await mine.client.scores.list({ query: { resource_id } })).data;
const commentsOf = async (resource_id: string) => (await mine.client.comments.list({ query: { resource_id } })).data;

describe('a review', () => {
  it('writes the reviewer, the item, a comment and scores', async () => {
    const { at, items } = await aQueue(mine.client, [{ resource_id: 'whole', resource_type: 'span' }]);
    const scores = [
      { name: 'tone', score: 1, label: 'good', reason: 'kind' },
      { name: 'length', score: 0.5 },
    ];
    const { data } = await ann.client.annotationItems.review({ params: at(0), body: { status: 'completed', scores, comment: 'Well put' } });
    const [now, itemId] = [expect.any(String), items[0]?.id];
    expect(data).toEqual({
      reviewer: { ...{ id: now, item_id: itemId, user_id: ann.user_id }, status: 'completed', completed_at: now, created_at: now },
      item: { ...items[0], status: 'completed', completed_by: ann.user_id, completed_at: now },
      review_progress: { completed: 1, total: 1, required: 1 },
    });
    const common = { id: now, resource_id: 'whole', source: 'annotation', user_id: ann.user_id, created_at: data.item.completed_at };
    expect((await scoresOf('whole')).sort((a, b) => b.score - a.score)).toEqual([
      { ...common, ...scores[0] },
      { ...common, ...scores[1], label: '', reason: '' },
    ]);
    expect(await commentsOf('whole')).toEqual([
      {
        ...{ id: now, resource_id: 'whole', resource_type: 'span', body: 'Well put', created_at: now, updated_at: null },
        ...{ user_id: ann.user_id, author_name: 'ann@acme.test' },
      },
    ]);
  });

  it('of a session scores the session', async () => {
    const { at } = await aQueue(mine.client, [{ resource_id: 'chat-1', resource_type: 'session' }]);
    const scores = [{ name: 'tone', score: 1 }];
    await mine.client.annotationItems.review({ params: at(0), body: { status: 'completed', scores, comment: 'Long' } });
    expect(await scoresOf('chat-1')).toMatchObject([{ session_id: 'chat-1', user_id: expect.stringMatching(/^api_key:/) }]);
    expect(await commentsOf('chat-1')).toMatchObject([{ resource_type: 'session', user_id: null, author_name: 'Full Access' }]);
  });

  it('by an automated judge carries its name', async () => {
    const { at } = await aQueue(mine.client, [{ resource_id: 'judged' }]);
    const body = { status: 'completed' as const, reviewer: 'judge-7', scores: [{ name: 'tone', score: 0 }], comment: 'Terse' };
    const { data } = await mine.client.annotationItems.review({ params: at(0), body });
    expect(data).toMatchObject({ reviewer: { user_id: 'judge-7' }, item: { completed_by: 'judge-7' } });
    expect(await scoresOf('judged')).toMatchObject([{ user_id: 'judge-7', source: 'annotation' }]);
    expect(await commentsOf('judged')).toMatchObject([{ user_id: null, author_name: 'judge-7' }]);
  });

  it.each([
    ['a person who names a judge', () => ann.client, { reviewer: 'judge' }],
    ['a program in the name of a person', () => mine.client, { reviewer: '00000000-0000-4000-8000-000000000000' }],
    ['a program in the name of a key', () => mine.client, { reviewer: 'api_key:1' }],
    ['a score without a name', () => mine.client, { scores: [{ name: '', score: 1 }] }],
    ['a score that is not a number', () => mine.client, { scores: [{ name: 'n', score: '1' as unknown as number }] }],
    ['a good score beside a bad one', () => mine.client, { scores: [{ name: 'n', score: 1 }, { name: 'n' } as never] }],
    ['1001 scores', () => mine.client, { scores: Array(1001).fill({ name: 'n', score: 1 }) }],
    ['an empty comment', () => mine.client, { comment: '' }],
    ['a long comment', () => mine.client, { comment: 'c'.repeat(10_001) }],
    ['an unknown status', () => mine.client, { status: 'assigned' as 'skipped' }],
  ])('by %s is refused and stores nothing', async (name, client, more) => {
    const { at } = await aQueue(mine.client, [{ resource_id: name }]);
    const body = { status: 'completed' as const, scores: [{ name: 'n', score: 1 }], comment: 'c', ...more };
    expect(await codeOf(client().annotationItems.review({ params: at(0), body }))).toBe('400 invalid_request_body');
    expect([await scoresOf(name), await commentsOf(name)]).toEqual([[], []]);
    expect((await mine.client.annotationItems.get({ params: at(0) })).data.status).toBe('pending');
  });

  it('by the same reviewer, or of a closed item, is refused and stores nothing', async () => {
    const { at } = await aQueue(mine.client, [{ resource_id: 'twice' }], 2);
    const review = (client: typeof mine.client) =>
      client.annotationItems.review({ params: at(0), body: { status: 'completed', scores: [{ name: 'n', score: 1 }], comment: 'c' } });
    await review(ann.client);
    expect(await codeOf(review(ann.client))).toBe('409 review_already_submitted');
    await review(mine.client);
    for (const client of [mine.owner, ann.client]) expect(await codeOf(review(client))).toBe('409 queue_item_closed');
    expect([(await scoresOf('twice')).length, (await commentsOf('twice')).length]).toEqual([2, 2]);
  });
});

describe('the reviews of an item', () => {
  it.each([
    // required, the reviews in turn, the status of the item after each
    [1, ['completed'], ['completed']],
    [1, ['skipped'], ['skipped']],
    [2, ['completed', 'completed'], ['in_progress', 'completed']],
    [2, ['completed', 'skipped'], ['in_progress', 'skipped']],
    [3, ['completed', 'completed', 'completed'], ['in_progress', 'in_progress', 'completed']],
  ] as const)('with %d required: %j leads to %j', async (required, reviews, states) => {
    const { at } = await aQueue(mine.client, [{ resource_id: 'turns' }], required);
    const statuses: string[] = [];
    for (const [index, status] of reviews.entries()) {
      const body = { status, reviewer: `judge-${index}` };
      statuses.push((await mine.client.annotationItems.review({ params: at(0), body })).data.item.status);
    }
    expect(statuses).toEqual(states);
    const late = mine.client.annotationItems.review({ params: at(0), body: { status: 'completed', reviewer: 'late' } });
    expect(await codeOf(late)).toBe(states.at(-1) === 'in_progress' ? 'none' : '409 queue_item_closed');
  });

  it('sent a hundred at a time are accepted as often as required, each with its scores', async () => {
    const required = 7;
    const { at, queueId } = await aQueue(mine.client, [{ resource_id: 'rush' }], required);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const body = { status: 'completed' as const, reviewer: `judge-${index % 50}`, scores: [{ name: 'n', score: index }] };
        return codeOf(mine.client.annotationItems.review({ params: at(0), body }));
      }),
    );
    const countOf = (code: string) => answers.filter((answer) => answer === code).length;
    expect(countOf('none')).toBe(required);
    expect(countOf('409 queue_item_closed') + countOf('409 review_already_submitted')).toBe(100 - required);
    const scores = await scoresOf('rush');
    expect([scores.length, new Set(scores.map(({ user_id }) => user_id)).size]).toEqual([required, required]);
    const { data } = await mine.client.annotationQueues.get({ params: { queueId } });
    expect(data.progress).toMatchObject({ completed: 1, total: 1 });
  });
});

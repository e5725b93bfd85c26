/** The author of a score: the signed-in user, whatever the body says, and nobody when a key sent it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMember } from '../../fixtures/add-member.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
});

afterAll(() => cloud.stop());

const resource_id = 'a-trace';
const draft = (name: string) => ({ resource_id, name, score: 1, source: 'annotation' as const, user_id: 'mallory' });

it('scores from people, single or in a batch, carry their id and are found by it', async () => {
  const { tenant } = cloud;
  const ann = await addMember(cloud, tenant, 'ann@acme.test', 'write');
  const { data } = await ann.client.scores.create({ body: draft('single') });
  expect(data.user_id).toBe(ann.user_id);
  expect(await ann.client.scores.get({ params: { scoreId: data.id } })).toEqual({ data });
  await ann.client.scores.createBatch({ body: { scores: [draft('first'), draft('second')] } });
  await tenant.owner.scores.create({ body: draft('single') });

  const namesOf = async (value: string) => {
    const { data: found } = await tenant.client.search.scores({ body: { filters: [{ field: 'user_id', operator: 'equals', value }] } });
    return found.map(({ name, user_id }) => `${name} ${user_id}`).sort();
  };
  expect(await namesOf(ann.user_id)).toEqual(['first', 'second', 'single'].map((name) => `${name} ${ann.user_id}`));
  expect(await namesOf(tenant.user_id)).toEqual([`single ${tenant.user_id}`]);
  expect(await namesOf('mallory')).toEqual([]);
});

it('a score from a key names no user, and aggregations count all scores alike', async () => {
  const { client, owner } = cloud.tenant;
  expect((await client.scores.create({ body: draft('counted') })).data.user_id).toBeUndefined();
  await owner.scores.create({ body: { ...draft('counted'), score: 0 } });
  const { data } = await client.scoreAnalytics.aggregate();
  expect(data).toContainEqual(expect.objectContaining({ name: 'counted', count: 2, avg_score: 0.5 }));
});

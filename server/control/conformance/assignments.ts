/** Who is to review which items: no item waits for somebody who cannot review it. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { QueueDraft } from '../queue-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { all, aMember, anApp, by } from './records.ts';

const draft: QueueDraft = {
  ...{ name: 'q', description: null, instructions: null, dataset_id: null, score_config_names: ['tone'], reviewers_required: 1 },
};
const resources = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ resource_id: `r${index}`, resource_type: 'trace' as const }));

async function aSharedQueue(control: ControlStore, more: Partial<QueueDraft> = {}, count = 4) {
  const scope = await anApp(control);
  const [ann, bo] = [await aMember(control, scope.tenant_id, 'write'), await aMember(control, scope.tenant_id, 'write')];
  const { id } = await control.queues.create(by, scope, { ...draft, reviewer_ids: [ann, bo], shares_evenly: true, ...more });
  await control.items.add(by, scope, id, resources(count));
  return { scope, ann, bo, id };
}

const reviewIn = ({ items }: ControlStore, scope: Scope, queueId: string, reviewer: string, itemId = '', more: object = {}) =>
  items.review(by, scope, { queueId, itemId }, { status: 'completed', reviewer, scores: [], comment: null, author_name: null, ...more });
const waitingFor = async ({ queues }: ControlStore, scope: Scope, id: string, userId: string) =>
  (await queues.waiting(scope, userId, [id])).get(id) ?? 0;
const itemsOf = async ({ items }: ControlStore, scope: Scope, id: string) => (await items.list(scope, id, all))?.data ?? [];

export function assignmentGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('new items are shared out evenly, however many add them at once', async ({ control, race }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control, {}, 3);
    const { errors } = await race(({ items }, index) =>
      items.add(by, scope, id, [{ resource_id: `${index % 5}`, resource_type: 'trace' }]),
    );
    expect(errors).toEqual([]);
    const items = await itemsOf(control, scope, id);
    expect(items.every(({ assignees, assigned_to, status }) => assignees[0] === assigned_to && status === 'in_progress')).toBe(true);
    expect([await waitingFor(control, scope, id, ann), await waitingFor(control, scope, id, bo)]).toEqual([4, 4]);
  });

  guarantee(
    'an item that needs several reviews goes to several people, and is free for others as long as it needs more',
    async ({ control }) => {
      const { scope, ann, bo, id } = await aSharedQueue(control, { reviewers_required: 2 }, 1);
      const [third, stranger] = [await aMember(control, scope.tenant_id, 'write'), await aMember(control, scope.tenant_id, 'write')];
      await control.queues.update(by, scope, id, { reviewer_ids: [ann, bo, third], reviewers_required: 3 });
      expect(await itemsOf(control, scope, id)).toMatchObject([{ assigned_to: ann, assignees: [ann, bo].sort() }]);
      const freeFor = async (user_id: string) => (await control.items.list(scope, id, { ...all, for: { user_id, which: 'free' } }))?.total;
      expect([await freeFor(third), await freeFor(ann), await freeFor(stranger)]).toEqual([1, 0, 0]);
      await control.queues.update(by, scope, id, { reviewers_required: 2 });
      expect(await freeFor(third)).toBe(0);
    },
  );

  guarantee('items of somebody who leaves the tenant, or may only read, wait for others', async ({ control, race }) => {
    for (const leave of ['removeMember', 'setMember', 'changeRole'] as const) {
      const { scope, ann, bo, id } = await aSharedQueue(control);
      const { tenant_id } = scope;
      const { errors } = await race(async ({ tenants, items }, index) => {
        if (index > 12) return;
        if (index !== 5) return void (await items.add(by, scope, id, [{ resource_id: `${index}`, resource_type: 'trace' }]));
        if (leave === 'removeMember') await tenants.removeMember(by, tenant_id, ann, 'write');
        if (leave === 'setMember') await tenants.setMember(by, tenant_id, ann, 'read');
        if (leave === 'changeRole') await tenants.changeRole(by, tenant_id, ann, 'write', 'read');
      });
      expect(errors).toEqual([]);
      const items = await itemsOf(control, scope, id);
      expect(items.some(({ assignees, assigned_to }) => assignees.includes(ann) || assigned_to === ann)).toBe(false);
      expect(items.filter(({ assignees, status }) => assignees.length === 0 && status !== 'pending')).toEqual([]);
      expect((await control.queues.find(scope, id))?.reviewer_ids).toEqual([bo]);
    }
  });

  guarantee('an item that is reopened is free when its reviewer has left or is no longer named, and theirs if not', async ({ control }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control, {}, 3);
    const [first, second, third] = (await itemsOf(control, scope, id)).map((item) => item.id);
    for (const [reviewer, itemId] of [
      [ann, first],
      [bo, second],
      [ann, third],
    ] as const)
      await reviewIn(control, scope, id, reviewer, itemId);
    const reopen = (itemId = '') => control.items.update(by, scope, { queueId: id, itemId }, { status: 'pending' });
    expect(await reopen(second)).toMatchObject({ assigned_to: bo, assignees: [bo] });
    await control.queues.update(by, scope, id, { reviewer_ids: [bo] });
    expect(await reopen(first)).toMatchObject({ status: 'pending', assigned_to: null, assignees: [] });
    await control.tenants.removeMember(by, scope.tenant_id, ann, 'write');
    expect(await reopen(third)).toMatchObject({ status: 'pending', assigned_to: null, assignees: [] });
    expect((await control.items.list(scope, id, { ...all, for: { user_id: bo, which: 'free' } }))?.total).toBe(2);
  });

  guarantee('no item waits for more reviews than the people whom its queue names can make', async ({ control }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control, { reviewers_required: 2 }, 4);
    const [first, second, third, fourth] = (await itemsOf(control, scope, id)).map((item) => item.id);
    for (const change of [{ reviewers_required: 3 }, { reviewer_ids: [bo] }, { reviewer_ids: null }])
      await expect(control.queues.update(by, scope, id, change)).rejects.toMatchObject({ name: 'ReviewingRefused' });
    const alone = { ...draft, reviewer_ids: [ann], reviewers_required: 2 };
    await expect(control.queues.create(by, scope, alone)).rejects.toMatchObject({ field: 'reviewers_required' });
    await reviewIn(control, scope, id, ann, first, { status: 'skipped' });
    expect((await reviewIn(control, scope, id, bo, first))?.item).toMatchObject({ status: 'completed', completed_by: bo });
    await reviewIn(control, scope, id, bo, second);
    await reviewIn(control, scope, id, bo, third, { status: 'skipped' });
    await control.tenants.removeMember(by, scope.tenant_id, ann, 'write');
    const states = (await itemsOf(control, scope, id)).map(({ status, completed_by, assigned_to }) => [status, completed_by, assigned_to]);
    expect(states.slice(1)).toEqual([
      ['completed', bo, null],
      ['skipped', null, null],
      ['in_progress', null, bo],
    ]);
    expect((await reviewIn(control, scope, id, bo, fourth))?.item.status).toBe('completed');
    await control.tenants.removeMember(by, scope.tenant_id, bo, 'write');
    expect(await control.queues.find(scope, id)).toMatchObject({ reviewer_ids: null, shares_evenly: false });
  });

  guarantee('nobody waits for the reviews that a closed item did not get, nor for a closed queue', async ({ control }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control, { reviewers_required: 2 }, 2);
    const [first] = await itemsOf(control, scope, id);
    await control.items.update(by, scope, { queueId: id, itemId: first?.id ?? '' }, { status: 'skipped' });
    expect((await itemsOf(control, scope, id)).map(({ assignees }) => assignees)).toEqual([[], [ann, bo].sort()]);
    const progress = await control.queues.progress(scope, id, []);
    expect(progress?.reviewers.map(({ assigned }) => assigned)).toEqual([1, 1]);
    expect([await waitingFor(control, scope, id, ann), (await control.queues.list(scope, { ...all, assigned_to: ann })).total]).toEqual([
      1, 1,
    ]);
    await control.queues.update(by, scope, id, { status: 'completed' });
    expect([await waitingFor(control, scope, id, ann), (await control.queues.list(scope, { ...all, assigned_to: ann })).total]).toEqual([
      0, 0,
    ]);
  });

  guarantee('a queue that names others takes items back, and refuses those whom it does not name', async ({ control }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control);
    await control.queues.update(by, scope, id, { reviewer_ids: [bo] });
    expect([await waitingFor(control, scope, id, ann), await waitingFor(control, scope, id, bo)]).toEqual([0, 2]);
    const free = (await itemsOf(control, scope, id)).filter(({ assignees }) => assignees.length === 0);
    expect(free.map(({ status, assigned_to }) => [status, assigned_to])).toEqual(Array(2).fill(['pending', null]));
    const place = { queueId: id, itemId: free[0]?.id ?? '' };
    const refused = { name: 'NotAReviewer' };
    const reader = await aMember(control, scope.tenant_id, 'read');
    await expect(control.items.update(by, scope, place, { assigned_to: ann })).rejects.toMatchObject(refused);
    await expect(control.items.assign(by, scope, id, [place.itemId], ann)).rejects.toMatchObject(refused);
    for (const wrong of [reader, randomUUID()])
      await expect(control.queues.update(by, scope, id, { reviewer_ids: [wrong] })).rejects.toMatchObject(refused);
    const review = { status: 'completed', reviewer: ann, scores: [], comment: null, author_name: null } as const;
    const byAnn = { kind: 'user', id: ann, ip: null } as const;
    await expect(control.items.review(byAnn, scope, place, review)).rejects.toMatchObject({ problem: 'other' });
  });

  guarantee('progress counts the reviews of each reviewer and of each day, with the median of their times', async ({ control }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control, { reviewers_required: 2 }, 3);
    const ids = (await itemsOf(control, scope, id)).map((item) => item.id);
    const review = (reviewer: string, at: number, more: object) => reviewIn(control, scope, id, reviewer, ids[at], more);
    for (const [at, seconds] of [10, 40, 30].entries()) await review(ann, at, { seconds });
    await review(bo, 0, { seconds: 5 });
    await review(bo, 1, { status: 'skipped', seconds: 900 });
    const today = (await itemsOf(control, scope, id))[0]?.completed_at?.slice(0, 10) ?? '';
    expect(await control.queues.progress(scope, id, ['2001-01-01', today])).toEqual({
      items_counted: 3,
      reviewers: [
        { user_id: ann, assigned: 0, completed: 3, skipped: 0, median_seconds: 30 },
        { user_id: bo, assigned: 1, completed: 1, skipped: 1, median_seconds: 5 },
      ],
      days: [
        { date: '2001-01-01', completed: 0, skipped: 0 },
        { date: today, completed: 4, skipped: 1 },
      ],
    });
    expect(await control.queues.progress(scope, randomUUID(), [today])).toBeNull();
  });

  guarantee('many items are assigned at once, but none that is closed or reviewed by the assignee', async ({ control }) => {
    const { scope, ann, bo, id } = await aSharedQueue(control, { reviewer_ids: null, shares_evenly: false, reviewers_required: 2 });
    const ids = (await itemsOf(control, scope, id)).map((item) => item.id);
    const review = (reviewer: string, itemId?: string) => reviewIn(control, scope, id, reviewer, itemId);
    await review(ann, ids[0]);
    for (const reviewer of [ann, bo]) await review(reviewer, ids[1]);
    expect(await control.items.assign(by, scope, id, [...ids, randomUUID()], ann)).toBe(2);
    expect(await control.items.assign(by, scope, id, ids, bo)).toBe(3);
    const assignees = async () => (await itemsOf(control, scope, id)).map((item) => item.assignees);
    expect(await assignees()).toEqual([[bo], [], [bo], [bo]]);
    expect(await control.items.assign(by, scope, id, ids, null)).toBe(3);
    expect((await itemsOf(control, scope, id)).map(({ status }) => status)).toEqual(['in_progress', 'completed', 'pending', 'pending']);
    expect(await control.items.assign(by, scope, randomUUID(), ids, null)).toBeNull();
  });
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { ControlStore } from '../control-store.ts';
import type { ItemPlace, Review } from '../item-store.ts';
import type { Queue, QueueDraft } from '../queue-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, aMember, anApp, by, keyDraft } from './records.ts';

const queueDraft = (reviewers_required = 1): QueueDraft => ({
  ...{ name: 'q', description: null, instructions: null, dataset_id: null },
  ...{ score_config_names: ['tone'], reviewers_required },
});

const reviewBy = (reviewer: string, rest: Partial<Review> = {}): Review => ({
  ...{ status: 'completed', reviewer, scores: [], comment: null, author_name: null },
  ...rest,
});

const score = { name: 'tone', score: 1, label: '', reason: '' };

async function anItem(control: ControlStore, scope: Scope, required = 1): Promise<ItemPlace> {
  const { id: queueId } = await control.queues.create(by, scope, queueDraft(required));
  await control.items.add(by, scope, queueId, [{ resource_id: 'r', resource_type: 'trace' }]);
  const itemId = must((await control.items.list(scope, queueId, all))?.data[0], 'it was added').id;
  return { queueId, itemId };
}

const pendingScores = async (control: ControlStore, { app_id }: Scope) =>
  (await control.scoreOutbox.pending(0, 10_000)).filter(({ scope }) => scope.app_id === app_id);

export function reviewGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('an item is in a queue once, however many add it at once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await control.queues.create(by, scope, queueDraft());
    const resource = (resource_id: string) => ({ resource_id, resource_type: 'trace' as const });
    const { values, errors } = await race(({ items }, index) =>
      items.add(by, scope, id, [resource('same'), resource(`${index % 2}`), resource('same')]),
    );
    expect([errors, values.reduce((sum: number, added) => sum + (added ?? 0), 0)]).toEqual([[], 3]);
    expect((await control.items.list(scope, id, all))?.total).toBe(3);
    expect(await control.items.add(by, scope, randomUUID(), [resource('x')])).toBeNull();
  });

  guarantee('an archived queue takes no items', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await control.queues.create(by, scope, queueDraft());
    const result = await race(async ({ items, queues }, index) => {
      if (index === 20) return (await queues.update(by, scope, id, { status: 'archived' })) && 0;
      return items.add(by, scope, id, [{ resource_id: `${index}`, resource_type: 'trace' }]);
    });
    const added = result.values.reduce((sum: number, count) => sum + (count ?? 0), 0);
    expect((await control.items.list(scope, id, all))?.total).toBe(added);
    expect(new Set(result.errors.map(({ name }) => name))).toEqual(new Set(['QueueArchived']));
    const late = control.items.add(by, scope, id, [{ resource_id: 'late', resource_type: 'trace' }]);
    await expect(late).rejects.toMatchObject({ name: 'QueueArchived' });
  });

  guarantee('a reviewer reviews an item once', async ({ control, race }) => {
    const scope = await anApp(control);
    const place = await anItem(control, scope, 2);
    const review = reviewBy('r', { scores: [score], comment: 'words' });
    const [result] = expectSuccesses(await race(({ items }) => items.review(by, scope, place, review)), 1, 'ReviewRefused');
    expect(result?.review_progress).toEqual({ completed: 1, total: 1, required: 2 });
    expect((await control.comments.list(scope, all)).total).toBe(1);
    expect((await pendingScores(control, scope)).map(({ scores }) => scores.length)).toEqual([1]);
    await expect(control.items.review(by, scope, place, review)).rejects.toMatchObject({ problem: 'repeated' });
    expect(await control.items.review(by, scope, { ...place, itemId: randomUUID() }, review)).toBeNull();
  });

  guarantee('an item takes as many reviews as it requires, and no more', async ({ control, race }) => {
    const scope = await anApp(control);
    const place = await anItem(control, scope, 3);
    const result = await race(({ items }, index) => items.review(by, scope, place, reviewBy(`r${index}`, { scores: [score] })));
    const reviews = expectSuccesses(result, 3, 'ReviewRefused');
    expect(reviews.map((each) => each?.review_progress.completed).sort()).toEqual([1, 2, 3]);
    expect(result.errors.every((error) => 'problem' in error && error.problem === 'closed')).toBe(true);
    const last = reviews.find((each) => each?.review_progress.completed === 3);
    const item = { status: 'completed', completed_by: last?.reviewer.user_id };
    expect(await control.items.find(scope, place)).toMatchObject(item);
    expect(await pendingScores(control, scope)).toHaveLength(3);
  });

  guarantee('no open item has enough reviews, also when a queue comes to require fewer', async ({ control, race }) => {
    const scope = await anApp(control);
    const place = await anItem(control, scope, 150);
    const result = await race(async ({ items, queues }, index) => {
      if (index === 60) return void (await queues.update(by, scope, place.queueId, { reviewers_required: 50 }));
      return void (await items.review(by, scope, place, reviewBy(`r${index}`)));
    });
    expect(new Set(result.errors.map(({ name }) => name))).toEqual(new Set(['ReviewRefused']));
    expect(await control.items.find(scope, place)).toMatchObject({ status: 'completed' });
    expect((await control.queues.find(scope, place.queueId))?.progress).toMatchObject({ completed: 1, total: 1 });
  });

  guarantee('a skipped item closes when nobody else is to review it, and a reopened one is reviewed again', async ({ control }) => {
    const scope = await anApp(control);
    const place = await anItem(control, scope, 1);
    const user = await aMember(control, scope.tenant_id, 'write');
    const assigned = await control.items.update(by, scope, place, { assigned_to: user });
    expect(assigned).toMatchObject({ assigned_to: user, status: 'in_progress' });
    expect((await control.queues.list(scope, { ...all, assigned_to: user })).total).toBe(1);
    const skipped = await control.items.review(by, scope, place, reviewBy('other', { status: 'skipped' }));
    expect(skipped?.item.status).toBe('in_progress');
    expect((await control.items.review(by, scope, place, reviewBy(user, { status: 'skipped' })))?.item.status).toBe('skipped');
    await expect(control.items.review(by, scope, place, reviewBy('third'))).rejects.toMatchObject({ problem: 'closed' });
    expect((await control.queues.list(scope, { ...all, assigned_to: user })).total).toBe(0);
    await control.items.update(by, scope, place, { status: 'pending' });
    expect((await control.items.review(by, scope, place, reviewBy(user)))?.item).toMatchObject({ status: 'completed', completed_by: user });
    const page = await control.items.list(scope, place.queueId, { ...all, status: 'completed', assigned_to: user });
    expect(page?.data.map(({ id }) => id)).toEqual([place.itemId]);
    expect(await control.items.list(scope, randomUUID(), all)).toBeNull();
  });

  guarantee('queues are listed newest first, with their progress, and removed with their items once', async ({ control, race }) => {
    const scope = await anApp(control);
    const queues: Queue[] = [];
    for (let number = 0; number < 3; number++) queues.push(await control.queues.create(by, scope, queueDraft()));
    expect(await control.queues.list(scope, { limit: 1, offset: 1 })).toEqual({ data: [queues[1]], total: 3 });
    const place = await anItem(control, scope);
    expect((await control.queues.find(scope, place.queueId))?.progress).toMatchObject({ pending: 1, total: 1 });
    await control.items.review(by, scope, place, reviewBy('r', { scores: [score], comment: 'stays' }));
    expect(expectOneOf(await race(({ queues: store }) => store.remove(by, scope, place.queueId)))).toBe(true);
    expect([await control.queues.find(scope, place.queueId), await control.items.find(scope, place)]).toEqual([null, null]);
    expect([(await control.comments.list(scope, all)).total, (await pendingScores(control, scope)).length]).toEqual([1, 1]);
    expect(await control.queues.update(by, scope, place.queueId, { name: 'x' })).toBeNull();
  });

  guarantee('an item is removed once', async ({ control, race }) => {
    const scope = await anApp(control);
    const place = await anItem(control, scope);
    expect(expectOneOf(await race(({ items }) => items.remove(by, scope, place)))).toBe(true);
    expect([await control.items.find(scope, place), await control.items.update(by, scope, place, {})]).toEqual([null, null]);
  });

  guarantee('the scores of reviews are pending, in order, until they have arrived or their app is deleted', async ({ control }) => {
    const scope = await anApp(control);
    for (const name of ['a', 'b', 'c']) {
      const place = await anItem(control, scope);
      await control.items.review(by, scope, place, reviewBy('r', { scores: [{ ...score, name }] }));
    }
    const entries = await pendingScores(control, scope);
    expect(entries.map(({ scores }) => scores[0])).toMatchObject([{ name: 'a' }, { name: 'b', source: 'annotation' }, { name: 'c' }]);
    const [first, second] = entries.map(({ position }) => position) as [number, number];
    expect(await control.scoreOutbox.pending(first, 1)).toEqual([entries[1]]);
    for (let time = 0; time < 2; time++) await control.scoreOutbox.arrived(second);
    expect(await pendingScores(control, scope)).toEqual([entries[0], entries[2]]);
    await control.apps.remove(by, scope.tenant_id, scope.app_id);
    expect(await pendingScores(control, scope)).toEqual([]);
  });

  guarantee('comments have the name of their author, and are listed oldest first', async ({ control }) => {
    const scope = await anApp(control);
    const { id: keyId } = await control.keys.create(by, scope, keyDraft('a key'), null);
    const user = await control.users.ensure(by, { email: `${randomUUID()}@a.test`, name: 'Ann', password_hash: null });
    const authors: Actor[] = [
      { kind: 'user', id: user.id, ip: null },
      { kind: 'key', id: keyId, ip: null },
    ];
    const made = [];
    for (const [index, author] of authors.entries())
      made.push(await control.comments.create(author, scope, { resource_id: `${index}`, resource_type: 'trace', body: 'b' }));
    expect(made).toMatchObject([
      { author_name: 'Ann', user_id: user.id },
      { author_name: 'a key', user_id: null },
    ]);
    expect(await control.comments.list(scope, all)).toEqual({ data: made, total: 2 });
    expect(await control.comments.list(scope, { limit: 1, offset: 1 })).toEqual({ data: [made[1]], total: 2 });
    expect(await control.comments.list(scope, { ...all, resource_id: '1' })).toEqual({ data: [made[1]], total: 1 });
    expect((await control.comments.list(scope, { ...all, resource_type: 'session' })).total).toBe(0);
  });

  guarantee('a comment is removed once, by its author where only they may', async ({ control, race }) => {
    const scope = await anApp(control);
    const other: Actor = { kind: 'user', id: randomUUID(), ip: null };
    const comment = await control.comments.create(by, scope, { resource_id: 'x', resource_type: 'trace', body: 'b' });
    expect(await control.comments.remove(other, scope, comment.id, true)).toBe(false);
    expect(await control.comments.find(scope, comment.id)).toEqual(comment);
    expect(expectOneOf(await race(({ comments }, index) => comments.remove(by, scope, comment.id, index % 2 === 0)))).toBe(true);
    expect(await control.comments.find(scope, comment.id)).toBeNull();
  });
}

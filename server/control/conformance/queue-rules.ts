import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { QueueRule, QueueRuleDraft } from '../../../shared/contract/evaluation/queue-rules.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectSuccesses } from './race.ts';
import { all, anApp, auditedTimes, by } from './records.ts';

const draft: QueueRuleDraft = { filter: 'status = ERROR', sample_percent: 12.5, max_per_day: 3, paused: false };
const limits = { ofQueue: 20, ofApp: 20 };
const dayMs = 24 * 3_600_000;

async function aRule(control: ControlStore, scope: Scope, change: Partial<QueueRuleDraft> = {}) {
  const texts = { description: null, instructions: null, dataset_id: null };
  const { id: queueId } = await control.queues.create(by, scope, { name: 'q', ...texts, score_config_names: ['a'], reviewers_required: 1 });
  const rule = (await control.queueRules.create(by, scope, queueId, { ...draft, ...change }, limits)) as QueueRule;
  return { rule, place: { queueId, ruleId: rule.id } };
}

const itemsOf = async (control: ControlStore, scope: Scope, queueId: string) =>
  (await control.items.list(scope, queueId, all))?.data.map(({ resource_id }) => resource_id);

export function queueRuleGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'rules are listed with their queue, changed, and removed with it; a changed filter holds from now on',
    async ({ control, time }) => {
      const scope = await anApp(control);
      const { rule, place } = await aRule(control, scope);
      expect(rule).toMatchObject({ ...draft, queue_id: place.queueId, added: 0, last_added_at: null });
      expect(await control.queueRules.list(scope, place.queueId)).toEqual([rule]);
      time.ms += 1000;
      const slower = await control.queueRules.replace(by, scope, place, { ...draft, max_per_day: 5 });
      expect(slower).toEqual({ ...rule, max_per_day: 5 });
      const other = await control.queueRules.replace(by, scope, place, { ...draft, filter: '' });
      expect(Date.parse(other?.active_since ?? '')).toBeGreaterThan(Date.parse(rule.active_since));
      expect(await auditedTimes(control, scope.tenant_id, 'queue_rule.update', rule.id)).toBe(2);
      const unknown = { ...place, ruleId: randomUUID() };
      expect(await control.queueRules.replace(by, scope, unknown, draft)).toBeNull();
      expect([await control.queueRules.remove(by, scope, unknown), await control.queueRules.remove(by, scope, place)]).toEqual([
        false,
        true,
      ]);
      await control.queueRules.create(by, scope, place.queueId, draft, limits);
      await control.queues.remove(by, scope, place.queueId);
      expect(await control.queueRules.list(scope, place.queueId)).toBeNull();
      expect(await control.queueRules.create(by, scope, place.queueId, draft, limits)).toBeNull();
    },
  );

  guarantee('a queue and an app have at most as many rules as they may have', async ({ control, race }) => {
    const scope = await anApp(control);
    const { place } = await aRule(control, scope);
    const create = (queueId: string, max: typeof limits) => race(({ queueRules }) => queueRules.create(by, scope, queueId, draft, max));
    expectSuccesses(await create(place.queueId, { ...limits, ofQueue: 3 }), 2, 'LimitReached');
    const { place: other } = await aRule(control, scope);
    expectSuccesses(await create(other.queueId, { ...limits, ofApp: 5 }), 1, 'LimitReached');
  });

  guarantee('a trace is added once by rules, however many add it at once, also after its item is removed', async ({ control, race }) => {
    const scope = await anApp(control);
    const { place } = await aRule(control, scope, { max_per_day: 1000 });
    await control.items.add(by, scope, place.queueId, [{ resource_id: 'there', resource_type: 'trace' }]);
    const { values, errors } = await race(({ queueRules }, index) =>
      queueRules.fill(by, scope, place, ['there', 'same', `${index % 2}`, 'same']),
    );
    expect([errors, values.reduce((sum, { added }) => sum + added, 0)]).toEqual([[], 3]);
    expect((await itemsOf(control, scope, place.queueId))?.sort()).toEqual(['0', '1', 'same', 'there']);
    expect((await control.queueRules.list(scope, place.queueId))?.[0]).toMatchObject({ added: 3, last_added_at: expect.any(String) });
    const [item] = (await control.items.list(scope, place.queueId, all))?.data.filter(({ resource_id }) => resource_id === 'same') ?? [];
    await control.items.remove(by, scope, { queueId: place.queueId, itemId: item?.id ?? '' });
    expect(await control.queueRules.fill(by, scope, place, ['same'])).toEqual({ added: 0, isFull: false });
  });

  guarantee('a rule adds no more on a day than it may, and goes on the next day', async ({ control, race, time }) => {
    const scope = await anApp(control);
    const { place } = await aRule(control, scope);
    const { values } = await race(({ queueRules }, index) => queueRules.fill(by, scope, place, [`a${index}`]));
    expect(values.reduce((sum, { added }) => sum + added, 0)).toBe(3);
    expect(await control.queueRules.fill(by, scope, place, ['b'])).toEqual({ added: 0, isFull: true });
    const since = async () => (await control.queueRules.list(scope, place.queueId))?.[0]?.active_since;
    const nextDay = new Date((Math.floor(time.ms / dayMs) + 1) * dayMs).toISOString();
    expect(await since()).toBe(nextDay);
    await control.queueRules.replace(by, scope, place, { ...draft, paused: false });
    expect(await since()).toBe(nextDay);
    await control.queueRules.replace(by, scope, place, { ...draft, max_per_day: 4 });
    expect(await since()).toBe(new Date(time.ms).toISOString());
    expect(await control.queueRules.fill(by, scope, place, ['d', 'e'])).toEqual({ added: 1, isFull: true });
    time.ms += dayMs;
    expect(await control.queueRules.fill(by, scope, place, ['b', 'c'])).toEqual({ added: 2, isFull: false });
    time.ms -= dayMs;
    expect(await control.queueRules.fill(by, scope, place, ['f', 'g', 'h'])).toEqual({ added: 2, isFull: true });
  });

  guarantee('a rule that is paused, or whose queue is not active, adds nothing', async ({ control, time }) => {
    const scope = await anApp(control);
    const { rule, place } = await aRule(control, scope);
    const isActive = async () => (await control.queueRules.listActive()).some((active) => active.rule.id === rule.id);
    const fill = async () => [await isActive(), (await control.queueRules.fill(by, scope, place, [randomUUID()])).added];
    expect(await fill()).toEqual([true, 1]);
    await control.queueRules.replace(by, scope, place, { ...draft, paused: true });
    expect(await fill()).toEqual([false, 0]);
    await control.queueRules.replace(by, scope, place, draft);
    await control.queues.update(by, scope, place.queueId, { status: 'archived' });
    expect(await fill()).toEqual([false, 0]);
    time.ms += 1000;
    await control.queues.update(by, scope, place.queueId, { status: 'active' });
    const [resumed] = (await control.queueRules.list(scope, place.queueId)) ?? [];
    expect(resumed?.active_since).toBe(new Date(time.ms).toISOString());
  });

  guarantee('the last look at a rule and its problem are noted', async ({ control, time }) => {
    const scope = await anApp(control);
    const { rule, place } = await aRule(control, scope);
    expect([rule.looked_at, rule.problem]).toEqual([null, null]);
    await control.queueRules.note(scope, place, 'search_failed');
    const looked_at = new Date(time.ms).toISOString();
    expect(await control.queueRules.list(scope, place.queueId)).toEqual([{ ...rule, looked_at, problem: 'search_failed' }]);
  });
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { ControlStore } from '../control-store.ts';
import { alertDraft } from './alerts.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { claimOf } from './leases.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, anApp, by } from './records.ts';

export const channelDraft = (name: string) => ({ id: randomUUID(), kind: 'slack' as const, name, shown: 'hooks.test', sealed: 'x' });

export function alertChannelGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent channels of an app one has the name, and no more are made than may be', async ({ control, race }) => {
    const [scope, other] = [await anApp(control), await anApp(control)];
    await control.alertChannels.create(by, other, channelDraft('one'), 1);
    const [created] = expectSuccesses(
      await race(({ alertChannels }) => alertChannels.create(by, scope, channelDraft('one'), 99)),
      1,
      'Duplicate',
    );
    expect(await control.alertChannels.list(scope)).toEqual([created]);
    const result = await race(({ alertChannels }) => alertChannels.create(by, scope, channelDraft(randomUUID()), 3));
    expectSuccesses(result, 2, 'LimitReached');
    expect(await control.alertChannels.list(scope)).toHaveLength(3);
  });

  guarantee('a channel is computed from the current one, however many change it at once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await control.alertChannels.create(by, scope, { ...channelDraft('one'), sealed: '0' }, 9);
    await race(({ alertChannels }) =>
      alertChannels.change(by, scope, id, ({ name, shown, sealed }) => ({ name, shown, sealed: `${Number(sealed) + 1}` })),
    );
    expect(await control.alertChannels.find(scope, id)).toMatchObject({ sealed: '200', updated_by: 'system:test', kind: 'slack' });
    expect(await control.alertChannels.change(by, scope, randomUUID(), (current) => current)).toBeNull();
  });

  guarantee('a channel is removed once, and from every alert that names it', async ({ control, race }) => {
    const scope = await anApp(control);
    const [gone, kept] = [
      await control.alertChannels.create(by, scope, channelDraft('gone'), 9),
      await control.alertChannels.create(by, scope, channelDraft('kept'), 9),
    ];
    const draft = alertDraft('a', { channel_ids: [gone.id, kept.id], owner_id: randomUUID() });
    const alert = await control.alerts.create(by, scope, draft);
    expect((await control.alerts.list(scope, { ...all, owner_id: String(draft.owner_id) })).data).toEqual([alert]);
    expect((await control.alerts.list(scope, { ...all, owner_id: randomUUID() })).total).toBe(0);
    expect(expectOneOf(await race(({ alertChannels }) => alertChannels.remove(by, scope, gone.id)))).toBe(true);
    expect(await control.alerts.find(scope, alert.id)).toEqual({ ...alert, channel_ids: [kept.id] });
    expect(await control.alertChannels.list(scope)).toEqual([kept]);
  });
}

const triggered = { status: 'triggered', triggered_value: '6', is_silenced: false } as const;
const resolved = { ...triggered, status: 'resolved' } as const;

async function alertsOf(control: ControlStore, number: number) {
  const scope = await anApp(control);
  const names = Array.from({ length: number }, (_, index) => `a${index}`);
  return Promise.all(names.map((name) => control.alerts.create(by, scope, alertDraft(name))));
}

export function alertGroupGuarantees(guarantee: DeclareGuarantee): void {
  const read = async (control: ControlStore, alert: { tenant_id: string; app_id: string; id: string }) =>
    must(await control.alerts.find(alert, alert.id), 'it was created');

  guarantee('more than three notices to one receiver are one delivery, those to PagerDuty are not', async ({ location, time }) => {
    const control = await location().open(time);
    const claim = await claimOf(control);
    const [slack, pages] = [randomUUID(), randomUUID()];
    const notices = (payload: string) => [
      { destination: 'slack', environment_id: null, target_id: slack, payload } as const,
      { destination: 'pagerduty', environment_id: null, target_id: pages, payload } as const,
    ];
    const alerts = await alertsOf(control, 14);
    for (const alert of alerts) await control.alertWatch.change(claim, alert, { ...triggered, notices: notices(alert.name) });
    expect(await control.alertWatch.due(100)).toEqual([]);
    await control.alertWatch.gather(claim);
    const due = await control.alertWatch.due(100);
    const [group, ...others] = due.filter(({ target_id }) => target_id === slack);
    expect([group?.payloads.length, group?.triggered, group?.resolved, others]).toEqual([10, 14, 0, []]);
    const paged = due.filter(({ target_id }) => target_id === pages);
    expect([paged.length, new Set(paged.map(({ payloads }) => payloads.join())).size]).toEqual([10, 10]);
    expect((await control.alertWatch.due(2)).map(({ target_id }) => target_id).sort()).toEqual([slack, pages].sort());
    await control.alertWatch.recordAttempt(claim, must(group, 'it is due').id, {
      state: 'waiting',
      answer: 'no',
      next_ms: time.ms + 60_000,
    });
    // What comes later does not join a group that has been sent.
    const late = must((await alertsOf(control, 1))[0], 'it was created');
    const change = { ...triggered, notices: [{ ...must(notices('late')[0], 'first'), target_id: slack }] };
    await control.alertWatch.change(claim, late, change);
    await control.alertWatch.gather(claim);
    time.ms += 60_000;
    const again = (await control.alertWatch.due(100)).filter(({ target_id }) => target_id === slack);
    expect(again.find(({ id }) => id === group?.id)).toEqual({ ...group, attempts: 1 });
    expect(again.map(({ payloads }) => payloads.length).sort()).toEqual([1, 10]);
    // An alert that is deleted takes its notice out of the group.
    for (const alert of alerts.slice(0, 13)) await control.alerts.remove(by, alert, alert.id);
    const rest = (await control.alertWatch.due(100)).find(({ id }) => id === group?.id);
    expect(rest).toMatchObject({ payloads: ['a13'], triggered: 1, resolved: 0 });
  });

  guarantee(
    'a receiver is told that an alert resolved only after it was told that it triggered, or never will be',
    async ({ location, time }) => {
      const control = await location().open(time);
      const claim = await claimOf(control);
      const [alert] = await alertsOf(control, 1);
      const notice = (target_id: string, payload: string) =>
        ({ destination: 'pagerduty', environment_id: null, target_id, payload }) as const;
      const both = (payload: string) => [notice('p', payload), notice('q', payload)];
      await control.alertWatch.change(claim, must(alert, 'made'), { ...triggered, notices: both('triggered') });
      time.ms += 1000;
      await control.alerts.acknowledge(by, must(alert, 'made'), alert?.id ?? '', [notice('p', 'acknowledged')]);
      time.ms += 1000;
      await control.alertWatch.change(claim, await read(control, must(alert, 'made')), { ...resolved, notices: both('resolved') });
      const told: string[] = [];
      const round = async (state: 'delivered' | 'failed' | 'waiting') => {
        await control.alertWatch.gather(claim);
        for (const { id, target_id, payloads } of await control.alertWatch.due(100)) {
          told.push(`${target_id} ${payloads.join()}`);
          await control.alertWatch.recordAttempt(claim, id, { state, answer: null, next_ms: state === 'waiting' ? time.ms : null });
        }
        return told.splice(0).sort();
      };
      expect(await round('waiting')).toEqual(['p triggered', 'q triggered']);
      expect(await round('failed')).toEqual(['p triggered', 'q triggered']);
      expect(await round('delivered')).toEqual(['p acknowledged', 'q resolved']);
      expect(await round('delivered')).toEqual(['p resolved']);
      expect(await round('delivered')).toEqual([]);
      const { data } = await control.alertWatch.deliveries(must(alert, 'made'), alert?.id ?? '', all);
      expect(data.every(({ id, group_id }) => id === group_id)).toBe(true);
    },
  );

  guarantee('a gateway that lost the lease gathers nothing', async ({ location, time }) => {
    const control = await location().open(time);
    const lost = await claimOf(control);
    const [alert] = await alertsOf(control, 1);
    const notices = [{ destination: 'slack', environment_id: null, payload: 'x' } as const];
    await control.alertWatch.change(lost, must(alert, 'made'), { ...triggered, notices });
    await control.leases.release(lost);
    const claim = await claimOf(control, lost.name);
    await control.alertWatch.gather(lost);
    expect(await control.alertWatch.due(10)).toEqual([]);
    await control.alertWatch.gather(claim);
    expect(await control.alertWatch.due(10)).toHaveLength(1);
  });

  guarantee('tenants take turns: many notices of one do not keep those of the others waiting', async ({ location, time }) => {
    const control = await location().open(time);
    const claim = await claimOf(control);
    const notice = (target_id: string) => ({ destination: 'teams', environment_id: null, target_id, payload: 'x' }) as const;
    const trigger = async (number: number) => {
      for (const alert of await alertsOf(control, number))
        await control.alertWatch.change(claim, alert, { ...triggered, notices: [notice(randomUUID()), notice(randomUUID())] });
    };
    await trigger(10);
    time.ms += 1000;
    await trigger(1);
    await control.alertWatch.gather(claim);
    const tenants = (await control.alertWatch.due(4)).map(({ scope }) => scope.tenant_id);
    expect(tenants).toEqual([tenants[0], tenants[1], tenants[0], tenants[1]]);
    expect(new Set(tenants).size).toBe(2);
  });

  guarantee('it is known who was told that an alert triggered, also late and by an acknowledgement', async ({ location, time }) => {
    const control = await location().open(time);
    const claim = await claimOf(control);
    const alert = must((await alertsOf(control, 1))[0], 'made');
    const notice = (target_id: string) => ({ destination: 'pagerduty', environment_id: null, target_id, payload: target_id }) as const;
    const told = async () => (await control.alertWatch.told(alert)).map(({ target_id }) => target_id).sort();
    await control.alertWatch.change(claim, alert, { ...triggered, is_silenced: true, notices: [] });
    const silenced = await read(control, alert);
    expect(await told()).toEqual([]);
    await control.alerts.acknowledge(by, alert, alert.id, [notice('never')]);
    expect(await control.alertWatch.notifyLate(claim, silenced, [notice('p')])).toBe(false);
    await control.alertWatch.notifyLate(claim, await read(control, alert), [notice('p'), notice('q')], [notice('p')]);
    expect(await told()).toEqual(['p', 'q']);
    await control.alertWatch.gather(claim);
    expect((await control.alertWatch.due(9)).map(({ target_id }) => target_id).sort()).toEqual(['p', 'q']);
    await control.alertWatch.change(claim, await read(control, alert), { ...resolved, notices: [] });
    expect(await told()).toEqual([]);
  });
}

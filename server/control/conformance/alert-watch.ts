import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { PendingDelivery, Transition } from '../alert-watch.ts';
import { alertDraft } from './alerts.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { claimOf, expire } from './leases.ts';
import { expectOneOf, raceOver } from './race.ts';
import { all, anApp, by } from './records.ts';

const triggered = (notices: Transition['notices'] = []): Transition => ({
  ...{ status: 'triggered', triggered_value: '6', is_silenced: false, notices },
});
const slackNotice = { destination: 'slack', environment_id: null, payload: 'x' } as const;

export function alertWatchGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a gateway that lost the lease writes nothing', async ({ control, race, time }) => {
    const scope = await anApp(control);
    const alert = await control.alerts.create(by, scope, alertDraft('a'));
    const lost = await claimOf(control);
    expire(time);
    const claim = await claimOf(control, lost.name);
    expect(await control.alertWatch.change(lost, alert, triggered([slackNotice]))).toBe(false);
    expect((await control.alerts.find(scope, alert.id))?.status).toBe('resolved');
    const changes = await race(({ alertWatch }) => alertWatch.change(claim, alert, triggered([slackNotice])));
    expect(expectOneOf(changes)).toBe(true);
    expect(await control.alerts.history(scope, alert.id, all)).toMatchObject({ total: 1, data: [{ status: 'triggered' }] });
    const delivery = async () => (await control.alertWatch.deliveries(scope, alert.id, all)).data;
    const [waiting] = await delivery();
    await control.alertWatch.gather(claim);
    const [gathered] = await delivery();
    expect(gathered).toEqual({ ...waiting, group_id: waiting?.id });
    await control.alertWatch.recordAttempt(lost, waiting?.id ?? '', { state: 'delivered', answer: 'ok', next_ms: null });
    expect(await delivery()).toEqual([gathered]);
  });

  guarantee('an alert that is changed or deleted during its evaluation is not triggered', async ({ control: store }) => {
    const claim = await claimOf(store);
    const scope = await anApp(store);
    const [changed, deleted] = [
      await store.alerts.create(by, scope, alertDraft('a')),
      await store.alerts.create(by, scope, alertDraft('b')),
    ];
    await store.alerts.replace(by, scope, changed.id, alertDraft('a', { threshold: 50 }));
    await store.alerts.remove(by, scope, deleted.id);
    for (const alert of [changed, deleted]) expect(await store.alertWatch.change(claim, alert, triggered())).toBe(false);
    expect((await store.alerts.find(scope, changed.id))?.status).toBe('resolved');
    expect((await store.audit.list(scope.tenant_id, { limit: 1, offset: 0 })).data[0]?.action).toBe('alert.delete');
  });

  guarantee('an alert that triggers while it is muted is reported when the mute ends, once', async ({ control, race, time }) => {
    const scope = await anApp(control);
    const claim = await claimOf(control);
    const { id } = await control.alerts.create(by, scope, alertDraft('a'));
    const read = async () => must(await control.alerts.find(scope, id), 'it was created');
    const until = new Date(time.ms + 60_000).toISOString();
    const before = await read();
    expect(await control.alerts.mute(by, scope, id, until)).toMatchObject({ muted_until: until, muted_by: 'system:test' });
    expect(await control.alertWatch.change(claim, before, triggered([slackNotice]))).toBe(false);
    expect(await control.alertWatch.change(claim, await read(), { ...triggered(), is_silenced: true })).toBe(true);
    expect((await control.alertWatch.deliveries(scope, id, all)).total).toBe(0);
    const silenced = await read();
    expect(silenced).toMatchObject({ status: 'triggered', is_silenced: true });
    await control.alerts.mute(by, scope, id, null);
    expect(await control.alertWatch.notifyLate(claim, silenced, [slackNotice])).toBe(false);
    const unmuted = await read();
    const late = await race(({ alertWatch }) => alertWatch.notifyLate(claim, { ...unmuted }, [slackNotice]));
    expect(expectOneOf(late)).toBe(true);
    const [delivery] = (await control.alertWatch.deliveries(scope, id, all)).data;
    const [entry] = (await control.alerts.history(scope, id, all)).data;
    expect(delivery?.history_id).toBe(entry?.id);
  });

  guarantee('an alert that resolves is no longer acknowledged, nor muted until it resolves', async ({ control }) => {
    const scope = await anApp(control);
    const claim = await claimOf(control);
    const resolved: Transition = { status: 'resolved', triggered_value: '1', is_silenced: false, notices: [] };
    for (const until of ['resolved', '2100-01-01T00:00:00.000Z'] as const) {
      const { id } = await control.alerts.create(by, scope, alertDraft(until));
      const read = async () => must(await control.alerts.find(scope, id), 'it was created');
      await control.alertWatch.change(claim, await read(), triggered());
      await control.alerts.acknowledge(by, scope, id);
      await control.alerts.mute(by, scope, id, until);
      expect(await read()).toMatchObject({ acknowledged_by: 'system:test', muted_until: until });
      expect(await control.alertWatch.change(claim, await read(), resolved)).toBe(true);
      const kept = until === 'resolved' ? null : until;
      expect(await read()).toMatchObject({ acknowledged_at: null, acknowledged_by: null, muted_until: kept });
    }
  });

  guarantee('alerts of all apps are visited in the order of their ids', async ({ location, time }) => {
    const store = await location().open(time);
    const ids: string[] = [];
    for (const scope of [await anApp(store), await anApp(store)])
      for (const name of ['a', 'b']) ids.push((await store.alerts.create(by, scope, alertDraft(name))).id);
    const visited: string[] = [];
    for (let page = await store.alertWatch.next(null, 3); page.length > 0; page = await store.alertWatch.next(visited.at(-1) ?? '', 3))
      visited.push(...page.map(({ id }) => id));
    expect(visited).toEqual(ids.sort());
  });

  guarantee('a delivery is due until it ends, with each of its attempts counted', async ({ location, time }) => {
    const store = await location().open(time);
    const scope = await anApp(store);
    const claim = await claimOf(store);
    for (const name of ['a', 'b']) {
      const alert = await store.alerts.create(by, scope, alertDraft(name));
      await store.alertWatch.change(claim, alert, triggered([slackNotice]));
    }
    await store.alertWatch.gather(claim);
    const [first, second] = (await store.alertWatch.due(10)) as [PendingDelivery, PendingDelivery];
    const { payload, ...receiver } = { ...slackNotice, target_id: null };
    expect(first).toEqual({ ...receiver, id: expect.any(String), scope, payloads: [payload], triggered: 1, resolved: 0, attempts: 0 });
    expect(await store.alertWatch.due(1)).toEqual([first]);
    const retry = { state: 'waiting', answer: 'no', next_ms: time.ms + 60_000 } as const;
    expect((await raceOver([store], ({ alertWatch }) => alertWatch.recordAttempt(claim, first.id, retry))).errors).toEqual([]);
    expect((await store.alertWatch.due(10)).map(({ id }) => id)).toEqual([second.id]);
    time.ms += 60_000;
    expect((await store.alertWatch.due(10)).map(({ id, attempts }) => [id, attempts])).toEqual([
      [second.id, 0],
      [first.id, 200],
    ]);
    await store.alertWatch.recordAttempt(claim, first.id, { state: 'delivered', answer: 'ok', next_ms: null });
    expect((await store.alertWatch.due(10)).map(({ id }) => id)).toEqual([second.id]);
    const alertId = (await store.alerts.list(scope, all)).data[1]?.id ?? '';
    const deliveries = await store.alertWatch.deliveries(scope, alertId, all);
    expect(deliveries).toMatchObject({ total: 1, data: [{ id: first.id, state: 'delivered', attempts: 201, answer: 'ok' }] });
    await store.alerts.remove(by, scope, (await store.alerts.list(scope, all)).data[0]?.id ?? '');
    expect(await store.alertWatch.due(10)).toEqual([]);
  });
}

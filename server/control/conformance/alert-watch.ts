import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { PendingDelivery, Transition } from '../alert-watch.ts';
import type { ControlStore } from '../control-store.ts';
import { alertDraft } from './alerts.ts';
import type { ControlLocation, DeclareGuarantee } from './guarantee.ts';
import { expectOneOf, raceOver } from './race.ts';
import { all, anApp, by } from './records.ts';

const leaseMs = 180_000;
const startMs = Date.UTC(2026, 0, 15, 10);
const triggered = (notices: Transition['notices'] = []): Transition => ({ status: 'triggered', triggered_value: '6', notices });
const slackNotice = { destination: 'slack', environment_id: null, payload: 'x' } as const;

/** Three gateways with one store, and a clock each. */
async function threeGateways({ open }: Pick<ControlLocation, 'open'>) {
  const clocks = [0, 1, 2].map(() => ({ ms: startMs }));
  const stores: ControlStore[] = [];
  for (const clock of clocks) stores.push(await open({ now: () => clock.ms, monotonic: () => clock.ms }));
  const of = <T>(all: readonly T[], index: number) => must(all[index], 'there are three');
  return {
    stores,
    at: (index: number, ms: number) => {
      of(clocks, index).ms = startMs + ms;
    },
    take: (index: number) => of(stores, index).alertWatch.takeLease(`gateway ${index}`, leaseMs),
    release: (index: number) => of(stores, index).alertWatch.releaseLease(`gateway ${index}`),
  };
}

export function alertWatchGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('one of many gateways gets the lease', async ({ location }) => {
    const { stores } = await threeGateways(location());
    const taken = await raceOver(stores, async ({ alertWatch }, index) => (await alertWatch.takeLease(`${index}`, leaseMs)) && { index });
    const { index } = expectOneOf(taken);
    const results = await raceOver(stores, ({ alertWatch }, holder) => alertWatch.takeLease(`${holder}`, leaseMs));
    expect(results.values.flatMap((isTaken, holder) => (isTaken ? [holder] : []))).toEqual([index]);
  });

  guarantee('the holder keeps the lease by renewing it, and is followed after it expires', async ({ location }) => {
    const { take, at } = await threeGateways(location());
    expect([await take(0), await take(1), await take(2)]).toEqual([true, false, false]);
    at(0, leaseMs - 1);
    expect(await take(0)).toBe(true);
    at(1, leaseMs + 1);
    expect(await take(1)).toBe(false);
    at(1, 2 * leaseMs);
    at(2, 2 * leaseMs);
    expect([await take(2), await take(1), await take(0)]).toEqual([true, false, false]);
  });

  guarantee('a lease taken before the clock was set back by an hour does not last an hour longer', async ({ location }) => {
    const { take, at } = await threeGateways(location());
    at(0, 3_600_000);
    expect(await take(0)).toBe(true);
    at(1, 3_600_000 - leaseMs + 1);
    expect(await take(1)).toBe(false);
    at(1, 0);
    expect(await take(1)).toBe(true);
  });

  guarantee('a released lease is available at once, and only its holder can release it', async ({ location }) => {
    const { take, release } = await threeGateways(location());
    await take(0);
    await release(1);
    expect(await take(1)).toBe(false);
    await release(0);
    expect(await take(1)).toBe(true);
  });

  guarantee('a gateway that lost the lease writes nothing, even if it still holds it by its own clock', async ({ location }) => {
    const { stores, take, at } = await threeGateways(location());
    const [first, second] = stores as [ControlStore, ControlStore];
    const scope = await anApp(first);
    const alert = await first.alerts.create(by, scope, alertDraft('a'));
    await take(0);
    at(1, leaseMs + 1);
    await take(1);
    expect(await first.alertWatch.change('gateway 0', alert, triggered([slackNotice]))).toBe(false);
    expect((await first.alerts.find(scope, alert.id))?.status).toBe('resolved');
    const changes = await raceOver(stores, ({ alertWatch }) => alertWatch.change('gateway 1', alert, triggered([slackNotice])));
    expect(expectOneOf(changes)).toBe(true);
    expect(await second.alerts.history(scope, alert.id, all)).toMatchObject({ total: 1, data: [{ status: 'triggered' }] });
    expect(await second.alertWatch.due(10)).toHaveLength(1);
  });

  guarantee('an alert that is changed or deleted during its evaluation is not triggered', async ({ location }) => {
    const { stores, take } = await threeGateways(location());
    const [store] = stores as [ControlStore];
    await take(0);
    const scope = await anApp(store);
    const [changed, deleted] = [
      await store.alerts.create(by, scope, alertDraft('a')),
      await store.alerts.create(by, scope, alertDraft('b')),
    ];
    await store.alerts.replace(by, scope, changed.id, alertDraft('a', { threshold: 50 }));
    await store.alerts.remove(by, scope, deleted.id);
    for (const alert of [changed, deleted]) expect(await store.alertWatch.change('gateway 0', alert, triggered())).toBe(false);
    expect((await store.alerts.find(scope, changed.id))?.status).toBe('resolved');
    expect((await store.audit.list(scope.tenant_id, { limit: 1, offset: 0 })).data[0]?.action).toBe('alert.delete');
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
    await store.alertWatch.takeLease('g', 3_600_000);
    for (const name of ['a', 'b']) {
      const alert = await store.alerts.create(by, scope, alertDraft(name));
      await store.alertWatch.change('g', alert, triggered([slackNotice]));
    }
    const [first, second] = (await store.alertWatch.due(10)) as [PendingDelivery, PendingDelivery];
    expect(first).toEqual({ ...slackNotice, id: expect.any(String), scope, attempts: 0 });
    expect(await store.alertWatch.due(1)).toEqual([first]);
    const retry = { state: 'waiting', answer: 'no', next_ms: time.ms + 60_000 } as const;
    expect((await raceOver([store], ({ alertWatch }) => alertWatch.recordAttempt(first.id, retry))).errors).toEqual([]);
    expect((await store.alertWatch.due(10)).map(({ id }) => id)).toEqual([second.id]);
    time.ms += 60_000;
    expect((await store.alertWatch.due(10)).map(({ id, attempts }) => [id, attempts])).toEqual([
      [second.id, 0],
      [first.id, 200],
    ]);
    await store.alertWatch.recordAttempt(first.id, { state: 'delivered', answer: 'ok', next_ms: null });
    expect((await store.alertWatch.due(10)).map(({ id }) => id)).toEqual([second.id]);
    const alertId = (await store.alerts.list(scope, all)).data[1]?.id ?? '';
    const deliveries = await store.alertWatch.deliveries(scope, alertId, all);
    expect(deliveries).toMatchObject({ total: 1, data: [{ id: first.id, state: 'delivered', attempts: 201, answer: 'ok' }] });
    await store.alerts.remove(by, scope, (await store.alerts.list(scope, all)).data[0]?.id ?? '');
    expect(await store.alertWatch.due(10)).toEqual([]);
  });
}

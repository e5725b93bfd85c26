import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Alert, AlertDraft } from '../alert-store.ts';
import type { Transition } from '../alert-watch.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { claimOf } from './leases.ts';
import { expectOneOf, expectSuccesses } from './race.ts';
import { all, anApp, anEnvironment, by } from './records.ts';

export const alertDraft = (name: string, rest: Partial<AlertDraft> = {}): AlertDraft => ({
  ...{ name, metric: 'error_rate', threshold: 5, time_window: 15, use_slack: true, use_webhook: true, environment_id: null },
  ...{ evaluation_name: null, evaluation_aggregation: null, evaluation_threshold_direction: null },
  ...{ channel_ids: [], owner_id: null },
  ...rest,
});

export function alertGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('of concurrent alerts of an app with one name one is created', async ({ control, race }) => {
    const scope = await anApp(control);
    const [created] = expectSuccesses(await race(({ alerts }) => alerts.create(by, scope, alertDraft('one'))), 1, 'Duplicate');
    expect(created).toMatchObject({ status: 'resolved', updated_at: null });
    expect(await control.alerts.list(scope, all)).toEqual({ data: [created], total: 1 });
  });

  guarantee('of two alerts that get one name at once one keeps it', async ({ control, race }) => {
    const scope = await anApp(control);
    const alerts = [await control.alerts.create(by, scope, alertDraft('a')), await control.alerts.create(by, scope, alertDraft('b'))];
    const result = await race(({ alerts: store }, index) => store.replace(by, scope, alerts[index % 2]?.id ?? '', alertDraft('taken')));
    const replaced = expectSuccesses(result, 100, 'Duplicate');
    expect(new Set(replaced.map((alert) => alert?.id)).size).toBe(1);
    const names = (await control.alerts.list(scope, all)).data.map(({ name }) => name);
    expect(names.filter((name) => name === 'taken')).toHaveLength(1);
  });

  guarantee('an alert is acknowledged by the first, and only while it is triggered', async ({ control, race }) => {
    const scope = await anApp(control);
    const alert = await control.alerts.create(by, scope, alertDraft('a'));
    const { alerts } = control;
    expect([await alerts.acknowledge(by, scope, alert.id), await alerts.mute(by, scope, alert.id, 'resolved')]).toEqual([
      'resolved',
      'resolved',
    ]);
    const transition: Transition = { status: 'triggered', triggered_value: '6', is_silenced: false, notices: [] };
    await control.alertWatch.change(await claimOf(control), alert, transition);
    const { values } = await race(({ alerts: store }, index) =>
      store.acknowledge({ kind: 'user', id: `u${index}`, ip: null }, scope, alert.id),
    );
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(1);
    const actions = (await control.audit.list(scope.tenant_id, all)).data.map(({ action }) => action);
    expect(actions.filter((action) => action === 'alert.acknowledge')).toHaveLength(1);
    const [stored] = values;
    expect(await alerts.replace(by, scope, alert.id, alertDraft('b'))).toMatchObject({
      ...{ name: 'b', acknowledged_by: (stored as Alert).acknowledged_by, acknowledged_at: (stored as Alert).acknowledged_at },
    });
    expect([await alerts.acknowledge(by, scope, randomUUID()), await alerts.mute(by, scope, randomUUID(), null)]).toEqual([null, null]);
  });

  guarantee('alerts are listed newest first, by each of their filters, and removed once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id: environment_id } = await anEnvironment(control, scope);
    const made = [
      await control.alerts.create(by, scope, alertDraft('a', { environment_id })),
      await control.alerts.create(by, scope, alertDraft('b', { metric: 'cost' })),
      await control.alerts.create(by, scope, alertDraft('c')),
    ];
    expect(await control.alerts.list(scope, { limit: 1, offset: 1 })).toEqual({ data: [made[1]], total: 3 });
    expect(await control.alerts.list(scope, { ...all, environment_id })).toEqual({ data: [made[0]], total: 1 });
    expect(await control.alerts.list(scope, { ...all, metric: 'cost' })).toEqual({ data: [made[1]], total: 1 });
    expect((await control.alerts.list(scope, { ...all, status: 'triggered' })).total).toBe(0);
    const id = made[0]?.id ?? '';
    expect(expectOneOf(await race(({ alerts }) => alerts.remove(by, scope, id)))).toBe(true);
    expect([await control.alerts.find(scope, id), await control.alerts.replace(by, scope, id, alertDraft('x'))]).toEqual([null, null]);
  });

  guarantee('a destination is computed from the current one, however many change it at once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await anEnvironment(control, scope);
    const next = (text: string | undefined) => `${Number(text ?? 0) + 1}`;
    const webhooks = await race(({ alertDestinations }) =>
      alertDestinations.putWebhook(by, scope, id, (current) => ({
        ...{ url: next(current?.url), sealed_secret: null, sealed_previous_secret: null, previous_secret_until: null },
      })),
    );
    const slacks = await race(({ alertDestinations }) =>
      alertDestinations.putSlack(by, scope, (current) => ({ sealed_token: next(current?.sealed_token), channel_id: null })),
    );
    const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
    expect(webhooks.values.map(({ url }) => Number(url)).sort((a, b) => a - b)).toEqual(numbers);
    expect(slacks.values.map((slack) => Number(slack?.sealed_token)).sort((a, b) => a - b)).toEqual(numbers);
    expect(await control.alertDestinations.findWebhook(scope, id)).toMatchObject({ environment_id: id, url: '200' });
    expect(await control.alertDestinations.findSlack(scope)).toMatchObject({ sealed_token: '200', updated_by: 'system:test' });
  });

  guarantee('a destination is removed once', async ({ control, race }) => {
    const scope = await anApp(control);
    const { id } = await anEnvironment(control, scope);
    const webhook = { url: 'https://a.b/', sealed_secret: null, sealed_previous_secret: null, previous_secret_until: null };
    await control.alertDestinations.putWebhook(by, scope, id, () => webhook);
    expect(await control.alertDestinations.putSlack(by, scope, () => null)).toBeNull();
    expect(await control.alertDestinations.findSlack(scope)).toBeNull();
    await control.alertDestinations.putSlack(by, scope, () => ({ sealed_token: 'x', channel_id: 'C1' }));
    expect(expectOneOf(await race(({ alertDestinations }) => alertDestinations.removeWebhook(by, scope, id)))).toBe(true);
    expect(expectOneOf(await race(({ alertDestinations }) => alertDestinations.removeSlack(by, scope)))).toBe(true);
    expect(await control.alertDestinations.findWebhook(scope, randomUUID())).toBeNull();
    expect([await control.alertDestinations.findWebhook(scope, id), await control.alertDestinations.findSlack(scope)]).toEqual([
      null,
      null,
    ]);
  });
}

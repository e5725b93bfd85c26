/** The lease, which one of several gateways holds: one file, with a store and a clock for each gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bootstrap } from '../../entry/bootstrap.ts';
import type { Actor } from '../actor.ts';
import type { AlertDraft } from '../alert-store.ts';
import type { ControlStore } from '../control-store.ts';
import { openSqliteControl } from './store.ts';

const startMs = Date.UTC(2026, 0, 15, 10);
const leaseMs = 180_000;
const by: Actor = { kind: 'system', id: 'test', ip: null };
const draft: AlertDraft = {
  ...{ name: 'errors', metric: 'error_rate', threshold: 5, time_window: 15, use_slack: true, use_webhook: true, environment_id: null },
  ...{ evaluation_name: null, evaluation_aggregation: null, evaluation_threshold_direction: null },
} as const;

let dataDir: string;
let clocks: { ms: number; now(): number; monotonic(): number }[];
let stores: ControlStore[];
let scope: { tenant_id: string; app_id: string };
const aClock = () => ({
  ms: startMs,
  now() {
    return this.ms;
  },
  monotonic() {
    return this.ms;
  },
});

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-lease-'));
  const { tenant_id, app_id } = await bootstrap({ dataDir, email: 'a@b.test', password: 'correct horse', tenant: 'acme' });
  scope = { tenant_id, app_id };
  clocks = [aClock(), aClock(), aClock()];
  stores = clocks.map((clock) => openSqliteControl(dataDir, clock));
});
afterEach(async () => {
  for (const store of stores) await store.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const take = (index: number) => (stores[index] as ControlStore).alertWatch.takeLease(`gateway ${index}`, leaseMs);
const at = (index: number, ms: number) => {
  (clocks[index] as { ms: number }).ms = startMs + ms;
};

it('one of three gateways gets the lease, keeps it by renewing it, and is followed after it expires', async () => {
  expect(await Promise.all([0, 1, 2].map(take))).toEqual([true, false, false]);
  at(0, leaseMs - 1);
  expect(await take(0)).toBe(true);
  at(1, leaseMs + 1);
  expect(await take(1)).toBe(false);
  at(1, 2 * leaseMs);
  at(2, 2 * leaseMs);
  expect([await take(2), await take(1), await take(0)]).toEqual([true, false, false]);
});

it('a lease taken before the clock was set back by an hour does not last an hour longer', async () => {
  at(0, 3_600_000);
  expect(await take(0)).toBe(true);
  at(1, 3_600_000 - leaseMs + 1);
  expect(await take(1)).toBe(false);
  at(1, 0);
  expect(await take(1)).toBe(true);
});

it('a released lease is available at once, and only its holder can release it', async () => {
  await take(0);
  await stores[1]?.alertWatch.releaseLease('gateway 1');
  expect(await take(1)).toBe(false);
  await stores[0]?.alertWatch.releaseLease('gateway 0');
  expect(await take(1)).toBe(true);
});

it('a gateway that lost the lease writes nothing, even if it still holds it by its own clock', async () => {
  const [first, second] = stores as [ControlStore, ControlStore];
  const alert = await first.alerts.create(by, scope, draft);
  const notices = [{ destination: 'slack', environment_id: null, payload: 'x' }] as const;
  const change = (store: ControlStore, holder: string) =>
    store.alertWatch.change(holder, alert, { status: 'triggered', triggered_value: '6', notices: [...notices] });
  await take(0);
  at(1, leaseMs + 1);
  await take(1);
  expect(await change(first, 'gateway 0')).toBe(false);
  expect(await change(second, 'gateway 1')).toBe(true);
  expect(await change(second, 'gateway 1')).toBe(false);
  expect((await first.alerts.history(scope, alert.id, { limit: 10, offset: 0 })).total).toBe(1);
  expect(await second.alertWatch.due(10)).toHaveLength(1);
});

it('an alert that is changed during its evaluation keeps the change', async () => {
  const [store] = stores as [ControlStore];
  await take(0);
  const alert = await store.alerts.create(by, scope, draft);
  await store.alerts.replace(by, scope, alert.id, { ...draft, threshold: 50 });
  const transition = { status: 'triggered', triggered_value: '6', notices: [] } as const;
  expect(await store.alertWatch.change('gateway 0', alert, { ...transition, notices: [] })).toBe(false);
  expect((await store.alerts.find(scope, alert.id))?.status).toBe('resolved');
  const { data } = await store.audit.list(scope.tenant_id, { limit: 2, offset: 0 });
  expect(data.map(({ action }) => action)).toEqual(['alert.update', 'alert.create']);
});

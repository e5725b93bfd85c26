/** Delivery from the outbox to the telemetry store, with the real stores; a step between them fails when the test says so. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type ScoreQuery, scoreQuery } from '../../shared/contract/evaluation/scores.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { OutgoingScores } from '../control/score-outbox.ts';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { testLeases } from '../fixtures/test-leases.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { openSqliteTelemetry } from '../telemetry/sqlite/store.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { Delivery, type DeliveryParts } from './outbox.ts';

const worker = new URL('../entry/thread.ts', import.meta.url);
const everything: ScoreQuery = scoreQuery.parse({ limit: 1000 });
const by = { kind: 'system', id: 'test', ip: null } as const;
let dataDir: string;
let control: ControlStore;
let telemetry: TelemetryStore;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-delivery-'));
  control = openSqliteControl(dataDir, systemClock);
  telemetry = await openSqliteTelemetry(dataDir, worker);
});
afterAll(async () => {
  await telemetry.stop();
  await control.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

afterEach(async () => {
  for (const delivery of open.splice(0)) await delivery.stop();
});

/** An app with reviewed items, whose scores are pending. */
async function anApp(reviews: number): Promise<Scope> {
  const tenant = await control.tenants.create(by, { name: randomUUID(), plan: 'free' });
  const app = await control.apps.create(by, tenant.id, { name: 'app', display_name: null, runtime: null, entry_point: null }, null);
  const scope = { tenant_id: tenant.id, app_id: app.id };
  const draft = { name: 'q', description: null, score_config_names: ['n'], dataset_id: null, instructions: null, reviewers_required: 1 };
  const { id: queueId } = await control.queues.create(by, scope, draft);
  const resources = Array.from({ length: reviews }, (_, index) => ({ resource_id: `t${index}`, resource_type: 'trace' as const }));
  await control.items.add(by, scope, queueId, resources);
  const items = await control.items.list(scope, queueId, { limit: 1000, offset: 0 });
  for (const { id: itemId } of items?.data ?? []) {
    const scores = [{ name: 'n', score: 1, label: '', reason: '' }];
    const review = { status: 'completed' as const, reviewer: 'r', scores, comment: null, author_name: null };
    await control.items.review(by, scope, { queueId, itemId }, review);
  }
  return scope;
}

const open: Delivery<OutgoingScores>[] = [];

/** A delivery of a gateway of its own, stopped after the test. */
function deliveryOf(parts: Partial<DeliveryParts<OutgoingScores>> = {}): Delivery<OutgoingScores> {
  const delivery = new Delivery<OutgoingScores>({
    name: 'scores',
    outbox: control.scoreOutbox,
    leases: testLeases(control),
    deliver: ({ scope, scores }) => telemetry.scores.insert(scope, scores),
    event: 'scores_wait',
    log: silentLog,
    everyMs: 1,
    ...parts,
  });
  open.push(delivery);
  return delivery;
}
const delivered = async (scope: Scope) => (await telemetry.scores.list(scope, everything)).total;
const pending = async () => (await control.scoreOutbox.pending(0, 1000)).length;

it('pending entries are delivered once, however many there are and however often delivery is requested', async () => {
  const scope = await anApp(25);
  const delivery = deliveryOf();
  expect([await delivered(scope), await pending()]).toEqual([0, 25]);
  await Promise.all([delivery.deliver(), delivery.deliver(), delivery.deliver()]);
  expect([await delivered(scope), await pending()]).toEqual([25, 0]);
});

it('an entry that was delivered and could not be removed is stored once', async () => {
  const scope = await anApp(2);
  const failingOutbox = { ...control.scoreOutbox, arrived: () => Promise.reject(new Error('the disk is full')) };
  const delivery = deliveryOf({ outbox: failingOutbox });
  for (let i = 0; i < 3; i++) await delivery.deliver();
  await delivery.stop();
  expect([await delivered(scope), await pending()]).toEqual([2, 2]);
  await deliveryOf().deliver();
  expect([await delivered(scope), await pending()]).toEqual([2, 0]);
});

it('an entry that cannot be stored does not block the others, and is retried automatically', async () => {
  const [stuck, next] = [await anApp(1), await anApp(1)];
  let isBroken = true;
  const retried = Promise.withResolvers<void>();
  const insert: typeof telemetry.scores.insert = async (scope, scores) => {
    if (isBroken && scope.app_id === stuck.app_id) throw new Error('the disk is full');
    const stored = await telemetry.scores.insert(scope, scores);
    if (scope.app_id === stuck.app_id) retried.resolve();
    return stored;
  };
  const delivery = deliveryOf({ deliver: ({ scope, scores }) => insert(scope, scores) });
  await delivery.deliver();
  expect([await delivered(stuck), await delivered(next), await pending()]).toEqual([0, 1, 1]);
  const waitedMs = delivery.waitingMs;
  expect(waitedMs).toBeGreaterThan(0);
  await expect.poll(() => delivery.waitingMs).toBeGreaterThan(waitedMs + 10);
  isBroken = false;
  await retried.promise;
  await delivery.stop();
  expect([await delivered(stuck), await pending(), delivery.waitingMs]).toEqual([1, 0, 0]);
});

it('of gateways that deliver at once each entry is delivered by one, and all of them find it delivered', async () => {
  const scope = await anApp(30);
  const positions: number[] = [];
  const deliver = async ({ scope, scores, position }: OutgoingScores) => {
    positions.push(position);
    await telemetry.scores.insert(scope, scores);
  };
  const deliveries = Array.from({ length: 4 }, () => deliveryOf({ deliver }));
  await Promise.all(
    deliveries.map(async (delivery) => {
      await delivery.deliver();
      expect([await delivered(scope), await pending()]).toEqual([30, 0]);
    }),
  );
  expect([positions.length, new Set(positions).size]).toEqual([30, 30]);
});

it('entries of a gateway that has gone are delivered by another one when its lease ends', async () => {
  const scope = await anApp(3);
  await control.leases.claim('outbox/scores', 'gone');
  const delivery = deliveryOf();
  await delivery.deliver();
  expect(await delivered(scope)).toBe(0);
  await expect.poll(() => delivered(scope)).toBe(3);
});

import { expect, vi } from 'vitest';
import { aChat, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { TelemetryStore } from '../store.ts';
import { type DeclareGuarantee, whileOpen } from './guarantee.ts';
import { aScore } from './scores.ts';
import { Tenant } from './tenant.ts';

/** Data may be removed gradually. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 50 });

async function fill(app: Tenant): Promise<void> {
  const traceId = aTraceId();
  await app.write([aChat({ traceId, attributes: { 'session.id': 'chat', 'user.id': 'ann' } })]);
  await app.store.scores.insert(app.scope, [aScore({ resource_id: traceId })]);
}

const readAll = async (app: Tenant) => ({
  ...(await app.everything()),
  names: (await app.store.scores.names(app.scope)).decode(),
  searched: (await app.traces({ filter: 'user_id = ann' })).total,
});

export function erasureGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'nothing of an erased app can be read once newer data of others has arrived, and other apps keep theirs',
    async ({ tenant }) => {
      const [gone, empty] = [tenant(), tenant()];
      // Another app of the same tenant.
      const neighbour = new Tenant(gone.store, { ...gone.scope, app_id: 'another' });
      for (const app of [gone, neighbour]) await fill(app);
      const kept = await readAll(neighbour);
      const nothing = await readAll(empty);
      await gone.store.erase(gone.scope);
      await eventually(async () => expect(await readAll(gone)).toEqual(nothing));
      expect(await readAll(neighbour)).toEqual(kept);
    },
  );

  guarantee('an accepted erasure is finished after the store is opened again', async ({ location }) => {
    const shared = location();
    const app = (store: TelemetryStore) => new Tenant(store, { tenant_id: 'tenant', app_id: 'app' });
    const nothing = await whileOpen(shared, (store) => readAll(app(store)));
    await whileOpen(shared, async (store) => {
      await fill(app(store));
      await fill(new Tenant(store));
      await store.erase(app(store).scope);
    });
    await whileOpen(shared, (store) => eventually(async () => expect(await readAll(app(store))).toEqual(nothing)));
  });
}

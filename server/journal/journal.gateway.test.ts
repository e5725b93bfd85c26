/** Two gateways over one journal, with real databases. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { ARun } from '../fixtures/a-run.ts';
import { Fleet, type FleetDatabases, type FleetGateway } from '../fixtures/fleet.ts';
import { withClient } from '../fixtures/postgres.ts';
import { batchOf } from '../telemetry/conformance/batch-of.ts';
import { Tenant } from '../telemetry/conformance/tenant.ts';
import { partOf } from '../telemetry/tenant-parts.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };

describe('gateways of a fleet', () => {
  let fleet: Fleet;
  let databases: FleetDatabases;
  const gateways: FleetGateway[] = [];

  beforeAll(async () => {
    fleet = await Fleet.start();
  });
  afterAll(() => fleet.stop());
  beforeEach(async () => {
    databases = await fleet.createDatabases();
  });
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
    await databases.drop();
  });

  const open = async (limits?: Parameters<FleetDatabases['open']>[0]): Promise<FleetGateway> => {
    const gateway = await databases.open(limits);
    gateways.push(gateway);
    return gateway;
  };
  const stop = async (gateway: FleetGateway) => {
    gateways.splice(gateways.indexOf(gateway), 1);
    await gateway.stop();
  };
  const rows = (sql: string) => withClient(databases.postgres.url, async (client) => (await client.query(sql)).rows as unknown[]);
  /** Notices of results, from now on. */
  const resultsTold = async (): Promise<string[]> => {
    const told: string[] = [];
    const client = new Client({ connectionString: databases.postgres.url });
    client.on('notification', ({ payload = '' }) => payload.includes('journal-results') && told.push(payload));
    // It stays open until the server of the tests ends, or the database is dropped.
    client.on('error', () => {});
    await client.connect();
    await client.query('LISTEN glasshouse_notices');
    return told;
  };
  const appOf = ({ telemetry }: FleetGateway, of = scope) => new Tenant(telemetry, of);

  it('write for each other, and each sender has the counts and conflicts of its request', async () => {
    const apps = [await open(), await open()].map((gateway) => appOf(gateway));
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const [first, second] = apps as [Tenant, Tenant];
    expect(await first.write([aSpan({ ...ids, name: 'first' })])).toEqual({ accepted: 1, duplicates: 0, conflicts: [] });
    expect(await second.write([aSpan({ ...ids, name: 'first' })])).toMatchObject({ accepted: 0 });
    expect((await second.write([aSpan({ ...ids, name: 'other' })])).conflicts).toHaveLength(1);
    for (const app of apps) expect((await app.onlyTrace()).name).toBe('first');
    // One of them is not the one that deletes.
    const heard = apps.map(({ store }) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      store.deletions.follow(({ id, state }) => state === 'erasing' && resolve(id));
      return promise;
    });
    const id = randomUUID();
    await second.store.deletions.begin(scope, id, { trace_ids: [ids.traceId] });
    expect(await Promise.all(heard)).toEqual([id, id]);
    expect(await rows('SELECT * FROM journal')).toEqual([]);
  });

  it('share the tenants, and take over those of a gateway that stopped', async () => {
    const [first, second] = [await open(), await open()];
    await expect.poll(() => [first, second].map(({ leases }) => leases.held().get('journal'))).toEqual([16, 16]);
    const tenants = Array.from({ length: 12 }, (_, number) => ({ tenant_id: `tenant-${number}`, app_id: 'app' }));
    for (const of of tenants) await appOf(first, of).write([aChat()]);
    await stop(first);
    await expect.poll(() => second.leases.held().get('journal')).toBe(32);
    for (const of of tenants) await appOf(second, of).write([aChat()]);
    for (const of of tenants) expect((await appOf(second, of).traces()).total).toBe(2);
  });

  it('apply what was accepted while nobody could, nothing twice, and tell nobody who does not wait any more', async () => {
    const told = await resultsTold();
    const gateway = await open({ waitMs: 100 });
    await expect.poll(() => gateway.leases.held().get('journal')).toBe(32);
    const spans = [aChat()];
    // Its lease is somebody else's now, who has gone.
    await rows(`UPDATE lease SET holder = 'gone', epoch = epoch + 1 WHERE name LIKE 'journal/%'`);
    const accepted = await appOf(gateway).write(spans);
    expect(accepted).toEqual({ accepted: 1, duplicates: 0, conflicts: [] });
    await rows(`UPDATE journal SET accepted_at = accepted_at - interval '1 minute'`);
    await expect.poll(async () => (await appOf(gateway).traces()).total, { timeout: 60_000 }).toBe(1);
    await expect.poll(() => rows('SELECT id FROM journal'), { timeout: 60_000 }).toEqual([]);
    await stop(gateway);
    expect(await appOf(await open()).write(spans)).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(told).toEqual([]);
  });

  it('answer many batches without their results, so that exporters do not wait for commits', async () => {
    const gateway = await open({ waitMs: 1_000, busyWaitMs: 0 });
    await expect.poll(() => gateway.leases.held().get('journal')).toBe(32);
    // Nobody stores anything meanwhile.
    await rows(`UPDATE lease SET holder = 'gone', epoch = epoch + 1 WHERE name LIKE 'journal/%'`);
    const answered: number[] = [];
    const write = async (number: number) => {
      expect(await appOf(gateway).write([aChat()])).toMatchObject({ accepted: 1 });
      answered.push(number);
    };
    await Promise.all(Array.from({ length: 6 }, (_, number) => write(number)));
    expect(answered.slice(0, 2).sort()).toEqual([4, 5]);
  });

  it('refuse what exceeds a quota, and store what was acknowledged before', async () => {
    const gateway = await open();
    const app = appOf(gateway);
    const allowance = { monthly_spans: 1, storage_bytes: null };
    await gateway.telemetry.writer.write(scope, batchOf([aSpan()]), allowance);
    await expect(gateway.telemetry.writer.write(scope, batchOf([aSpan()]), allowance)).rejects.toMatchObject({
      exceeded: { what: 'monthly_spans', current: 1, limit: 1 },
    });
    expect((await app.traces()).total).toBe(1);
    expect(await rows('SELECT id FROM journal')).toEqual([]);
  });

  it('find runaways in what is sent to any of them, by thresholds that were set at any', async () => {
    const [first, second] = [await open(), await open()].map((gateway) => appOf(gateway)) as [Tenant, Tenant];
    await second.store.runaways.setThreshold(scope, { service: 'test-service', rule: 'repeated_calls', threshold: 4 });
    const run = new ARun();
    for (const app of [first, second]) await app.write([run.tool('search', {}, 'none'), run.tool('search', {}, 'none')], Date.now());
    const found = async () => (await first.store.runaways.list(scope, { limit: 50 })).decode();
    await expect.poll(found).toMatchObject([{ trace_id: run.traceId, value: 4 }]);
  });

  it('set an entry aside that cannot be applied, and go on with the others', async () => {
    const gateway = await open();
    const broken = gateway.telemetry.writer.write(scope, { ...batchOf([aSpan()]), resources: [] });
    await expect(broken).rejects.toMatchObject({ name: 'StorageError', errorKind: 'mistake' });
    expect(await appOf(gateway).write([aSpan()])).toMatchObject({ accepted: 1 });
    expect(await rows('SELECT id FROM journal')).toEqual([]);
    expect(await rows('SELECT id FROM journal_failure')).toHaveLength(1);
    await expect.poll(() => gateway.waiting.failures, { timeout: 10_000 }).toBe(1);
  });

  const refused = { name: 'StorageError', errorKind: 'busy' };
  const errorOf = (gateway: FleetGateway, of = scope) =>
    appOf(gateway, of)
      .write([aSpan()])
      .catch((error: unknown) => error);

  it('refuse the tenants of a part that is stuck, and no others', async () => {
    const gateway = await open({ partBytes: 1000, waitMs: 100 });
    const [old, full] = [scope, { tenant_id: 'another tenant', app_id: 'app' }];
    const parts = [old, full].map(({ tenant_id }) => partOf(tenant_id));
    const names = parts.map((part) => `'journal/${part}'`).join(', ');
    // Their leases are somebody else's, who does nothing but renew them: one that ends much later is not believed.
    const hold = () =>
      rows(`
        INSERT INTO lease (name, holder, until, epoch)
        SELECT name, 'stuck', '${new Date(Date.now() + 25_000).toISOString()}', 1000 FROM unnest(ARRAY[${names}]) AS name
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until, epoch = lease.epoch + 1`);
    await hold();
    await rows(`
      INSERT INTO journal (id, part, bytes, accepted_at, body) VALUES
        (gen_random_uuid(), ${parts[0]}, 5, clock_timestamp() - interval '11 minutes', 'later'),
        (gen_random_uuid(), ${parts[1]}, 5, clock_timestamp(), decode(repeat('00', 1000), 'hex'))`);
    await expect.poll(async () => (await hold()) && gateway.waiting.waitingMs).toBeGreaterThan(10 * 60_000);
    for (const of of [old, full]) expect(await errorOf(gateway, of)).toMatchObject(refused);
    expect(await errorOf(gateway, { tenant_id: 'tenant-0', app_id: 'app' })).toMatchObject({ accepted: 1 });
  });

  it('accept nothing more once too much waits in all', async () => {
    const gateway = await open({ bytes: 1 });
    await rows(`INSERT INTO journal (id, part, bytes, body) VALUES (gen_random_uuid(), 99, 5, 'later')`);
    await expect.poll(() => errorOf(gateway)).toMatchObject(refused);
    expect(gateway.waiting.bytes).toBeGreaterThanOrEqual('later'.length);
  });

  it('accept more changes at a time than share a commit', async () => {
    const gateway = await open();
    const apps = Array.from({ length: 4 }, (_, number) => appOf(gateway, { tenant_id: `tenant-${number}`, app_id: 'app' }));
    const writes = await Promise.all(apps.flatMap((app) => Array.from({ length: 70 }, () => app.write([aSpan()]))));
    expect(writes.every(({ accepted }) => accepted === 1)).toBe(true);
    expect(await rows('SELECT id FROM journal')).toEqual([]);
  });
});

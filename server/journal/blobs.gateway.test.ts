/** A fleet whose blob store fails: what is acknowledged stays in the journal until its blobs are stored. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { withClickHouse } from '../fixtures/clickhouse.ts';
import { Fleet, type FleetDatabases, type FleetGateway } from '../fixtures/fleet.ts';
import { withClient } from '../fixtures/postgres.ts';
import { startS3, type TestS3 } from '../fixtures/s3.ts';
import { must } from '../platform/assert.ts';
import { Tenant } from '../telemetry/conformance/tenant.ts';
import { partOf } from '../telemetry/tenant-parts.ts';

const hangMs = 300_000;
let fleet: Fleet;
let s3: TestS3;
let databases: FleetDatabases;
let gateway: FleetGateway;

beforeAll(async () => {
  [fleet, s3] = await Promise.all([Fleet.start(), startS3()]);
  databases = await fleet.createDatabases();
  gateway = await databases.open({ waitMs: 300 }, { place: { s3: s3.server.place } });
}, hangMs);
afterAll(async () => {
  await gateway.stop();
  await databases.drop();
  await Promise.all([fleet.stop(), s3.stop()]);
}, hangMs);

const waiting = () => withClient(databases.postgres.url, async (client) => (await client.query('SELECT id FROM journal')).rowCount);
const rowsIn = (table: string, tenant_id: string) =>
  withClickHouse(databases.clickhouse.url, async (client) => {
    const query = `SELECT count() AS rows FROM ${table} FINAL WHERE tenant_id = {tenant_id:String}`;
    const result = await client.query({ query, query_params: { tenant_id }, format: 'JSONEachRow' });
    return Number((await result.json<{ rows: string }>())[0]?.rows);
  });

/** Of two tenants whose changes the same writer makes. */
function appsOfOnePart(name: string): [Tenant, Tenant] {
  const tenants = Array.from({ length: 200 }, (_, number) => `${name}-${number}`);
  const sharing = must(
    [...Map.groupBy(tenants, partOf).values()].find(({ length }) => length > 1),
    'some share a part',
  );
  return sharing.slice(0, 2).map((tenant_id) => new Tenant(gateway.telemetry, { tenant_id, app_id: 'app' })) as [Tenant, Tenant];
}
const value = (word: string) => `${word} ${'and so on, '.repeat(30_000)}`;

it.each(['slow-down', 'hang', 'reset'] as const)(
  '%s: all is acknowledged, what needs no blob is stored, and the rest once S3 is back',
  async (fault) => {
    await expect.poll(() => gateway.leases.held().get('journal'), { timeout: hangMs }).toBe(32);
    const [large, small] = appsOfOnePart(fault);
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    s3.server.fault = fault;
    // The second one is in a group with the small one.
    const accepted = await Promise.all([
      large.write([aChat({ ...ids, ask: value('first'), reply: 'yes' })]),
      large.write([aChat({ ask: value('second'), reply: 'yes' })]),
      small.write([aSpan({ name: 'small' })]),
    ]);
    expect(accepted.map((each) => each.accepted)).toEqual([1, 1, 1]);
    await expect.poll(async () => (await small.traces()).total, { timeout: hangMs }).toBe(1);
    await expect.poll(waiting, { timeout: hangMs }).toBe(2);
    expect([await rowsIn('text', large.scope.tenant_id), await rowsIn('record', large.scope.tenant_id)]).toEqual([0, 0]);
    s3.server.fault = null;
    await expect.poll(waiting, { timeout: hangMs }).toBe(0);
    expect((await large.io(ids.traceId, ids.spanId))?.input).toContain('first');
  },
  hangMs,
);

it(
  'more than is taken at once may wait: the others are stored, and no deletion overtakes what was accepted before it',
  async () => {
    await expect.poll(() => gateway.leases.held().get('journal'), { timeout: hangMs }).toBe(32);
    const [large, small] = appsOfOnePart('many');
    const traceId = aTraceId();
    s3.server.fault = 'slow-down';
    const spans = Array.from({ length: 20 }, (_, number) => aChat({ traceId, ask: value(`word${number}`).repeat(3), reply: 'yes' }));
    await Promise.all(spans.map((span) => large.write([span])));
    // It is answered when it is made.
    const deletion = large.store.deletions.begin(large.scope, randomUUID(), { trace_ids: [traceId] }).catch(() => {});
    await expect.poll(waiting, { timeout: hangMs }).toBe(21);
    await small.write([aSpan({ name: 'small' })]);
    await expect.poll(async () => (await small.traces()).total, { timeout: hangMs }).toBe(1);
    await expect.poll(waiting, { timeout: hangMs }).toBe(21);
    // However long they wait, their part takes what comes. How much waits is measured every second.
    await withClient(databases.postgres.url, (client) =>
      client.query("UPDATE journal SET accepted_at = accepted_at - interval '11 minutes'"),
    );
    await sleep(2_500);
    expect(await small.write([aSpan({ name: 'later' })])).toMatchObject({ accepted: 1 });
    await expect.poll(async () => (await small.traces()).total, { timeout: hangMs }).toBe(2);
    s3.server.fault = null;
    await expect.poll(waiting, { timeout: hangMs }).toBe(0);
    await deletion;
    await expect.poll(async () => (await large.traces()).total, { timeout: hangMs }).toBe(0);
  },
  hangMs,
);

import { mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inDataFoldersWithFaults } from '../../fixtures/contract/control-faults.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { telemetryFile } from '../../telemetry/sqlite/store.ts';

let cloud: TestCloud;
let now = Date.now();
const { client, fetch, unseen } = contractClient(() => cloud);

beforeAll(async () => {
  cloud = await startTestCloud({
    ...(await inDataFoldersWithFaults.options()),
    clock: testClock(() => now),
    dataDir: mkdtempSync(join(tmpdir(), 'glasshouse-health-')),
  });
});
afterAll(() => cloud.stop());

const services = ['ingestion', 'files'] as const;
const dependencies = { ingestion: ['database', 'queue', 'disk', 'auth'], files: ['storage', 'database'] } as const;

/** Requests within a second of an answer get the same one. */
function later(): void {
  now += 1000;
}

it.each(services)('tells anybody that %s is healthy, and its dependencies', async (service) => {
  later();
  const health = await client.dependencyHealth[service]();
  expect(health).toMatchObject({ status: 'healthy', service, timestamp: new Date(now).toISOString() });
  expect(health.dependencies.map(({ name }) => name)).toEqual(dependencies[service]);
  for (const dependency of health.dependencies)
    expect(dependency).toEqual({ name: dependency.name, status: 'healthy', latencyMs: expect.any(Number) });
});

it('answers a second request within a second without another probe', async () => {
  later();
  const first = await client.dependencyHealth.ingestion();
  now += 999;
  expect(await client.dependencyHealth.ingestion()).toEqual(first);
  now += 1;
  expect((await client.dependencyHealth.ingestion()).timestamp).not.toBe(first.timestamp);
});

it.each(services)('answers 503 for %s, with the same body and no internals, when a dependency is missing', async (service) => {
  const file = service === 'ingestion' ? telemetryFile(cloud.dataDir) : cloud.dataDir;
  renameSync(file, `${file}-away`);
  try {
    later();
    const response = await fetch(`/v1/health/${service}`);
    const text = await response.text();
    const { status, dependencies: reported } = JSON.parse(text) as Awaited<ReturnType<(typeof client.dependencyHealth)['files']>>;
    expect([response.status, status]).toEqual([503, 'unhealthy']);
    const broken = service === 'ingestion' ? 'database' : 'storage';
    expect(reported.filter((dependency) => dependency.status === 'unhealthy')).toEqual([
      { name: broken, status: 'unhealthy', latencyMs: expect.any(Number), error: 'cannot be used now' },
    ]);
    for (const internal of [cloud.dataDir, 'telemetry.db', 'ENOENT', 'sqlite', 'version'])
      expect(text.toLowerCase()).not.toContain(internal.toLowerCase());
  } finally {
    renameSync(`${file}-away`, file);
  }
  later();
  expect((await client.dependencyHealth[service]()).status).toBe('healthy');
});

it('says that it is ready, and which gateway it is, as long as its database can be used', async () => {
  later();
  const ready = await client.dependencyHealth.ready();
  expect(ready).toEqual({
    ...{ status: 'healthy', service: 'gateway', timestamp: new Date(now).toISOString() },
    dependencies: [{ name: 'database', status: 'healthy', latencyMs: expect.any(Number) }],
    instance: readFileSync(join(cloud.dataDir, 'instance'), 'utf8').trim(),
  });
});

it('is not ready without its database, and lives nevertheless', async () => {
  await inDataFoldersWithFaults.makeUnreadable(cloud);
  later();
  const response = await fetch('/ready');
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({
      status: 'unhealthy',
      dependencies: [{ name: 'database', status: 'unhealthy', latencyMs: expect.any(Number), error: 'cannot be used now' }],
    }),
  ]);
  expect(await client.platform.health()).toEqual({ status: 'ok' });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('dependencyHealth')).toEqual([]);
});

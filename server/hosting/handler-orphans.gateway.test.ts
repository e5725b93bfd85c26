/** Code of apps does not outlive the gateway that runs it, however that ends, and the next gateway runs it again, once. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { type Bootstrapped, bootstrap } from '../entry/bootstrap.ts';
import { startCrashingCloud } from '../fixtures/crashing-cloud-process.ts';
import { push } from '../fixtures/environments.ts';
import { testClock } from '../fixtures/test-clock.ts';
import { testLeases } from '../fixtures/test-leases.ts';
import { silentLog } from '../platform/log.ts';
import { startDeployer } from './deployer.ts';
import { noHosting } from './no-hosting.ts';

const timeoutMs = 120_000;
const kills = 3;
const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-orphans-'));
const by = { kind: 'system', id: 'test', ip: null } as const;

/** Serves HTTP, and writes its process id to a file. */
const code = `
  import { createServer } from 'node:http';
  import { writeFileSync } from 'node:fs';
  createServer((_, response) => response.end()).listen(Number(process.env.PORT), '127.0.0.1', () => writeFileSync('pid', String(process.pid)));
`;

/** A tenant whose default environment has code to run. No gateway has run it yet. */
async function deployed(): Promise<Bootstrapped> {
  const tenant = await bootstrap({ dataDir, email: 'owner@acme.test', password: 'correct horse', tenant: 'acme' });
  const { tenant_id, app_id } = tenant;
  const control = openSqliteControl(
    dataDir,
    testClock(() => Date.now()),
  );
  await control.apps.update(by, tenant_id, app_id, { entry_point: 'src/handler.mjs' });
  // Left for the first gateway to run.
  const host = { ...noHosting, deploy: async () => ({ code_status: 'deployed' as const, code_failure_reason: null }) };
  const leases = testLeases(control);
  const deployer = await startDeployer({ control, hosting: host, leases, log: silentLog });
  const { id } = await push(deployer, { tenant_id, app_id }, { 'src/handler.mjs': code });
  await expect.poll(async () => (await control.deployments.find({ tenant_id, app_id }, id))?.deployment_status).toBe('success');
  await deployer.stop();
  await leases.stop();
  await control.stop();
  return tenant;
}

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Process id of the only handler; 0 until it serves. */
function handlerOf({ environment_id }: Bootstrapped): number {
  const place = join(dataDir, 'handlers', environment_id);
  const [release = ''] = existsSync(place) ? readdirSync(place) : [];
  const file = join(place, release, 'pid');
  return release !== '' && existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

it('code of an app ends with a gateway that is killed', async () => {
  const tenant = await deployed();
  const pids = new Set<number>();
  for (let kill = 0; kill < kills; kill++) {
    const cloud = await startCrashingCloud(dataDir, tenant);
    const pid = await vi.waitUntil(() => [handlerOf(tenant)].find((found) => found !== 0 && !pids.has(found)), { timeout: timeoutMs });
    expect(isAlive(pid)).toBe(true);
    await cloud.kill();
    await expect.poll(() => isAlive(pid)).toBe(false);
    pids.add(pid);
  }
  expect(pids.size).toBe(kills);
});

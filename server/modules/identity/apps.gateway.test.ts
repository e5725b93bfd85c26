/** What happens to the telemetry of a deleted app. The contract test and the canary cover everything else about apps. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { systemClock } from '../../platform/clock.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const bytesUsed = async () => (await cloud.tenant.owner.usage.get({})).data.bytes.used;

/** Another app of the tenant, with spans in it that are not the newest of the store. */
async function anAppWithSpans(name: string): Promise<string> {
  const { id } = (await cloud.tenant.owner.apps.create({ body: { name } })).data;
  const owner = cloud.as(cloud.tenant.token, id);
  const { plaintext_key } = (await owner.apiKeys.create({ body: { name: 'k', permissions: ['trace.write'] } })).data;
  const spans = Array.from({ length: 50 }, () => aChat({ ask: `${name} `.repeat(500) }));
  expect((await cloud.ingest({ api_key: plaintext_key, app_id: id }, aRequest(spans))).status).toBe(200);
  return id;
}

describe('deleting an app', () => {
  it('deletes its telemetry and frees its storage', async () => {
    const before = await bytesUsed();
    const id = await anAppWithSpans('goes');
    expect((await cloud.ingest(cloud.tenant, aRequest([aChat()]))).status).toBe(200);
    const full = await bytesUsed();
    expect(full - before).toBeGreaterThan(20_000);
    await cloud.tenant.owner.apps.remove({ params: { appId: id } });
    await vi.waitFor(async () => expect(await bytesUsed()).toBeLessThan(before + 5_000), { timeout: 120_000 });
    expect((await cloud.tenant.client.traces.list({})).pagination.total).toBe(1);
  });

  it('does so also when the gateway dies before the telemetry store was notified', async () => {
    const before = await bytesUsed();
    const id = await anAppWithSpans('goes later');
    expect((await cloud.ingest(cloud.tenant, aRequest([aChat()]))).status).toBe(200);
    await cloud.restart();
    expect(await bytesUsed()).toBeGreaterThan(before + 20_000);
    // The state that a gateway leaves when it dies right after the commit.
    const control = openSqliteControl(cloud.dataDir, systemClock);
    await control.apps.remove({ kind: 'system', id: 'test', ip: null }, cloud.tenant.tenant_id, id);
    await control.stop();
    await cloud.restart();
    await vi.waitFor(async () => expect(await bytesUsed()).toBeLessThan(before + 5_000), { timeout: 120_000 });
    expect((await cloud.tenant.client.traces.list({})).pagination.total).toBe(2);
  });
});

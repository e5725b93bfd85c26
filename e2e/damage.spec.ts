/** A store that is damaged under a running gateway: every page reports it, and everything readable is shown. */
import { join } from 'node:path';
import { expect } from '@playwright/test';
import Database from 'better-sqlite3';
import { repairStore } from '../server/entry/repair-store.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
const intact = aTraceId();
const damaged = aTraceId();

test.beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest([aChat({ traceId: intact, name: 'the intact one' })]));
  await gateway.ingest(aRequest([aChat({ traceId: damaged, name: 'the damaged one' })]));
  const db = new Database(join(gateway.dataDir, 'telemetry.db'));
  db.prepare("UPDATE trace SET tags = '[\"cut o' WHERE trace_id = ?").run(Buffer.from(damaged, 'hex'));
  db.close();
});
test.afterEach(async () => {
  await gateway.stop();
});

test('a damaged trace affects no other, and is reported on every page until the report is hidden', async ({ page }) => {
  const errors = watchConsole(page);
  const banner = page.getByRole('region', { name: 'The store is damaged' });
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('table', { name: 'Traces' })).toContainText('the intact one');
  await expect(page.getByRole('table', { name: 'Traces' })).not.toContainText('the damaged one');
  await page.reload();
  await expect(banner).toContainText('The store is damaged since');
  await expect(banner).toContainText('1 trace.');
  await expect(banner).toContainText('glasshouse doctor');
  await expectReadable(page);
  for (const path of ['sessions', 'dashboard', 'scores', 'ingest-log']) {
    await page.goto(`${gateway.url}/#/${path}`);
    await expect(banner, path).toBeVisible();
  }
  await banner.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByText('Last error: A list of tags is damaged')).toBeVisible();
  await expect(page.getByText(`glasshouse doctor --data "${gateway.dataDir}" --repair`)).toBeVisible();
  await expectReadable(page);
  // The report survives a restart.
  await gateway.restart();
  await page.reload();
  // Failed requests during the restart are expected.
  errors.length = 0;
  await expect(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Hide' }).click();
  await expect(banner).toBeHidden();
  await page.reload();
  await expect(page.getByText('the store is damaged')).toBeVisible();
  await expect(banner).toBeHidden();
  expect(errors).toEqual([]);
});

test('after a repair nothing is reported, and the trace is in the list', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('table', { name: 'Traces' })).toContainText('the intact one');
  await gateway.gateway.stop();
  expect(await repairStore(gateway.dataDir)).toMatchObject({ rollups: 1, left: [], isDamageCleared: true });
  gateway = await startTestGateway({ dataDir: gateway.dataDir, port: gateway.port });
  await page.reload();
  await expect(page.getByRole('table', { name: 'Traces' })).toContainText('the damaged one');
  await expect(page.getByRole('region', { name: 'The store is damaged' })).toBeHidden();
});

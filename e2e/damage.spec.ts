/** A store that is damaged under a gateway: told on every page, and everything that can be read is read. */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import { repairStore } from '../server/entry/repair-store.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aTraceId } from '../shared/fixtures/otlp.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
const sound = aTraceId();
const damaged = aTraceId();

test.beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest([aChat({ traceId: sound, name: 'the sound one' })]));
  await gateway.ingest(aRequest([aChat({ traceId: damaged, name: 'the damaged one' })]));
  const db = new Database(join(gateway.dataDir, 'telemetry.db'));
  db.prepare("UPDATE trace SET tags = '[\"cut o' WHERE trace_id = ?").run(Buffer.from(damaged, 'hex'));
  db.close();
});
test.afterEach(async () => {
  await gateway.stop();
});

test('a damaged trace costs itself, is told on every page until it is hidden, and is repaired', async ({ page }) => {
  const errors = watchConsole(page);
  const banner = page.getByRole('region', { name: 'The store is damaged' });
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('table', { name: 'Traces' })).toContainText('the sound one');
  await expect(page.getByRole('table', { name: 'Traces' })).not.toContainText('the damaged one');
  await page.reload();
  await expect(banner).toContainText('The store is damaged since');
  await expect(banner).toContainText('1 trace.');
  await expect(banner).toContainText('glasshouse doctor');
  await expectReadable(page);
  for (const place of ['sessions', 'dashboard', 'scores', 'ingest-log']) {
    await page.goto(`${gateway.url}/#/${place}`);
    await expect(banner, place).toBeVisible();
  }
  await banner.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByText('Last error: A list of tags is damaged')).toBeVisible();
  await expect(page.getByText(`glasshouse doctor --data "${gateway.dataDir}" --repair`)).toBeVisible();
  await expectReadable(page);
  // What is told survives a restart.
  await gateway.restart();
  await page.reload();
  // While it restarted its answers were missing, as they should.
  errors.length = 0;
  await expect(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Hide' }).click();
  await expect(banner).toBeHidden();
  await page.reload();
  await expect(page.getByText('the store is damaged')).toBeVisible();
  await expect(banner).toBeHidden();
  expect(errors).toEqual([]);
});

test('after a repair nothing is told any more, and the trace is in the list', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('table', { name: 'Traces' })).toContainText('the sound one');
  await gateway.gateway.stop();
  expect(await repairStore(gateway.dataDir)).toMatchObject({ rollups: 1, left: [], isNoteGone: true });
  gateway = await startTestGateway({ dataDir: gateway.dataDir, port: gateway.port });
  await page.reload();
  await expect(page.getByRole('table', { name: 'Traces' })).toContainText('the damaged one');
  await expect(page.getByRole('region', { name: 'The store is damaged' })).toBeHidden();
});

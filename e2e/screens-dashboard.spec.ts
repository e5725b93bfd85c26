/** The dashboard counts received spans, also in tables, and selecting a time range opens its traces. */
import { expect, test } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const minuteMs = 60_000;

test('received spans are counted, and a selected time range is listed', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/dashboard?range=1h`);
  await expect(page.getByText('No traces in this time range')).toBeVisible();
  await expectReadable(page);

  const now = Date.now();
  await gateway.ingest(
    aRequest([
      aChat({ name: 'the early call', startMs: now - 50 * minuteMs, durationMs: 1000 }),
      aChat({ name: 'the late call', startMs: now - 2 * minuteMs, durationMs: 2000, status: 'ERROR', model: 'gpt-4o-mini' }),
    ]),
  );
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts).toContainText('Traces2');
  await expect(facts).toContainText('Failed1, 50 %');
  await expect(facts).toContainText('Errors inside0');
  await expect(page.getByRole('region', { name: 'By model' }).getByRole('row', { name: /gpt-4o-mini/ })).toContainText('1');
  await page.getByText('As a table').nth(1).click();
  await expect(page.getByRole('cell', { name: '2.00 s' }).first()).toBeVisible();
  await expectReadable(page);

  const chart = page.getByRole('application', { name: /^Traces, over time/ });
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not visible');
  // The label of the maximum is above the chart and covers no column.
  const height = await page.getByRole('figure').filter({ has: chart }).getByText('1', { exact: true }).first().boundingBox();
  expect((height?.y ?? Number.POSITIVE_INFINITY) + (height?.height ?? 0)).toBeLessThanOrEqual(box.y);
  await page.mouse.move(box.x + box.width * 0.75, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 40);
  await page.mouse.up();
  await expect(page.getByRole('row', { name: /the late call/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /the early call/ })).toHaveCount(0);
  expect(errors).toEqual([]);
});

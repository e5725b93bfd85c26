/** A value of 50 MB: the page stays responsive while the value is fetched and parsed, and shows, searches and copies it without keeping it in memory. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());

const rows = 500_000;

/** Some 50 MB of JSON: half a million records, one of which has another text. */
const large = JSON.stringify({
  note: 'first',
  rows: Array.from({ length: rows }, (_, i) => ({
    id: i,
    title: `row ${i} of a value that is far too large for a page`,
    ok: i % 2 === 0,
    place: i === 456_789 ? 'needle' : 'hay',
  })),
});

/**
 * A span whose whole input is the value. The gateway accepts bodies of at most 20 MiB, so its response to this one request is enlarged on
 * the way; everything else is unchanged.
 */
async function aSpanWithLargeInput(page: Page) {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const input = JSON.stringify({ note: 'first', rows: ['x'.repeat(9000)] });
  await gateway.ingest(aRequest([aSpan({ ...ids, name: 'work', attributes: { 'input.value': input } })]));
  await page.route(`**/v1/traces/${ids.traceId}/spans/${ids.spanId}`, async (route) => {
    const response = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { data: { ...response.data, input: large } } });
  });
  return ids;
}

/** Counts key events and frames that the page's main thread handles while the value is being read. */
const watchThread = (page: Page) =>
  page.evaluate(() => {
    const counts = { keysWhileReading: 0, framesWhileReading: 0 };
    (window as unknown as { counts: typeof counts }).counts = counts;
    const isReading = () => document.body.textContent?.includes('Loading 5') === true;
    window.addEventListener('keydown', () => {
      if (isReading()) counts.keysWhileReading++;
    });
    const frame = () => {
      if (isReading()) counts.framesWhileReading++;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

test('50 MB are opened while the page stays responsive, and are searched and copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  expect(large.length).toBeGreaterThan(50_000_000);
  const { traceId, spanId } = await aSpanWithLargeInput(page);
  await page.goto(`${gateway.url}/#/traces/${traceId}?span=${spanId}&view=tree`);
  const detail = page.getByLabel('Detail');
  const show = detail.getByRole('button', { name: 'Show all' });
  await expect(show).toBeVisible();
  await watchThread(page);
  await show.click();
  const panel = detail.getByRole('tree', { name: 'Full input' });
  // Sends keys one by one until the value is shown: with a blocked page this would wait forever.
  while (!(await panel.isVisible())) await page.keyboard.press('Shift');
  const counts = await page.evaluate(() => (window as unknown as { counts: Record<string, number> }).counts);
  // A main thread that parsed the value itself would handle no key and draw no frame until it was done.
  expect(counts.keysWhileReading).toBeGreaterThan(0);
  expect(counts.framesWhileReading).toBeGreaterThan(1);

  // Only visible rows are in the DOM.
  await expect(panel.getByRole('treeitem').first()).toBeVisible();
  expect(await panel.getByRole('treeitem').count()).toBeLessThan(120);
  await expect(panel.getByText('0 … 999', { exact: true })).toBeVisible();

  await detail.getByRole('textbox', { name: 'Search keys and values' }).fill('needle');
  await expect(detail.getByText('1 of 1')).toBeVisible();
  const value = detail.getByRole('region', { name: 'Selected value' });
  await expect(value).toContainText('$.rows[456789].place');
  await expect(value.locator('pre')).toHaveText('needle');
  await value.getByRole('button', { name: 'Copy path' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('$.rows[456789].place');
});

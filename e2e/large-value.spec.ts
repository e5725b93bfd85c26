/** A value of 50 MB: the page answers to the reader while it is fetched and parsed, and shows, searches and copies it without holding it. */
import { expect, type Page, test } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());

const rows = 500_000;

/** Some 50 MB of JSON: half a million records, one of which says where it is. */
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
 * A span whose whole input is the value. The gateway takes bodies of at most 20 MiB, so what it answers to this one question is
 * enlarged on the way: everything else is as it is.
 */
async function aSpanWithLargeInput(page: Page) {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const input = JSON.stringify({ note: 'first', rows: ['x'.repeat(9000)] });
  await gateway.ingest(aRequest([aSpan({ ...ids, name: 'work', attributes: { 'input.value': input } })]));
  await page.route(`**/v1/traces/${ids.traceId}/spans/${ids.spanId}`, async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { data: { ...answer.data, input: large } } });
  });
  return ids;
}

/** Counts what the page's own thread got done: keys it heard, frames it drew, and for which of them the value was still being read. */
const watchThread = (page: Page) =>
  page.evaluate(() => {
    const seen = { keysWhileReading: 0, framesWhileReading: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    const isReading = () => document.body.textContent?.includes('Loading 5') === true;
    window.addEventListener('keydown', () => {
      if (isReading()) seen.keysWhileReading++;
    });
    const frame = () => {
      if (isReading()) seen.framesWhileReading++;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

test('50 MB open while the page goes on answering, and are searched and copied', async ({ page, context }) => {
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
  // Keys go to the page one by one until the value is there: each is answered, or this would wait for ever.
  while (!(await panel.isVisible())) await page.keyboard.press('Shift');
  const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen);
  // A thread that parsed the value itself would hear no key and draw no frame until it was done.
  expect(seen.keysWhileReading).toBeGreaterThan(0);
  expect(seen.framesWhileReading).toBeGreaterThan(1);

  // Only what is on screen exists.
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

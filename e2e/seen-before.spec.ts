/** At a failure: whether other runs had it, and what was different in those that recovered. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { test } from './journey.ts';
import { ingestRefund } from './refund-runs.ts';
import { expectReadable, expectReadableAtAnyWidth } from './screen-checks.ts';

let gateway: TestGateway;
test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(() => gateway.stop());

test('a failed run names the others that failed as it did, and what those did that recovered', async ({ page }) => {
  for (let at = 0; at < 5; at++) await ingestRefund(gateway, { minutesAgo: 60 + at, window: 'closed', order: String(48_000 + at) });
  for (let at = 0; at < 2; at++)
    await ingestRefund(gateway, { minutesAgo: 20 + at, window: 'closed', photo: true, order: String(48_100 + at) });
  const [good, bad] = [
    await ingestRefund(gateway, { minutesAgo: 9, window: 'open' }),
    await ingestRefund(gateway, { minutesAgo: 3, window: 'closed' }),
  ];
  await page.goto(`${gateway.url}/#/traces/${bad}`);
  await expect(page.getByRole('treeitem', { name: 'issue_refund' })).toBeVisible();
  await page.keyboard.press('e');
  const seen = page.getByRole('article').filter({ hasText: 'Seen before' });
  await expect(seen).toContainText('7 other runs got “The window for order ‹n› is closed”: 5 failed, 2 recovered.');
  await expect(seen).toContainText('request_photo was called in 2 of 2 that recovered and in 0 of 6 runs like this one.');
  await expectReadableAtAnyWidth(page);
  // Once, where it failed first: neither at the agent nor at another attempt.
  await page.keyboard.press('Home');
  await expect(page.getByRole('region', { name: 'Detail' }).getByText('Failed', { exact: true }).first()).toBeVisible();
  await expect(seen).toHaveCount(0);
  await page.keyboard.press('e');
  await seen.getByRole('link', { name: 'Compare the 6 with the 2' }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict).toContainText('request_photo was called in 0 of 6 failed runs and in 2 of 2 recovered runs.');

  await page.goto(`${gateway.url}/#/compare?a=${good}&b=${bad}`);
  await expect(seen).toContainText('5 failed, 2 recovered.');
  await expectReadable(page);
  await seen.getByRole('link', { name: 'Open all 8 in the list' }).click();
  await expect(page.getByRole('link', { name: 'Refund for a kettle' })).toHaveCount(8);
});

test('a failure that no other run had, and a good run, say nothing', async ({ page }) => {
  const [good, bad] = [
    await ingestRefund(gateway, { minutesAgo: 9, window: 'open' }),
    await ingestRefund(gateway, { minutesAgo: 3, window: 'closed' }),
  ];
  const answered = page.waitForResponse(/seen-before/);
  await page.goto(`${gateway.url}/#/traces/${bad}`);
  await expect(page.getByRole('treeitem', { name: 'issue_refund' })).toBeVisible();
  await page.keyboard.press('e');
  await answered;
  await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Seen before')).toHaveCount(0);
  await page.goto(`${gateway.url}/#/traces/${good}`);
  await expect(page.getByRole('heading', { name: 'Refund for a kettle' }).first()).toBeVisible();
  await expect(page.getByText('Seen before')).toHaveCount(0);
});

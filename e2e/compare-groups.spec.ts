/** Failed runs against good ones: what separates them best. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { test } from './journey.ts';
import { ingestRefund } from './refund-runs.ts';
import { expectReadable, expectReadableAtAnyWidth } from './screen-checks.ts';

let gateway: TestGateway;
let good: string[];
test.beforeEach(async () => {
  gateway = await startTestGateway();
  good = [];
  for (let at = 0; at < 6; at++) {
    await ingestRefund(gateway, { minutesAgo: 10 + at, window: at === 3 ? 'open' : 'closed', photo: at === 3, order: String(48_213 + at) });
    good.push(await ingestRefund(gateway, { minutesAgo: 30 + at, window: 'open', order: String(51_100 + at) }));
  }
});
test.afterEach(() => gateway.stop());

const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict' });

test('an error group is compared with good runs of the same name, by key and by button', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?show=errors`);
  await expect(page.getByText('The window for order')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  await expect(verdict(page)).toContainText('lookup_order answered window: closed in 5 of 5 failed runs and in 0 of 7 good runs.');
  const facts = page.getByRole('table', { name: 'What separates the groups' });
  await expect(facts.getByRole('row', { name: /issue_refund failed with “The window for order ‹n› is closed”/ })).toBeVisible();
  await expectReadableAtAnyWidth(page);

  const runs = page.getByRole('region', { name: 'Runs' });
  await expect(runs.getByText('In 5 of 5 failed runs')).toBeVisible();
  await expect(runs.getByText('None of them has it.')).toBeVisible();
  await page.keyboard.press('n');
  expect(page.url()).toContain('fact=2');
  await page.keyboard.press('p');
  await page.getByRole('link', { name: 'Compare one run of each' }).click();
  await expect(verdict(page)).toContainText('The runs diverge at step');
  await page.goBack();
  await runs.getByRole('link', { name: 'Open all in the list' }).click();
  await expect(page.getByRole('link', { name: 'Refund for a kettle' })).toHaveCount(5);

  await page.goto(`${gateway.url}/#/traces?show=errors`);
  await page.getByRole('button', { name: 'Compare failed with good runs' }).click();
  await expect(verdict(page)).toContainText('5 of 5 failed runs');
});

test('of selected traces those with errors are compared with those without, and the palette compares all', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('link', { name: 'Refund for a kettle' })).toHaveCount(12);
  for (let at = 0; at < 9; at++) for (const key of ['j', 'x']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Compare failed with good runs' }).click();
  await expect(verdict(page)).toContainText('in 5 of 5 failed runs and in 0 of 4 good runs');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('compare failed');
  await page.keyboard.press('Enter');
  await expect(verdict(page)).toContainText('in 5 of 5 failed runs and in 0 of 7 good runs');
});

test('groups with nothing between them, and groups without runs, say so', async ({ page }) => {
  await page.goto(`${gateway.url}/#/compare?a_ids=${good.slice(0, 3)}&b_ids=${good.slice(3)}`);
  await expect(verdict(page)).toContainText('Nothing clearly separates the runs of A from the runs of B.');
  await page.goto(`${gateway.url}/#/compare?a_filter=errors%20%3D%200&b_filter=name%20%3D%20nothing`);
  await expect(verdict(page)).toContainText('There are no runs of B to compare.');
  await page.goto(`${gateway.url}/#/compare?a_filter=modle%20%3D%201`);
  await expect(page.getByText('The groups could not be compared')).toBeVisible();
  await expectReadable(page);
});

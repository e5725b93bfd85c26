/** How traces went, in the list: failed, errors inside, running, never ended. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
const now = Date.now() - 60_000;

test.beforeEach(async ({ page }) => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest(aRun({ name: 'late failure', startMs: now - 1000, failed: true })));
  await page.goto(`${gateway.url}/#/traces`);
  await expect(rows(page)).toHaveCount(1);
});
test.afterEach(() => gateway.stop());

const table = (page: Page) => page.getByRole('table', { name: 'Traces' });
/** Without the header. */
const rows = (page: Page) => table(page).locator('[role=row][aria-rowindex]');
const row = (page: Page, name: RegExp) => table(page).getByRole('row', { name });

test('a trace that went on after an error says so, beside its own status', async ({ page }) => {
  const [chat, root] = aRun({ name: 'recovered', startMs: now }) as [Record<string, unknown>, Record<string, unknown>];
  await gateway.ingest(
    aRequest([
      { ...chat, status: { code: 2 } },
      { ...root, status: { code: 1 } },
    ]),
  );
  const recovered = row(page, /recovered/);
  await expect(recovered.getByText('1 error inside')).toBeVisible();
  await expect(recovered.getByRole('img', { name: 'Succeeded' })).toBeVisible();
  await expect(row(page, /late failure/).getByRole('img', { name: 'Failed' })).toBeVisible();
  const errors = page.getByRole('complementary', { name: 'Facets' }).getByRole('group', { name: 'Errors' });
  await expect(errors.getByRole('button')).toHaveText(['Any error2', 'Failed1', 'Errors inside1']);
  await errors.getByRole('button', { name: 'Failed 1' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveValue('status = ERROR');
  await errors.getByRole('button', { name: /^Errors inside/ }).click();
  await expect(row(page, /recovered/)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await errors.getByRole('button', { name: /^Any error/ }).click();
  await expect(rows(page)).toHaveCount(2);
});

test('a trace that stopped without ending is marked as never ended', async ({ page }) => {
  const [, root] = aRun({ name: 'lost run', startMs: Date.now() - 20 * 60_000 });
  await gateway.ingest(aRequest([{ ...root, endTimeUnixNano: '0' }]));
  await expect(row(page, /lost run/)).toContainText('Never ended');
  await expect(row(page, /lost run/).getByRole('img', { name: 'Running' })).toHaveCount(0);
  await row(page, /lost run/)
    .getByRole('link')
    .click();
  await expect(page.locator('header').getByText('Never ended')).toBeVisible();
});

test('a running trace is marked as such, and shows its result when it ends', async ({ page }) => {
  const [, root] = aRun({ name: 'slow run', startMs: Date.now() });
  await gateway.ingest(aRequest([{ ...root, endTimeUnixNano: '0' }]));
  await expect(row(page, /slow run/).getByRole('img', { name: 'Running' })).toBeVisible();
  await expect(row(page, /slow run/).getByTitle('Still running')).toHaveText('—');
  await expect(row(page, /slow run/)).toContainText(/Running \d+ (s|min)/);
  await gateway.ingest(aRequest([root as object]));
  await expect(row(page, /slow run/).getByRole('img', { name: 'Running' })).toHaveCount(0);
  await expect(row(page, /slow run/)).toContainText('900 ms');
});

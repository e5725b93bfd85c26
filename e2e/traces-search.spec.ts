/** The filter of the traces list as a search: words, and a field that was misspelt. */
import { expect, type Page, test } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
const now = Date.now() - 60_000;

test.beforeEach(async ({ page }) => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      ...Array.from({ length: 6 }, (_, i) => aRun({ name: `early ${i}`, startMs: now - 60_000 + i * 1000 })).flat(),
      ...aRun({ name: 'late reasoning', startMs: now, model: 'o3', user: 'ada' }),
      ...aRun({ name: 'late failure', startMs: now - 1000, model: 'o3', user: 'ada', failed: true }),
    ]),
  );
  await page.goto(`${gateway.url}/#/traces`);
  await expect(rows(page)).toHaveCount(8);
});
test.afterEach(() => gateway.stop());

/** Without the header. */
const rows = (page: Page) => page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');
const field = (page: Page) => page.getByRole('textbox', { name: 'Filter' });

async function writeFilter(page: Page, text: string) {
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(text);
}

test('plain words are searched for by Enter, whatever is suggested; a suggestion that was chosen is accepted', async ({ page }) => {
  await writeFilter(page, 'LATE rea');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('late reasoning');
  await expect(page).toHaveURL(/filter=LATE\+rea$/);

  await page.getByRole('button', { name: 'Clear filter' }).click();
  await writeFilter(page, 'late or "no such text" err');
  await expect(
    page
      .getByRole('option')
      .filter({ hasText: /^error/ })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('> 0');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/errors\+%3E\+0$/);
  await expect(rows(page)).toHaveCount(2);
});

test('a condition on a field that does not exist is searched for as words, and the field that was meant is offered', async ({ page }) => {
  await gateway.ingest(aRequest(aRun({ name: 'note', startMs: now, ask: 'Is modle:o3 a filter, or http://localhost/?q=1?' })));
  await expect(rows(page)).toHaveCount(9);
  await writeFilter(page, 'modle:o3 filter');
  // Nothing is wrong yet.
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('status')).toContainText('There is no field “modle”. Did you mean model?');
  await expect(rows(page).locator('mark').first()).toHaveText('modle:o3');
  await expect(page).toHaveURL(/filter=modle%3Ao3\+filter$/);
  // What does not change the search leaves it as it was written.
  await rows(page).first().getByRole('link').click();
  await expect(page).toHaveURL(/filter=modle%3Ao3\+filter&peek=/);
  await page.keyboard.press('Escape');

  await page.goto(`${gateway.url}/#/traces?filter=modle+%3D+o3+and+ada`);
  await expect(page.getByText('No traces match')).toBeVisible();
  await page.getByRole('button', { name: 'model', exact: true }).click();
  await expect(page).toHaveURL(/filter=model\+%3D\+o3\+and\+ada$/);

  await page.goto(`${gateway.url}/#/traces?filter=http%3A%2F%2Flocalhost%2F%3Fq%3D1`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('There is no field')).toHaveCount(0);
});

test('a filter that cannot be read is marked once it is submitted, and the list stays', async ({ page }) => {
  await writeFilter(page, 'late cost > much ');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('at character 13');
  await expect(field(page).locator('.wrong')).toHaveText('much ');
  await expect(rows(page)).toHaveCount(8);
  await page.keyboard.type('x');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(field(page).locator('.wrong')).toHaveCount(0);
});

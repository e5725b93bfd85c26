/** Deleting traces in the viewer: selected rows, all that match, the trace on its page, and a session; what the dialog says, and what stays. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
const now = Date.now() - 600_000;

test.beforeEach(async ({ page }) => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      ...Array.from({ length: 5 }, (_, at) => aRun({ name: `answer ${at}`, startMs: now - at * 60_000 })).flat(),
      ...Array.from({ length: 3 }, (_, at) =>
        aRun({ name: `plan ${at}`, startMs: now - at * 50_000, user: 'ada', session: 'planning' }),
      ).flat(),
    ]),
  );
  await page.goto(`${gateway.url}/#/traces`);
  await expect(rows(page)).toHaveCount(8);
});
test.afterEach(() => gateway.stop());

const rows = (page: Page) => page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');
const row = (page: Page, name: RegExp) => page.getByRole('table', { name: 'Traces' }).getByRole('row', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const sum = async () => (await gateway.client.traces.list({})).pagination.total;

test('selected traces are counted, deleted after a confirmation, and gone from every open list', async ({ page, context }) => {
  const errors = watchConsole(page);
  const second = await context.newPage();
  await second.goto(`${gateway.url}/#/traces`);
  await expect(rows(second)).toHaveCount(8);
  await row(page, /answer 0/)
    .getByRole('checkbox')
    .click();
  await row(page, /answer 1/)
    .getByRole('checkbox')
    .click();
  await page.keyboard.press('Delete');
  await expect(dialog(page)).toContainText('2 traces with 4 spans and all scores on them will be deleted. This cannot be undone.');
  await expectReadable(page);
  await dialog(page).getByRole('button', { name: 'Keep it' }).click();
  expect(await sum()).toBe(8);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await dialog(page).getByRole('button', { name: 'Delete 2 traces' }).click();
  await expect(rows(page)).toHaveCount(6);
  await expect(rows(second)).toHaveCount(6);
  await expect(row(page, /answer [01]/)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Selection' })).toHaveCount(0);
  expect(await sum()).toBe(6);
  expect(errors).toEqual([]);
});

test('all traces of the user that the list selects are deleted, and no other', async ({ page }) => {
  await expect(page.getByRole('button', { name: /^Delete all/ })).toHaveCount(0);
  await page.goto(`${gateway.url}/#/traces?user_id=ada`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Delete all traces of this user…' }).click();
  await expect(dialog(page)).toContainText('3 traces with 6 spans');
  await dialog(page).getByRole('button', { name: 'Delete 3 traces' }).click();
  await expect(rows(page)).toHaveCount(0);
  expect(await sum()).toBe(5);
});

test('a trace is deleted on its page, which goes back to the list', async ({ page }) => {
  await row(page, /plan 1/).click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'plan 1', level: 1 })).toBeVisible();
  await page.keyboard.press('Delete');
  await dialog(page).getByRole('button', { name: 'Delete 1 trace' }).click();
  await expect(page).toHaveURL(/#\/traces(\?|$)/);
  await expect(rows(page)).toHaveCount(7);
  await expect(row(page, /plan 1/)).toHaveCount(0);
});

test('a session is deleted with its traces', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/planning`);
  await page.getByRole('button', { name: 'Delete session…' }).click();
  await expect(dialog(page)).toContainText('3 traces with 6 spans');
  await dialog(page).getByRole('button', { name: 'Delete 3 traces' }).click();
  await expect(page).toHaveURL(/#\/sessions(\?|$)/);
  expect(await sum()).toBe(5);
});

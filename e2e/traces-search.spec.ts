/** The filter of the traces list as a search: words, and a field that was misspelt. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
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
  await expect(page.getByRole('status').filter({ hasText: 'modle' })).toContainText('There is no field “modle”. Did you mean model?');
  await expect(rows(page).locator('mark').first()).toHaveText('modle:o3');
  await expect(page).toHaveURL(/filter=modle%3Ao3\+filter$/);
  // What does not change the search leaves it as it was written.
  await rows(page).first().getByRole('link').click();
  await expect(page).toHaveURL(/filter=modle%3Ao3\+filter&peek=/);
  await page.keyboard.press('Escape');

  await page.goto(`${gateway.url}/#/traces?filter=modle+%3D+o3+and+ada`);
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'model', exact: true }).click();
  await expect(page).toHaveURL(/filter=model\+%3D\+o3\+and\+ada$/);

  await page.goto(`${gateway.url}/#/traces?filter=http%3A%2F%2Flocalhost%2F%3Fq%3D1`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('There is no field')).toHaveCount(0);
});

test('suggested are values that the search leaves, with the number of traces that each would leave', async ({ page }) => {
  const options = page.getByRole('option');
  await writeFilter(page, 'user_id = ada model = ');
  await expect(options).toHaveText(['o32']);
  await page.keyboard.press('Tab');
  await expect(field(page)).toHaveText('user_id = ada model = o3');
  // Once for each list of suggestions, and once for the editor.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.locator('input[aria-label="Filter"]')).toHaveValue('user_id = ada model = o3', { timeout: 500 });
  }).toPass();

  await page.getByRole('button', { name: 'Clear filter' }).click();
  await writeFilter(page, 'early or late ');
  await expect(options.filter({ hasText: 'model:o3' })).toHaveText('model:o32');
  await expect(options.filter({ hasText: 'user_id:ada' })).toHaveText('user_id:ada2');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/filter=early\+or\+late$/);
});

test('a condition that is typed slowly is completed at every step', async ({ page }) => {
  const options = page.getByRole('option');
  await writeFilter(page, 'user_id = ada model');
  await expect(options.first()).toContainText('model');
  await page.keyboard.type(' ');
  await expect(options.filter({ hasText: 'starts with' })).toHaveCount(1);
  await page.keyboard.type('=');
  await expect(options).toHaveText(['o32']);
  await page.keyboard.type(' ');
  await expect(options).toHaveText(['o32']);

  await page.getByRole('button', { name: 'Clear filter' }).click();
  await writeFilter(page, 'model not ');
  await expect(options.first()).toHaveText('not contains');
  await page.keyboard.type('i');
  await expect(options.first()).toHaveText('not in');
});

test('while a search runs, the rows of the list before can be read but not used', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/viewer\/traces\?.*filter=/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await writeFilter(page, 'late');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Searching…')).toBeVisible();
  const before = rows(page).getByText('early 5', { exact: true });
  await expect(before).toBeVisible();
  await before.click({ force: true });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  held.resolve();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).not.toHaveURL(/peek=/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/peek=/);
  await expect(rows(page).first()).toHaveAttribute('data-on', 'true');
});

test('a filter that cannot be read is marked once it is submitted, and the list stays', async ({ page }) => {
  await expect(rows(page)).toHaveCount(8);
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

test('a filter that is not being edited is drawn as wide as it is written', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?filter=model+%3D+o3+user_id+%3D+ada`);
  await expect(rows(page)).toHaveCount(2);
  const [first, second] = await page
    .locator('[aria-hidden] .rounded-key')
    .filter({ hasText: ' = ' })
    .evaluateAll((chips) => chips.map((chip) => chip.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
  expect((second?.left ?? 0) - (first?.right ?? 0)).toBeGreaterThan(3);
});

test('several values of a facet are ticked, which stay where they are, also in a narrow window', async ({ page }) => {
  const facets = page.getByRole('complementary', { name: 'Facets' });
  const models = facets.getByRole('group', { name: 'Model' }).getByRole('button');
  await expect(models).toHaveCount(2);
  const texts = await models.allTextContents();
  await models.last().click();
  await expect(rows(page)).toHaveCount(2);
  await expect(models).toHaveText(texts);
  await models.first().click();
  await expect(rows(page)).toHaveCount(8);
  await expect(models).toHaveText(texts);
  await expect(field(page)).toHaveValue(/^\(model = .* or model = .*\)$/);

  await page.setViewportSize({ width: 900, height: 700 });
  await page.getByRole('button', { name: 'Filters 2' }).click();
  await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Failed 1' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Filters 3' })).toBeVisible();
});

test('an empty list says how many traces match in all time', async ({ page }) => {
  await gateway.ingest(aRequest(aRun({ name: 'ancient', startMs: now - 3 * 86_400_000 })));
  await page.goto(`${gateway.url}/#/traces?filter=ancient&last=24h`);
  await expect(page.getByRole('heading', { name: 'Nothing matches in the last 24 hours' })).toBeVisible();
  await expect(page.getByText('1 trace matches in all time.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'ancient without it: 8' })).toBeVisible();
  await page.getByRole('button', { name: 'Search all time' }).click();
  await expect(rows(page)).toHaveCount(1);
});

test('the line above the list says of how many, how fast, and where the words are', async ({ page }) => {
  await writeFilter(page, 'late');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^2 traces of 8 · found in .+ · words in [a-z ]+ 2$/)).toBeVisible();
});

test('of a search whose time was spent the first matches are shown, and it can go on from there', async ({ page }) => {
  await page.route(/viewer\/traces\?.*filter=late/, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, total_is_lower_bound: true } } });
  });
  await writeFilter(page, 'late');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The first 2 matches of the last')).toBeVisible();
  await page.getByRole('button', { name: 'Search further back' }).click();
  await expect(page).toHaveURL(new RegExp(`to=${now - 1000}$`));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

/** The traces list: filters, time range and facets, no movement under the pointer, and saved columns and views. */
import { expect, type Page, type Route } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable } from './screen-checks.ts';

let gateway: TestGateway;
const hour = 3_600_000;
const now = Date.now() - 60_000;

test.beforeEach(async ({ page }) => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      ...Array.from({ length: 6 }, (_, i) => aRun({ name: `early ${i}`, startMs: now - 5 * hour + i * 1000 })).flat(),
      ...aRun({ name: 'late reasoning', startMs: now, model: 'o3', user: 'ada' }),
      ...aRun({ name: 'late failure', startMs: now - 1000, model: 'o3', user: 'ada', failed: true }),
    ]),
  );
  await page.goto(`${gateway.url}/#/traces`);
  await expect(rows(page)).toHaveCount(8);
});
test.afterEach(() => gateway.stop());

const table = (page: Page) => page.getByRole('table', { name: 'Traces' });
/** Without the header. */
const rows = (page: Page) => table(page).locator('[role=row][aria-rowindex]');
const row = (page: Page, name: RegExp) => table(page).getByRole('row', { name });
const option = (page: Page, name: string) =>
  page
    .getByRole('option')
    .filter({ hasText: new RegExp(`^${name}`) })
    .first();

async function writeFilter(page: Page, text: string) {
  await page.keyboard.press('/');
  await expect(page.getByRole('textbox', { name: 'Filter' })).toBeFocused();
  await page.keyboard.type(text);
}

test('a filter is completed with known values, and applied by Enter', async ({ page }) => {
  await writeFilter(page, 'mod');
  await expect(option(page, 'model')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(option(page, '=')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(option(page, 'o3')).toBeVisible();
  await page.keyboard.type('o3');
  await expect(option(page, 'o3')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/filter=model\+%3D\+o3/);
});

for (const [how, begin] of [
  ['/', (page: Page) => page.keyboard.press('/')],
  ['a click', (page: Page) => page.getByRole('textbox', { name: 'Filter' }).click()],
] as const) {
  for (const lateMs of [0, 700]) {
    test(`no key is lost while the editor is loaded: after ${how}, its code ${lateMs} ms late`, async ({ page }) => {
      if (lateMs > 0) await page.route(/filter-editor/, (route) => setTimeout(() => void route.continue(), lateMs));
      await page.reload();
      await expect(rows(page)).toHaveCount(8);
      await begin(page);
      await page.keyboard.type('status = EROR', { delay: 40 });
      for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveAttribute('contenteditable', 'true');
      // The caret has not moved either.
      await page.keyboard.type('R');
      await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveText('status = ERROR');
      // Within a word Enter may accept a suggestion.
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await expect(rows(page)).toHaveCount(1);
      await expect(page).toHaveURL(/filter=status\+%3D\+ERROR/);
    });
  }
}

test('a suggestion that is accepted within a word replaces the whole word', async ({ page }) => {
  const field = page.getByRole('textbox', { name: 'Filter' });
  await page.keyboard.press('/');
  await expect(field).toHaveAttribute('contenteditable', 'true');
  await page.keyboard.type('status = EXX');
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await page.keyboard.press('Control+Space');
  await expect(option(page, 'ERROR')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(field).toHaveText('status = ERROR');
});

test('Tab leaves an empty field, and accepts a suggestion after typing or selecting', async ({ page }) => {
  const field = page.getByRole('textbox', { name: 'Filter' });
  await page.keyboard.press('/');
  await expect(option(page, 'model')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'All time' })).toBeFocused();
  await expect(option(page, 'model')).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await expect(field).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'All time' })).toBeFocused();
  await expect(field).toHaveText(/^Search, for example/);

  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await page.keyboard.type('stat');
  await expect(option(page, 'status')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(field).toHaveText('status ');
  await expect(option(page, '=')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(field).toHaveText(/^status \S+ $/);
});

test('for an invalid filter in the address the page says what is wrong and where', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?filter=cost+%3E+much`);
  await expect(page.getByText('Invalid filter')).toBeVisible();
  await expect(page.locator('mark')).toHaveText('much');
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(rows(page)).toHaveCount(8);
});

test('a time range is selected with the pointer; back and forward restore the lists', async ({ page }) => {
  const strip = page.getByRole('region', { name: 'Traces over time' });
  await expect(strip.locator('rect')).not.toHaveCount(1);
  const box = await strip.locator('svg').boundingBox();
  if (!box) throw new Error('the strip is not visible');
  await page.mouse.move(box.x + box.width * 0.9, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await page.goBack();
  await expect(rows(page)).toHaveCount(8);
  await page.goForward();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Show all time' }).click();
  await expect(rows(page)).toHaveCount(8);
});

test('a facet filters by its value and shows its count', async ({ page }) => {
  const facets = page.getByRole('complementary', { name: 'Facets' });
  await facets.getByRole('button', { name: 'o3 2', exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(facets.getByRole('button', { name: 'o3 2', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await facets.getByRole('button', { name: 'failed 1' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveValue('model = o3 and status = ERROR');
});

test('a facet with a long name still shows its count', async ({ page }) => {
  await gateway.ingest(aRequest(aRun({ name: 'profile', startMs: now, model: 'm'.repeat(120) })));
  const facet = page.getByRole('complementary', { name: 'Facets' }).getByRole('button', { name: /^m+ 1$/ });
  await expect(facet.getByText('1', { exact: true })).toBeInViewport({ ratio: 1 });
});

test('when nothing matches, the condition that excludes the rows is named and can be dropped', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?filter=model+%3D+o3+and+user_id+%3D+nobody`);
  await page.getByRole('button', { name: 'user_id = nobody without it: 2' }).click();
  await expect(rows(page)).toHaveCount(2);
});

test('a link to the traces of a user sets one condition, also after a reload, and is cleared completely', async ({ page }) => {
  await row(page, /late reasoning/)
    .getByRole('link')
    .click();
  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: 'ada' }).click();
  const filter = page.getByRole('textbox', { name: 'Filter' });
  for (const step of [
    () => page.reload(),
    () => page.reload(),
    () =>
      row(page, /late failure/)
        .getByRole('link')
        .click(),
  ]) {
    await expect(rows(page)).toHaveCount(2);
    await expect(filter).toHaveValue('user_id = ada');
    await step();
  }
  await expect(page).toHaveURL(/\?filter=user_id\+%3D\+ada&peek=\w+$/);
  const panel = page.getByRole('region', { name: 'Trace', exact: true });
  await expect(panel.getByRole('heading', { name: 'late failure', level: 1 })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(rows(page)).toHaveCount(8);
  await expect(filter).toHaveValue('');
  await expect(page).toHaveURL(/#\/traces$/);
});

test('columns are hidden, moved and remembered', async ({ page }) => {
  const heads = () => table(page).getByRole('columnheader').allTextContents();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'cost' }).uncheck();
  await page.getByRole('button', { name: 'Move models up' }).click();
  await expect.poll(heads).not.toContain('Cost');
  await page.reload();
  await expect(rows(page)).toHaveCount(8);
  expect(await heads()).not.toContain('Cost');
  expect((await heads()).indexOf('Models')).toBeLessThan((await heads()).indexOf('Name'));
});

test('a saved view restores its filter, order and columns', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?filter=user_id+%3D+ada&sort_by=name&sort_order=asc`);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save current view as').fill('of ada');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto(`${gateway.url}/#/traces`);
  await expect(rows(page)).toHaveCount(8);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'of ada' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/sort_by=name/);
});

test('rows under the pointer do not move: new traces are counted, and shown on request', async ({ page }) => {
  await row(page, /early 3/).hover();
  await gateway.ingest(aRequest([...aRun({ name: 'newcomer', startMs: Date.now() }), ...aRun({ name: 'second', startMs: Date.now() })]));
  await expect(page.getByRole('button', { name: '2 new traces' })).toBeVisible();
  await expect(rows(page)).toHaveCount(8);
  await expect(rows(page).first()).toContainText('late reasoning');
  await page.getByRole('button', { name: '2 new traces' }).click();
  await expect(rows(page)).toHaveCount(10);
  await expect(row(page, /newcomer/)).toBeVisible();
});

test('a trace that arrives during a request for the list is not missed', async ({ page }) => {
  let respond = () => {};
  const mayRespond = new Promise<void>((resolve) => (respond = resolve));
  const holdBack = async (route: Route) => {
    const response = await route.fetch();
    await mayRespond;
    await route.fulfill({ response });
  };
  await page.route(/[?&]limit=1&/, holdBack, { times: 1 });
  const requested = page.waitForRequest(/[?&]limit=1&/);
  await row(page, /early 3/).hover();
  await requested;
  const facets = page.waitForResponse(
    async (response) => /trace-facets/.test(response.url()) && (await response.json()).data.looked_at === 9,
  );
  await gateway.ingest(aRequest(aRun({ name: 'newcomer', startMs: Date.now() })));
  await facets;
  respond();
  await expect(page.getByRole('button', { name: '1 new trace' })).toBeVisible();
});

test('with the pointer outside the list new rows appear at once', async ({ page }) => {
  await page.mouse.move(5, 5);
  await gateway.ingest(aRequest(aRun({ name: 'newcomer', startMs: Date.now() })));
  await expect(rows(page).first()).toContainText('newcomer');
});

test('rows are visited, selected and opened by keyboard', async ({ page }) => {
  for (const key of ['j', 'j', 'x', 'k', 'x']) await page.keyboard.press(key);
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('2 traces selected');
  const saved = page.waitForEvent('download');
  await selection.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^JSON/ }).click();
  expect((await saved).suggestedFilename()).toBe('traces-2.json');
  await selection.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Trace', exact: true })).toContainText('late failure');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Trace', exact: true })).toHaveCount(0);
});

test('a clicked row moves the focus to its side panel, and gets it back when the panel is closed', async ({ page }) => {
  const link = (name: RegExp) => row(page, name).getByRole('link');
  const panel = page.getByRole('region', { name: 'Trace', exact: true });
  const isShown = (name: string) => expect(panel.getByRole('heading', { name, level: 1 })).toBeVisible();
  await link(/early 3/).click();
  await expect(panel.getByRole('tree')).toBeFocused();
  // New rows arrive while the panel is open.
  await gateway.ingest(aRequest(aRun({ name: 'newcomer', startMs: Date.now() })));
  await expect(row(page, /newcomer/)).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('treeitem', { selected: true })).toHaveAccessibleName(/gpt-4o/);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(link(/early 3/)).toBeFocused();
  await page.keyboard.press('Enter');
  await isShown('early 3');
  // Another row, clicked beside the open side panel: the first one does not take the focus back.
  await row(page, /early 2/).click({ position: { x: 60, y: 10 } });
  await isShown('early 2');
  await expect(panel.getByRole('tree')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/traces\/[0-9a-f]{32}/);
  await expect(page.getByRole('heading', { name: 'early 2', level: 1 })).toBeVisible();
});

test('a side panel that fills a narrow window has its close button while its trace is loading and when it cannot be read', async ({
  page,
}) => {
  await page.setViewportSize({ width: 800, height: 700 });
  const reading = /\/v1\/viewer\/traces\/[0-9a-f]{32}\/outline/;
  const panel = page.getByRole('region', { name: 'Trace', exact: true });
  const close = async () => {
    await panel.getByRole('button', { name: 'Close (Esc)' }).click();
    await expect(panel).toHaveCount(0);
  };
  await page.route(reading, () => undefined);
  await row(page, /early 3/)
    .getByRole('link')
    .click();
  await expect(panel.getByRole('status', { name: 'Loading the trace' })).toBeVisible();
  await close();
  const error = { code: 'storage_unavailable', message: 'The disk is away', request_id: 'r' };
  await page.route(reading, (route) => route.fulfill({ status: 503, json: { error } }));
  await row(page, /early 2/)
    .getByRole('link')
    .click();
  await expect(panel.getByRole('alert')).toContainText('The disk is away');
  await close();
});

test('a long list is scrolled to its end, and its rows are loaded as needed', async ({ page }) => {
  const many = Array.from({ length: 450 }, (_, i) => aRun({ name: `one of many ${i}`, startMs: now - 10 * hour - i * 1000 })).flat();
  await gateway.ingest(aRequest(many));
  await expect(page.getByText('458 traces')).toBeVisible();
  await page.keyboard.press('End');
  await expect(row(page, /one of many 449/)).toBeVisible();
  await page.keyboard.press('Home');
  await expect(row(page, /late reasoning/)).toBeVisible();
});

test('a list that cannot be read says why, and can be loaded again', async ({ page }) => {
  const listing = /\/v1\/viewer\/traces\?/;
  const error = { code: 'storage_unavailable', message: 'The disk is away', request_id: 'r' };
  await page.route(listing, (route) => route.fulfill({ status: 503, json: { error } }));
  await page.goto(`${gateway.url}/#/traces?sort_by=cost&sort_order=desc`);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The disk is away');
  await page.unroute(listing);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows(page)).toHaveCount(8);
});

test('the list, its menus and its editor are accessible', async ({ page }) => {
  await expect(page.getByRole('complementary', { name: 'Facets' }).getByText('Model')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expectReadable(page);
  await writeFilter(page, 'modle = x and m');
  await expect(option(page, 'model')).toBeVisible();
  await expectReadable(page);
  await page.goto(`${gateway.url}/#/traces?filter=model+%3D+nope`);
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await expectReadable(page);
});

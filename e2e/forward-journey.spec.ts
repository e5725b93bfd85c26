/** The complete journey with two windows: from a machine that forwards nothing to its trace in the dashboard of the team. */
import { expect, type Page, type TestInfo } from '@playwright/test';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter, signIn } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
let cloud: TestCloud;

test.beforeAll(async () => {
  [cloud, gateway] = await Promise.all([startTestCloud(), startTestGateway({ environment: {} })]);
});
test.afterAll(() => Promise.all([gateway.stop(), cloud.stop()]));

/** Saves a screenshot with the results of the run. */
const saveScreenshot = (page: Page, info: TestInfo, name: string) => page.screenshot({ path: info.outputPath(`${name}.png`) });

test('a machine is linked in the browser, and its trace leads to the same one in the cloud', async ({ page, context, browser }, info) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url });
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/forwarding`);
  await expect(page.getByRole('heading', { name: 'Nothing leaves this machine' })).toBeVisible();
  await saveScreenshot(page, info, '1-nothing-leaves');
  await page.getByRole('button', { name: 'Link to a cloud' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link to a cloud' });
  await dialog.getByLabel('Cloud address').fill(cloud.url);
  await dialog.getByRole('button', { name: 'Get a code' }).click();
  const code = dialog.locator('[data-code]');
  await expect(code).toHaveText(/^[A-Z]{4}-[A-Z]{4}$/);
  await saveScreenshot(page, info, '2-code');

  const dashboard = await context.newPage();
  const dashboardErrors = watchConsole(dashboard);
  await enter(dashboard, cloud.url, cloud.tenant, `/link?code=${await code.textContent()}`);
  const form = dashboard.getByRole('form', { name: 'Approve or deny' });
  await expect(form.getByRole('heading', { name: (await code.textContent()) ?? '' })).toBeVisible();
  await form.getByLabel('The machine in front of me shows this code').check();
  await saveScreenshot(dashboard, info, '3-decide');
  await form.getByRole('button', { name: 'Approve' }).click();
  await expect(dashboard.getByRole('status').filter({ hasText: 'is linked' })).toBeVisible();

  await expect(dialog).toContainText('forwards to cloud from now on');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('status')).toContainText('Up to date');

  const spans = aRun({ name: 'a trip to the owls', startMs: Date.now() - 60_000, ask: 'Where do owls live?', reply: 'In the barn.' });
  await gateway.ingest(aRequest(spans));
  const path = `/traces/${spans[0]?.traceId}?view=tree`;
  await page.goto(`${gateway.url}/#${path}`);
  await expect(page.getByRole('button', { name: /Forward this trace\. .*sent/i })).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: /Forward this trace/ }).click();
  await expectReadable(page);
  await saveScreenshot(page, info, '4-sent');
  await page.getByRole('menuitem', { name: 'Copy link for the team' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Link copied' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${cloud.url}/#/traces/${spans[0]?.traceId}?app=${cloud.tenant.app_id}&environment=dev`);
  await page.getByRole('button', { name: /Forward this trace/ }).click();
  const opening = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Open in the cloud' }).click();
  const opened = await opening;
  await expect(opened).toHaveURL(link);
  await expect(opened.getByRole('heading', { level: 1, name: 'a trip to the owls' })).toBeVisible();
  const colleague = await (await browser.newContext()).newPage();
  await colleague.goto(link);
  await signIn(colleague, cloud.tenant);
  await expect(colleague).toHaveURL(link);
  await expect(colleague.getByRole('heading', { level: 1, name: 'a trip to the owls' })).toBeVisible();
  await colleague.context().close();

  const rows = async (of: Page) => (await of.getByRole('treeitem').allInnerTexts()).map((text) => text.split('\n'));
  await dashboard.goto(`${cloud.url}/#/traces`);
  await expect(dashboard.getByRole('row').filter({ hasText: 'a trip to the owls' })).toHaveCount(1);
  await dashboard.goto(`${cloud.url}/#${path}`);
  // The text of a row is loaded after the row.
  for (const shown of [page, dashboard]) await expect(shown.getByRole('treeitem').filter({ hasText: 'In the barn.' })).toHaveCount(1);
  expect(await rows(dashboard)).toEqual(await rows(page));
  expect(await rows(page)).toHaveLength(spans.length);
  await saveScreenshot(dashboard, info, '5-in-the-cloud');
  expect([errors, dashboardErrors]).toEqual([[], []]);
});

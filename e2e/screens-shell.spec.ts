/**
 * The frame around the screens: keys and titles of the pages, the storage page, a small first load, and behaviour while the gateway is
 * killed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type GatewayProcess, spawnGateway } from '../bench/gateway/gateway-process.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { pressPair } from './keyboard.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const pages = [
  ['t', 'Traces'],
  ['s', 'Sessions'],
  ['d', 'Dashboard'],
  ['c', 'Scores'],
  ['a', 'Datasets'],
  ['e', 'Experiments'],
  ['p', 'Prompts'],
  ['i', 'Ingest log'],
  ['o', 'Storage'],
  ['u', 'Set up'],
] as const;

test('every page is opened by two keys and has its name in the title', async ({ page }) => {
  const errors = watchConsole(page);
  await gateway.ingest(aRequest([aChat()]));
  await page.goto(`${gateway.url}/#/setup`);
  await expect(page.getByRole('heading', { name: 'Set up', exact: true })).toBeVisible();
  for (const [letter, title] of pages) {
    await pressPair(page, 'g', letter);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(`${title} · Glasshouse`);
    await expect(page.getByRole('navigation').getByRole('link', { name: title, exact: true })).toHaveAttribute('data-status', 'active');
  }
  expect(errors).toEqual([]);
});

test('the sidebar names its pages in groups, a key folds it to icons, and their names appear beside them', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${gateway.url}/#/setup`);
  const sidebar = page.getByRole('navigation', { name: 'Pages' });
  const traces = sidebar.getByRole('group', { name: 'Observe' }).getByRole('link', { name: 'Traces', exact: true });
  const name = sidebar.getByText('Traces', { exact: true });
  await expect(name).toBeVisible();
  await page.keyboard.press('[');
  await expect(name).toBeHidden();
  await page.reload();
  await expect(traces).toBeVisible();
  await expect(name).toBeHidden();
  await traces.hover();
  await expect(sidebar.getByText('Traces g t')).toBeVisible();
  await page.keyboard.press('[');
  await expect(name).toBeVisible();
  await page.setViewportSize({ width: 900, height: 700 });
  await expect(name).toBeHidden();
  await traces.focus();
  await expect(sidebar.getByText('Traces g t')).toBeVisible();
});

test('invalid parameters of a URL are ignored, and the screen opens with the others', async ({ page }) => {
  const errors = watchConsole(page);
  await gateway.ingest(aRequest([aChat({ attributes: { 'session.id': 'a-session' } })]));
  for (const [address, table] of [
    ['/traces?sort_by=colour&sort_order=up&from=soon', 'Traces'],
    ['/sessions?sort_by=colour&page=none', 'Sessions'],
  ] as const) {
    await page.goto(`${gateway.url}/#${address}`);
    await expect(page.getByRole('table', { name: table }).locator('[role=row][aria-rowindex]')).toHaveCount(1);
  }
  await page.goto(`${gateway.url}/#/experiments?page=none&colour=red`);
  await expect(page.getByRole('heading', { name: 'No experiments yet' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('retention is set on the storage page, after a confirmation of what is removed', async ({ page }) => {
  const errors = watchConsole(page);
  await gateway.ingest(aRequest([aChat(), aChat()]));
  await page.goto(`${gateway.url}/#/storage`);
  const form = page.getByRole('form', { name: 'Retention' });
  await form.getByLabel('Days').fill('0');
  await expect(form.getByText('Enter a whole number from 1 to 3650')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Days').fill('30');
  await form.getByRole('button', { name: 'Save' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Remove older traces?' });
  await expect(confirmation).toContainText('Currently about 0 traces');
  await expectReadable(page);
  await confirmation.getByRole('button', { name: 'Remove older traces' }).click();
  await expect(confirmation).toBeHidden();
  await page.reload();
  await expect(form.getByLabel('Days')).toHaveValue('30');
  await page.getByRole('button', { name: 'Compact database' }).click();
  await expect(page.getByText(/^Done: .+ returned to the disk\. The database takes /)).toBeVisible();
  expect((await gateway.client.traces.list({ query: {} })).data.length).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('the storage page shows where the store is, what is in it, and what was set aside', async ({ page }) => {
  await gateway.ingest(aRequest([aChat(), aChat()]));
  await page.goto(`${gateway.url}/#/storage`);
  await expect(page.getByText(gateway.dataDir, { exact: true })).toBeVisible();
  await expect(page.getByText('Nothing is in quarantine')).toBeVisible();
  await expect(page.getByText('The store is available')).toBeVisible();
  await expectReadable(page);
});

test('the list of traces is shown after at most 20 requests and 350 kB', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const bytes: number[] = [];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => bytes.push(encodedDataLength));
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(bytes.length).toBeLessThanOrEqual(20);
  const sum = bytes.reduce((total, size) => total + size, 0);
  expect(sum).toBeGreaterThan(100_000);
  expect(sum).toBeLessThanOrEqual(350_000);
});

test('what is typed right after Ctrl K is searched, and no key of the page', async ({ page }) => {
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await gateway.ingest(aRequest([aChat(), aChat()]));
  let isAllowed = () => {};
  const allowed = new Promise<void>((resolve) => {
    isAllowed = resolve;
  });
  await page.route(/screens-[^/]*js$/, async (route) => {
    await allowed;
    await route.continue();
  });
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('x2j');
  await expect(page.getByRole('combobox', { name: 'Search commands, pages and traces' })).toHaveValue('x2j');
  await page.keyboard.press('Escape');
  await expect(page.locator('[role=row][data-on=true]')).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  // The code of this dialog is loaded when it is opened.
  await page.keyboard.press('d');
  await page.keyboard.type('2');
  isAllowed();
  await expect(page.getByRole('dialog', { name: 'Add this trace to a dataset' })).toBeVisible();
  await expect(page).toHaveURL(/#\/traces$/);
});

test.describe('with the gateway killed', () => {
  let killed: GatewayProcess;
  const restart = async () => {
    killed = spawnGateway(gateway.dataDir, gateway.port);
    await killed.ready;
  };
  test.beforeEach(async () => {
    await gateway.ingest(aRequest([aChat({ attributes: { 'session.id': 'a-session' } })]));
    await gateway.gateway.stop();
    await restart();
  });
  test.afterEach(() => killed.kill());

  const unanswered = (page: Page) => page.getByRole('alert').filter({ hasText: 'No gateway answers at' });
  const trace = (page: Page) => page.getByRole('region', { name: 'Trace', exact: true });
  const row = (page: Page) => page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');

  async function openList(page: Page) {
    await page.goto(`${gateway.url}/#/traces`);
    await expect(row(page)).toHaveCount(1);
  }

  /** Marks the page, to detect a reload. */
  const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isSame: true }));
  const isSame = (page: Page) => page.evaluate(() => 'isSame' in window);

  test.describe('with code that is prefetched', () => {
    test.use({ prefetches: true });

    test('a screen that was never opened can be opened, says that no gateway answers, and is filled when it does', async ({ page }) => {
      const fetched = new Set<string>();
      page.on('requestfinished', (request) => fetched.add(request.url()));
      await openList(page);
      const prefetched = readdirSync(join(import.meta.dirname, '../out/renderer/assets')).filter((file) =>
        // With what they import.
        /^(screens|trace|markdown)-.*js$/.test(file),
      );
      expect(prefetched).toHaveLength(3);
      await expect.poll(() => prefetched.every((file) => [...fetched].some((url) => url.endsWith(file)))).toBe(true);
      await mark(page);
      await killed.kill();
      await pressPair(page, 'g', 's');
      await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
      await expect(unanswered(page)).toBeVisible();
      await pressPair(page, 'g', 't');
      await expect(row(page)).toHaveCount(1);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await expect(trace(page)).toContainText('No gateway answers at');
      await page.keyboard.press('Escape');
      await expect(trace(page)).toHaveCount(0);
      await pressPair(page, 'g', 's');
      await restart();
      await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
      expect(await isSame(page)).toBe(true);
    });
  });

  test('a screen whose code was not loaded waits for the gateway, next to a list that stays', async ({ page }) => {
    await openList(page);
    await mark(page);
    await killed.kill();
    await expect(page.getByRole('img', { name: 'The gateway does not answer' })).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(trace(page).getByRole('status', { name: 'Loading the trace' }).or(unanswered(page))).toBeVisible();
    await expect(unanswered(page)).toBeVisible();
    await expect(row(page)).toHaveCount(1);
    await expectReadable(page);
    await page.keyboard.press('Escape');
    await expect(trace(page)).toHaveCount(0);
    await page.keyboard.press('/');
    await page.keyboard.type('model = nobody', { delay: 40 });
    await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveValue('model = nobody');
    await page.keyboard.press('Escape');
    await pressPair(page, 'g', 's');
    await expect(unanswered(page)).toBeVisible();
    await restart();
    await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
    expect(await isSame(page)).toBe(true);
  });

  test('a trace and the filter editor are loaded without a reload once the gateway answers', async ({ page }) => {
    await openList(page);
    await killed.kill();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(unanswered(page)).toBeVisible();
    await restart();
    await expect(trace(page).getByRole('treeitem')).not.toHaveCount(0);
    await page.keyboard.press('Escape');
    await killed.kill();
    await expect(page.getByRole('img', { name: 'The gateway does not answer' })).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('model = ');
    await restart();
    await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveAttribute('contenteditable', 'true');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/filter=model\+%3D\+nobody/);
  });

  test('code whose download failed is loaded once the gateway answers, without leaving the page', async ({ page }) => {
    await openList(page);
    // Like a gateway that is killed during a response, before the page knows.
    const screens = /screens-[^/]*js$/;
    await page.route(screens, async (route) => {
      await killed.kill();
      await route.abort('connectionreset');
    });
    await pressPair(page, 'g', 's');
    await expect(unanswered(page)).toBeVisible();
    await page.unroute(screens);
    await restart();
    await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
  });
});

test('code that an update of the viewer has removed makes the page reload: once, and again when that may help', async ({ page }) => {
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await gateway.ingest(aRequest([aChat({ attributes: { 'session.id': 'a-session' } })]));
  let loads = 0;
  page.on('load', () => loads++);
  const screens = /screens-[^/]*js$/;
  await page.route(screens, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await pressPair(page, 'g', 's');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('A part of this page could not be fetched, though the gateway answers.');
  expect(loads).toBe(2);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => loads).toBe(3);
  await expect(alert).toContainText('A part of this page could not be fetched');
  await page.unroute(screens);
  await gateway.restart();
  await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
  expect(loads).toBe(4);
});

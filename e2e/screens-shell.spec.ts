/**
 * What holds the screens together: keys that go to each page, titles that name it, the page of the store, a small first load, and a gateway
 * that is killed under them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type GatewayProcess, spawnGateway } from '../bench/gateway/gateway-process.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
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

test('every page is two keys away and says in its title what it is', async ({ page }) => {
  const errors = watchConsole(page);
  await gateway.ingest(aRequest([aChat()]));
  await page.goto(`${gateway.url}/#/setup`);
  await expect(page.getByRole('heading', { name: 'Set up', exact: true })).toBeVisible();
  for (const [letter, title] of pages) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(page).toHaveTitle(`${title} · Glasshouse`);
    await expect(page.getByRole('navigation').getByRole('link', { name: title, exact: true })).toHaveAttribute('data-status', 'active');
  }
  expect(errors).toEqual([]);
});

test('what an address says wrongly is left out, and the screen opens with the rest', async ({ page }) => {
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

test('how long traces are kept is said on the page of the store, and what goes is asked about first', async ({ page }) => {
  const errors = watchConsole(page);
  await gateway.ingest(aRequest([aChat(), aChat()]));
  await page.goto(`${gateway.url}/#/storage`);
  const form = page.getByRole('form', { name: 'Retention' });
  await form.getByLabel('Days').fill('0');
  await expect(form.getByText('Enter a whole number from 1 to 3650')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByLabel('Days').fill('30');
  await form.getByRole('button', { name: 'Save' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove older traces?' });
  await expect(asked).toContainText('Currently about 0 traces');
  await expectReadable(page);
  await asked.getByRole('button', { name: 'Remove older traces' }).click();
  await expect(asked).toBeHidden();
  await page.reload();
  await expect(form.getByLabel('Days')).toHaveValue('30');
  await page.getByRole('button', { name: 'Compact database' }).click();
  await expect(page.getByText(/^Done: .+ returned to the disk\. The database takes /)).toBeVisible();
  expect((await gateway.client.traces.list({ query: {} })).data.length).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('the page of the store says where it is, what is in it, and what was set aside', async ({ page }) => {
  await gateway.ingest(aRequest([aChat(), aChat()]));
  await page.goto(`${gateway.url}/#/storage`);
  await expect(page.getByText(gateway.dataDir, { exact: true })).toBeVisible();
  await expect(page.getByText('Nothing is in quarantine')).toBeVisible();
  await expect(page.getByText('The store is available')).toBeVisible();
  await expectReadable(page);
});

test('the list of traces stands after 20 requests and 350 kB', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const bytes: number[] = [];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => bytes.push(encodedDataLength));
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(bytes.length).toBeLessThanOrEqual(20);
  const sum = bytes.reduce((total, each) => total + each, 0);
  expect(sum).toBeGreaterThan(100_000);
  expect(sum).toBeLessThanOrEqual(350_000);
});

test.describe('with the gateway killed', () => {
  let killed: GatewayProcess;
  const again = async () => {
    killed = spawnGateway(gateway.dataDir, gateway.port);
    await killed.ready;
  };
  test.beforeEach(async () => {
    await gateway.ingest(aRequest([aChat({ attributes: { 'session.id': 'a-session' } })]));
    await gateway.gateway.stop();
    await again();
  });
  test.afterEach(() => killed.kill());

  /** A browser that is never at rest: no code comes before it is wanted. */
  const neverRest = (page: Page) => page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  const unanswered = (page: Page) => page.getByRole('alert').filter({ hasText: 'No gateway answers at' });
  const trace = (page: Page) => page.getByRole('region', { name: 'Trace', exact: true });
  const row = (page: Page) => page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]');

  async function openList(page: Page) {
    await page.goto(`${gateway.url}/#/traces`);
    await expect(row(page)).toHaveCount(1);
  }

  /** A page that was loaded anew is another. */
  const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isSame: true }));
  const isSame = (page: Page) => page.evaluate(() => 'isSame' in window);

  test('a screen that was never opened is there, says that no gateway answers, and fills when it does', async ({ page }) => {
    const fetched = new Set<string>();
    page.on('requestfinished', (request) => fetched.add(request.url()));
    await openList(page);
    const ahead = readdirSync(join(import.meta.dirname, '../out/renderer/assets')).filter((file) => /^(screens|trace)-.*js$/.test(file));
    expect(ahead).toHaveLength(2);
    await expect.poll(() => ahead.every((file) => [...fetched].some((url) => url.endsWith(file)))).toBe(true);
    await mark(page);
    await killed.kill();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
    await expect(unanswered(page)).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expect(row(page)).toHaveCount(1);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(trace(page)).toContainText('No gateway answers at');
    await page.keyboard.press('Escape');
    await expect(trace(page)).toHaveCount(0);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await again();
    await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
    expect(await isSame(page)).toBe(true);
  });

  test('a screen whose code never came waits for the gateway, beside a list that stays', async ({ page }) => {
    await neverRest(page);
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
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(unanswered(page)).toBeVisible();
    await again();
    await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
    expect(await isSame(page)).toBe(true);
  });

  test('a trace that waits beside the list, and a filter that is being written, come by themselves', async ({ page }) => {
    await neverRest(page);
    await openList(page);
    await killed.kill();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(unanswered(page)).toBeVisible();
    await again();
    await expect(trace(page).getByRole('treeitem')).not.toHaveCount(0);
    await page.keyboard.press('Escape');
    await killed.kill();
    await expect(page.getByRole('img', { name: 'The gateway does not answer' })).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('model = ');
    await again();
    await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveAttribute('contenteditable', 'true');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/filter=model\+%3D\+nobody/);
  });

  test('code whose fetching broke off comes once the gateway answers, and the page is never left for one that cannot be loaded', async ({
    page,
  }) => {
    await neverRest(page);
    await openList(page);
    // As a gateway that dies in the middle of an answer: the page asks before it knows.
    const screens = /screens-[^/]*js$/;
    await page.route(screens, async (route) => {
      await killed.kill();
      await route.abort('connectionreset');
    });
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(unanswered(page)).toBeVisible();
    await page.unroute(screens);
    await again();
    await expect(page.getByRole('row', { name: /a-session/ })).toBeVisible();
  });
});

test('code that an update of the viewer has taken away has the page loaded anew: once, and whenever that may help', async ({ page }) => {
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await gateway.ingest(aRequest([aChat({ attributes: { 'session.id': 'a-session' } })]));
  let loads = 0;
  page.on('load', () => loads++);
  const screens = /screens-[^/]*js$/;
  await page.route(screens, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
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

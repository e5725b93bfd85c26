/** What holds the screens together: keys that go to each page, titles that name it, the page of the store, and a small first load. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
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

test('how long traces are kept is said on the page of the store, and what goes is asked about first', async ({ page }) => {
  const errors = watchConsole(page);
  await gateway.ingest(aRequest([aChat(), aChat()]));
  await page.goto(`${gateway.url}/#/storage`);
  const form = page.getByRole('form', { name: 'How long traces are kept' });
  await form.getByLabel('Days').fill('0');
  await expect(form.getByText('A whole number from 1 to 3650')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Keep so' })).toBeDisabled();
  await form.getByLabel('Days').fill('30');
  await form.getByRole('button', { name: 'Keep so' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove what is older?' });
  await expect(asked).toContainText('Today these are about 0 traces');
  await expectReadable(page);
  await asked.getByRole('button', { name: 'Remove it, now and from now on' }).click();
  await expect(asked).toBeHidden();
  await page.reload();
  await expect(form.getByLabel('Days')).toHaveValue('30');
  await page.getByRole('button', { name: 'Compact the database' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Compact it' }).click();
  await expect(page.getByText('Done: the database takes')).toBeVisible();
  expect((await gateway.client.traces.list({ query: {} })).data.length).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('the page of the store says where it is, what is in it, and what was set aside', async ({ page }) => {
  await gateway.ingest(aRequest([aChat(), aChat()]));
  await page.goto(`${gateway.url}/#/storage`);
  await expect(page.getByText(gateway.dataDir, { exact: true })).toBeVisible();
  await expect(page.getByText('No store was ever damaged here')).toBeVisible();
  await expect(page.getByText('the store answers')).toBeVisible();
  await expectReadable(page);
});

test('the list of traces loads no more than 250 kB of script', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  const loaded = new Set<string>();
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname;
    if (name.endsWith('.js')) loaded.add(name);
  });
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const folder = join(import.meta.dirname, '../out/renderer/assets');
  const files = readdirSync(folder).filter((file) => loaded.has(`/assets/${file}`));
  expect(files.length).toBeGreaterThan(0);
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  expect(size).toBeLessThanOrEqual(250_000);
});

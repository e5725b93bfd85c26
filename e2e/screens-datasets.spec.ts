/** Datasets: the first row creates one, its rows can be read, and recorded calls become rows by a mapping with a preview. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const rowsOf = (path: string) => gateway.client.templates.get({ query: { path, format: 'json' } });

test('a dataset is created with its first row, and the row is shown in full', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/datasets`);
  await expect(page.getByText('No datasets yet')).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: 'New dataset' }).first().click();
  await page.getByLabel('Name').fill('refunds/hard cases');
  await page.getByLabel('Input').fill('{"question":"Where is it?"}');
  await page.getByLabel('Metadata').fill('not an object');
  await expect(page.getByText('Must be a JSON object')).toBeVisible();
  await page.getByLabel('Metadata').fill('{"source":"support"}');
  await page.getByRole('button', { name: 'Create dataset' }).click();
  const dataset = page.getByRole('heading', { name: 'refunds/hard cases.jsonl' });
  await expect(dataset).toBeVisible();
  await expect(page.getByLabel('Row', { exact: true })).toContainText('Where is it?');
  await expectReadable(page);

  await page.getByRole('button', { name: 'Add a row' }).click();
  await page.getByRole('dialog').getByLabel('Input').fill('plain words');
  await page.getByRole('button', { name: 'Add row' }).click();
  await expect(page.getByText('of 2 rows')).toBeVisible();
  expect(await rowsOf('refunds/hard cases.jsonl')).toEqual([
    { input: { question: 'Where is it?' }, expected_output: null, metadata: { source: 'support' } },
    { input: 'plain words', expected_output: null, metadata: {} },
  ]);

  await page.goto(`${gateway.url}/#/datasets`);
  await page.getByRole('link', { name: 'refunds/hard cases.jsonl' }).click();
  await expect(dataset).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Datasets' })).toBeVisible();
  // In a narrow window the selected row covers the others: Esc closes it first.
  await page.setViewportSize({ width: 800, height: 700 });
  await page.goto(`${gateway.url}/#/datasets?name=refunds%2Fhard+cases.jsonl&row=1`);
  const row = page.getByLabel('Row', { exact: true });
  await expect(row).toContainText('plain words');
  await page.keyboard.press('Escape');
  await expect(row).toBeHidden();
  await expect(dataset).toBeVisible();
  expect(errors).toEqual([]);
});

test('recorded calls become rows as shown in the preview', async ({ page }) => {
  await gateway.ingest(aRequest([aChat({ ask: 'first?', reply: 'one' }), aChat({ ask: 'second?', reply: 'two' })]));
  await gateway.client.datasets.append({ params: { datasetName: 'calls' }, body: { input: null } });
  await page.goto(`${gateway.url}/#/datasets`);
  await page.getByRole('link', { name: 'calls.jsonl' }).click();
  await page.getByRole('button', { name: 'Add from spans' }).click();
  await expect(page.getByRole('button', { name: /^Select chat/ })).toHaveCount(2);
  for (const choice of await page.getByRole('button', { name: /^Select chat/ }).all()) await choice.click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByLabel('Expected output').fill('nowhere');
  await expect(page.getByText('nowhere is not a path')).toBeVisible();
  await page.getByLabel('Expected output').fill('$.output');
  await page.getByLabel('Metadata').fill('kept = $.model');
  const preview = page.getByRole('article').filter({ hasText: 'Preview' });
  await expect(preview).toContainText('kept');
  await expect(preview).toContainText('gpt-4o');
  await expectReadable(page);
  await page.getByRole('button', { name: 'Add 2 rows' }).click();
  await expect(page.getByText('2 of 2 rows added.')).toBeVisible();
  expect(await rowsOf('calls.jsonl')).toMatchObject([{ input: null }, { metadata: { kept: 'gpt-4o' } }, { metadata: { kept: 'gpt-4o' } }]);
});

test('selected traces are added to a dataset from the list', async ({ page }) => {
  await gateway.ingest(aRequest([aChat({ ask: 'first?', reply: 'one' }), aChat({ ask: 'second?', reply: 'two' })]));
  await gateway.client.datasets.append({ params: { datasetName: 'chosen' }, body: { input: null } });
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]')).toHaveCount(2);
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Add to dataset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add 2 traces to a dataset' });
  await expect(dialog.getByRole('combobox', { name: 'Dataset' })).toHaveValue('chosen');
  await expectReadable(page);
  await dialog.getByRole('button', { name: 'Add 2 rows' }).click();
  await expect(dialog.getByRole('status')).toContainText('2 of 2 rows added to chosen.');
  expect(await rowsOf('chosen.jsonl')).toHaveLength(3);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page).toHaveURL(/#\/traces/);
  await expect(page.getByText('2 traces selected')).toBeVisible();
});

test('a span becomes an edited row of a new dataset without leaving its trace', async ({ page }) => {
  const long = 'a long answer '.repeat(1000);
  await gateway.ingest(aRequest([aChat({ name: 'reply', ask: 'first?', reply: long })]));
  const { data } = await gateway.client.traces.list({});
  await page.goto(`${gateway.url}/#/traces/${data[0]?.id}`);
  await expect(page.getByRole('button', { name: 'Add to dataset' })).toBeVisible();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Add this span to a dataset' });
  await dialog.getByLabel('Name').fill('hard/cases');
  await expect(dialog.getByLabel('Input')).toHaveValue(/first\?/);
  await expectReadable(page);
  await dialog.getByLabel('Input').fill('{"question":"second?"}');
  await dialog.getByLabel('Metadata').fill('{"source":"support"}');
  await dialog.getByRole('button', { name: 'Add row' }).click();
  await expect(dialog.getByRole('status')).toContainText('Row added to hard/cases.');
  const [row] = (await rowsOf('hard/cases.jsonl')) as unknown[];
  expect(row).toMatchObject({ input: { question: 'second?' }, metadata: { source: 'support' } });
  expect(JSON.stringify(row)).toContain(long);
  await expect(page).toHaveURL(/#\/traces\//);
});

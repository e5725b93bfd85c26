/** What the list shows of the traces that a search selects: where its words are, their spans, and their failures in groups. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable } from './screen-checks.ts';

let gateway: TestGateway;
const now = Date.now() - 60_000;

/** A run whose search of the web fails, while the agent goes on. */
function aSearch(seconds: number, name: string): object[] {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const startMs = now - seconds * 1000;
  const tool = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'web_search',
    'gen_ai.tool.call.arguments': '{"query":"sodium-ion <b>price</b>"}',
    'error.type': 'RateLimitError',
  };
  return [
    aSpan({ traceId, spanId: root, name, startMs, durationMs: 900, status: 'OK', attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
    aSpan({
      ...{ traceId, parentSpanId: root, startMs: startMs + 10, name: 'execute_tool web_search', attributes: tool },
      ...{ status: 'ERROR', statusMessage: `429 from the provider, retry after ${seconds} s` },
    }),
  ];
}

test.beforeEach(async ({ page }) => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      ...[3, 8].flatMap((seconds) => aSearch(seconds, `battery outlook ${seconds}`)),
      ...aRun({ name: 'pack price', startMs: now, ask: 'What is the price of a pack?', reply: 'About $52.' }),
      ...aRun({ name: 'broken', startMs: now - 5000, failed: true }),
    ]),
  );
  await page.goto(`${gateway.url}/#/traces`);
  await expect(rows(page, 'Traces')).toHaveCount(4);
});
test.afterEach(() => gateway.stop());

/** Without the header. */
const rows = (page: Page, table: string) => page.getByRole('table', { name: table, exact: true }).locator('[role=row][aria-rowindex]');
const view = (page: Page, name: string) => page.getByRole('group', { name: 'List' }).getByRole('button', { name });

test('each row shows where the words of the search are, and marks them', async ({ page }) => {
  await expect(rows(page, 'Traces').filter({ hasText: 'pack price' })).toContainText('What is the price of a pack? → About $52.');
  await page.keyboard.press('/');
  await page.keyboard.type('PRICE');
  await page.keyboard.press('Enter');
  await expect(rows(page, 'Traces')).toHaveCount(3);
  const inTool = rows(page, 'Traces').filter({ hasText: 'battery outlook 3' });
  await expect(inTool).toContainText('web_search arguments');
  await expect(inTool.locator('mark')).toHaveText(['price']);
  await expect(inTool).toContainText('sodium-ion <b>price</b>');
  const inQuestion = rows(page, 'Traces').filter({ hasText: 'pack price' });
  await expect(inQuestion).toContainText('questionWhat is the price of a pack?');
  await expect(inQuestion.locator('mark')).toHaveText(['price']);
  await expectReadable(page);
});

test('the same failure is one group, whose traces are a click away', async ({ page }) => {
  await page.keyboard.press('3');
  await expect(page).toHaveURL(/show=errors/);
  await expect(rows(page, 'Error groups')).toHaveCount(2);
  const limited = rows(page, 'Error groups').first();
  await expect(limited).toContainText('RateLimitError');
  await expect(limited).toContainText('New today');
  await expect(limited).toContainText('n from the provider, retry after n s');
  await expect(limited).toContainText('web_search');
  await expect(page.getByText('3 errors in 3 traces')).toBeVisible();
  await expectReadable(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(rows(page, 'Traces')).toHaveCount(2);
  await expect(page).toHaveURL(/filter=tool/);
  await expect(view(page, 'Traces')).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expect(rows(page, 'Error groups')).toHaveCount(2);
});

test('the spans that a search finds are a list, from which each opens in its trace', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?filter=tool+%3D+web_search`);
  await expect(rows(page, 'Traces')).toHaveCount(2);
  await view(page, 'Spans').click();
  await expect(rows(page, 'Spans')).toHaveCount(2);
  await expect(page.getByText('2 spans', { exact: true })).toBeVisible();
  await expectReadable(page);
  await rows(page, 'Spans').first().getByRole('link').click();
  await expect(page).toHaveURL(/traces\/[0-9a-f]{32}\?.*span=/);
  await expect(page.getByRole('heading', { name: 'battery outlook 3' })).toBeVisible();
  await page.goBack();
  await page.keyboard.press('1');
  await expect(rows(page, 'Traces')).toHaveCount(2);
});

test('spans and error groups say that there are none, and what cannot be asked of spans', async ({ page }) => {
  await page.goto(`${gateway.url}/#/traces?filter=zebra&show=errors`);
  await expect(page.getByRole('heading', { name: 'No errors' })).toBeVisible();
  await view(page, 'Spans').click();
  await expect(page.getByRole('heading', { name: 'No spans' })).toBeVisible();
  await page.goto(`${gateway.url}/#/traces?filter=errors_inside+%3E+0&show=spans`);
  await expect(page.getByRole('heading', { name: 'Invalid filter' })).toBeVisible();
  await page.goto(`${gateway.url}/#/traces?commit_sha=abc&show=spans`);
  await page.getByRole('button', { name: 'Remove commit_sha = abc' }).click();
  await expect(rows(page, 'Spans').first()).toBeVisible();
});

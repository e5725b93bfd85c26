/** The dashboard counts received spans, is filtered by the search line of the list, and each part of it opens its traces. */
import { expect, type Locator, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const figure = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Figures' })
    .locator('div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) });

interface Run {
  name: string;
  startMs: number;
  model?: string;
  isFailed?: boolean;
  hasErrorInside?: boolean;
}

/** A run of ten seconds with one call of a model and one of a tool. */
function aRun({ name, startMs, model = 'gpt-4o', isFailed = false, hasErrorInside = false }: Run): object[] {
  const place = { traceId: aTraceId(), startMs };
  const spanId = aSpanId();
  const isToolFailed = isFailed || hasErrorInside;
  return [
    aSpan({ ...place, spanId, name, durationMs: 10_000, status: isFailed ? 'ERROR' : 'OK' }),
    aChat({ ...place, parentSpanId: spanId, durationMs: 2000, model }),
    aSpan({
      ...{ ...place, parentSpanId: spanId, name: 'execute_tool web_search', status: isToolFailed ? 'ERROR' : 'OK' },
      ...(isToolFailed && { statusMessage: 'RateLimitError: too many requests' }),
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'web_search' },
    }),
  ];
}

async function drag(page: Page, area: Locator, from: number, to: number): Promise<void> {
  const box = await area.boundingBox();
  if (!box) throw new Error('the chart is not visible');
  await page.mouse.move(box.x + box.width * from, box.y + box.height - 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to - 2, box.y + box.height - 4);
  await page.mouse.up();
}

test('few traces are marks that open them, with failed and errors inside apart', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/dashboard?range=1h`);
  await expect(page.getByText('No traces in the last hour')).toBeVisible();
  await expectReadable(page);

  const now = Date.now();
  await gateway.ingest(
    aRequest([
      ...aRun({ name: 'the early run', startMs: now - 50 * minuteMs }),
      ...aRun({ name: 'the recovered run', startMs: now - 40 * minuteMs, hasErrorInside: true }),
      ...aRun({ name: 'the late run', startMs: now - 2 * minuteMs, isFailed: true, model: 'gpt-4o-mini' }),
    ]),
  );
  await expect(figure(page, 'Traces')).toContainText('Traces30 in the hour before');
  await expect(figure(page, 'Failed')).toContainText('Failed133 %');
  await expect(figure(page, 'Errors inside')).toContainText('Errors inside133 %');
  await expect(page.getByText('too few traces for p95')).toBeVisible();
  await expectReadable(page);

  const look = page.getByRole('complementary', { name: 'Needs a look' });
  await expect(look.getByRole('link', { name: /RateLimitError, web_search 2 traces, first seen/ })).toContainText('2');
  await page.getByText('As a table').first().click();
  await expect(page.getByRole('region', { name: 'Every trace' }).getByRole('row', { name: /the recovered run/ })).toContainText(
    'errors inside',
  );

  await page
    .getByRole('link', { name: /^the late run, 10\.0 s, .*failed/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/traces\/[0-9a-f]{32}/);
  expect(errors).toEqual([]);
});

test('the search line narrows everything, and a stretch of time opens its traces with it', async ({ page }) => {
  const errors = watchConsole(page);
  const now = Date.now();
  await gateway.ingest(
    aRequest([
      ...aRun({ name: 'the early run', startMs: now - 50 * minuteMs }),
      ...aRun({ name: 'the late run', startMs: now - 3 * minuteMs }),
      ...aRun({ name: 'another model', startMs: now - 3 * minuteMs, model: 'gpt-4o-mini' }),
    ]),
  );
  await page.goto(`${gateway.url}/#/dashboard?range=1h`);
  await expect(figure(page, 'Traces')).toContainText('Traces3');

  // A row of the table narrows by the same line, and again removes it.
  const models = page.getByRole('region', { name: 'By model' });
  await models.getByRole('button', { name: 'gpt-4o-mini' }).click();
  await expect(page).toHaveURL(/filter=model\+%3D\+gpt-4o-mini/);
  await expect(figure(page, 'Traces')).toContainText('Traces1');
  await models.getByRole('button', { name: 'gpt-4o-mini' }).click();
  await expect(figure(page, 'Traces')).toContainText('Traces3');

  await page.keyboard.press('/');
  await page.keyboard.type('model:gpt-4o');
  await page.keyboard.press('Enter');
  await expect(figure(page, 'Traces')).toContainText('Traces2');
  await drag(page, page.getByRole('application', { name: /^Cost, added up, over time/ }), 0.75, 1);
  await expect(page.getByRole('row', { name: /the late run/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /the early run|another model/ })).toHaveCount(0);
  await expect(page).toHaveURL(/#\/traces\?.*filter=model/);
  expect(errors).toEqual([]);
});

test('many traces are counted in steps beside the period before, and broken down', async ({ page }) => {
  const errors = watchConsole(page);
  const now = Date.now();
  const many = (count: number, from: number, more: Partial<Run> = {}) =>
    Array.from({ length: count }, (_, at) => aRun({ name: 'run', startMs: now - from + at * minuteMs, ...more })).flat();
  await gateway.ingest(aRequest([...many(220, 20 * hourMs), ...many(20, 4 * hourMs, { isFailed: true, model: 'gpt-4o-mini' })]));
  await gateway.ingest(aRequest(many(120, 40 * hourMs)));
  await page.goto(`${gateway.url}/#/dashboard`);
  await expect(figure(page, 'Traces')).toContainText('Traces240+100 %');
  await expect(figure(page, 'Failed')).toContainText('Failed208 %, was 0 %');
  await expect(figure(page, 'Latency p95')).toContainText('10.0 swas 10.0 s, p50 10.0 s');
  await expectReadable(page);

  const models = page.getByRole('region', { name: 'By model' });
  await models.getByRole('button', { name: 'Calls' }).click();
  await models.getByRole('button', { name: /Calls/ }).click();
  await expect(models.getByRole('row').nth(1)).toContainText('gpt-4o-mini');
  await page.getByRole('group', { name: 'Break down by' }).getByRole('button', { name: 'Tool' }).click();
  await expect(page.getByRole('region', { name: 'By tool' }).getByRole('row', { name: /web_search/ })).toContainText('240');
  await page.getByRole('region', { name: 'By tool' }).getByRole('link', { name: 'Traces' }).click();
  await expect(page).toHaveURL(/#\/traces\?.*filter=tool/);
  await page.goBack();

  const chart = page.getByRole('application', { name: /^Traces, over time/ });
  const label = page.getByRole('figure').filter({ has: chart }).getByText('20', { exact: true }).first();
  // The label of the maximum is above the chart and covers no column. What is above both may still be loading.
  await expect(async () => {
    const [ofLabel, ofChart] = [await label.boundingBox(), await chart.boundingBox()];
    expect((ofLabel?.y ?? Number.POSITIVE_INFINITY) + (ofLabel?.height ?? 0)).toBeLessThanOrEqual(ofChart?.y ?? 0);
  }).toPass();
  expect(errors).toEqual([]);
});

test('charts are pinned in an order that this browser remembers, and the time may be any', async ({ page }) => {
  await gateway.ingest(aRequest(aRun({ name: 'an old run', startMs: Date.UTC(2026, 0, 15, 10) })));
  await page.goto(`${gateway.url}/#/dashboard?from=${Date.UTC(2026, 0, 15)}&to=${Date.UTC(2026, 0, 16)}`);
  await expect(figure(page, 'Traces')).toContainText('Traces1');
  await page.getByRole('button', { name: 'Charts' }).click();
  const menu = page.getByRole('dialog', { name: 'Charts' });
  await menu.getByRole('button', { name: 'Pin Errors' }).click();
  await menu.getByRole('button', { name: 'Move Errors up' }).click();
  await menu.getByRole('button', { name: 'Unpin Traces' }).click();
  await menu.getByRole('button', { name: 'Unpin Latency' }).click();
  await page.keyboard.press('Escape');
  const titles = page.getByRole('figure').getByRole('heading');
  await expect(titles).toHaveText(['Cost, added up', 'Errors', 'Tokens, trace by trace']);
  await page.reload();
  await expect(titles).toHaveText(['Cost, added up', 'Errors', 'Tokens, trace by trace']);

  await page.getByRole('button', { name: /15 Jan/ }).click();
  await page.getByLabel('To', { exact: true }).fill('2026-01-14T00:00');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText('The end must be after the start.')).toBeVisible();
  await page.getByLabel('From', { exact: true }).fill('2026-01-10T00:00');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText('No traces in this time')).toBeVisible();
});

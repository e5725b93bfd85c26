/** The basics of the viewer: the first page, live updates, a failed span by keyboard, and accessible pages. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

/** An agent with a model call and a tool that failed. */
function aRun(name: string) {
  const traceId = aTraceId();
  const root = aSpanId();
  const startMs = Date.now() - 5_000;
  return {
    traceId,
    spans: [
      aChat({ traceId, parentSpanId: root, startMs: startMs + 10, ask: `Do ${name}`, reply: 'I will call a tool.' }),
      aSpan({
        traceId,
        parentSpanId: root,
        name: 'execute_tool lookup',
        startMs: startMs + 200,
        status: 'ERROR',
        statusMessage: 'the index is away',
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup' },
      }),
      aSpan({ traceId, spanId: root, name, startMs, durationMs: 900, attributes: { 'session.id': 'demo-session' } }),
    ],
  };
}

test('the first page shows how to send spans, and opens the first trace that arrives', async ({ page }) => {
  await page.goto(gateway.url);
  await expect(page.getByText(`OTEL_EXPORTER_OTLP_ENDPOINT=${gateway.url}`).first()).toBeVisible();
  await expect(page.getByText(/^Listening at/)).toBeVisible();
  await gateway.ingest(aRequest(aRun('first run').spans));
  await expect(page.getByRole('heading', { name: 'first run' }).first()).toBeVisible();
});

test('a trace that arrives while the list is open appears without a reload', async ({ page }) => {
  await gateway.ingest(aRequest(aRun('before').spans));
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row', { name: /before/ })).toBeVisible();
  await gateway.ingest(aRequest(aRun('afterwards').spans));
  await expect(page.getByRole('row', { name: /afterwards/ }).or(page.getByRole('button', { name: /new/ }))).toBeVisible();
});

test('one key selects the failed span, which shows its error', async ({ page }) => {
  const { traceId, spans } = aRun('broken run');
  await gateway.ingest(aRequest(spans));
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await page.keyboard.press('e');
  await expect(page.getByRole('treeitem', { selected: true })).toHaveAccessibleName(/lookup/);
  await expect(page.getByLabel('Detail').getByText('the index is away').first()).toBeVisible();
});

test('traces are still there after kill and restart', async ({ page }) => {
  const { spans } = aRun('kept run');
  await gateway.ingest(aRequest(spans));
  await gateway.restart();
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row', { name: /kept run/ })).toBeVisible();
});

test('every page is accessible', async ({ page }) => {
  const { traceId, spans } = aRun('readable run');
  await gateway.ingest(aRequest(spans));
  await gateway.ingest('not otlp');
  for (const [path, ready] of [
    ['#/traces', page.getByRole('row', { name: /readable run/ })],
    [`#/traces/${traceId}`, page.getByRole('treeitem').first()],
    ['#/sessions', page.getByRole('row', { name: /demo-session/ })],
    ['#/ingest-log', page.getByText('invalid_otlp_payload').first()],
  ] as const) {
    await page.goto(`${gateway.url}/${path}`);
    await expect(ready).toBeVisible();
    await expectReadable(page);
  }
});

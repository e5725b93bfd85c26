/** The setup page: a demo trace that is marked as one, a prompt for a coding agent, and the way to the first trace. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan } from '../shared/fixtures/otlp.ts';
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

test('the demo trace arrives like any trace, and is marked as a demo everywhere', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(gateway.url);
  // The first list waits until the threads of the store are started.
  await expect(page.getByRole('button', { name: 'Send demo trace' })).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: 'Send demo trace' }).click();
  await expect(page.getByRole('heading', { name: /^Demo:/ }).first()).toBeVisible();
  await pressPair(page, 'g', 't');
  const row = page.getByRole('row', { name: /Demo:/ });
  await expect(row).toContainText('demo');
  const { data } = await gateway.client.traces.list({ query: {} });
  expect(data).toMatchObject([{ tags: ['demo'], span_count: 7, error_count: 1 }]);
  expect(errors).toEqual([]);
});

test('the prompt for a coding agent names this gateway', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${gateway.url}/#/setup`);
  await page.getByRole('button', { name: 'Copy prompt' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const prompt = await page.evaluate(() => navigator.clipboard.readText());
  expect(prompt).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${gateway.url}`);
  expect(prompt).toContain('/v1/viewer/ingest-log');
});

test('the first trace of a second program is announced without leaving the page', async ({ page }) => {
  await gateway.ingest(aRequest([aSpan({ name: 'the first program' })]));
  await page.goto(`${gateway.url}/#/setup`);
  await expect(page.getByText(/^Listening at/)).toBeVisible();
  await gateway.ingest(aRequest([aSpan({ name: 'the second program' })]));
  await page.getByRole('link', { name: /just arrived/ }).click();
  await expect(page.getByRole('heading', { name: 'the second program' }).first()).toBeVisible();
});

test('each coding agent has a card with the lines for this gateway', async ({ page, context }) => {
  const errors = watchConsole(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${gateway.url}/#/setup`);
  const agents = page.getByRole('region', { name: 'Coding agents' });
  const lines: [name: string, lines: string[]][] = [
    ['Claude Code', ['CLAUDE_CODE_ENABLE_TELEMETRY=1', `OTEL_EXPORTER_OTLP_ENDPOINT=${gateway.url}`, 'OTEL_TRACES_EXPORTER=otlp']],
    ['Codex', ['log_user_prompt = true', `endpoint = "${gateway.url}/v1/logs"`, `endpoint = "${gateway.url}/v1/traces"`]],
    ['Gemini CLI', ['"otlpProtocol": "http"', `"otlpEndpoint": "${gateway.url}"`]],
  ];
  for (const [name, expected] of lines) {
    await agents.getByRole('button', { name }).click();
    for (const line of expected) await expect(agents).toContainText(line);
    await expectReadable(page);
  }
  await agents.getByRole('button', { name: /^Copy/ }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`glasshouse connect gemini --url ${gateway.url}`);
  await agents.getByRole('button', { name: /^Copy/ }).last().click();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({ telemetry: { enabled: true } });
  expect(errors).toEqual([]);
});

test('every framework is found by a search, with lines for this gateway', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/setup`);
  const guides = page.getByRole('region', { name: 'Manual setup' });
  const field = guides.getByLabel('Search frameworks');
  const lines = [
    ['mastra', 'Mastra', `endpoint: '${gateway.url}/v1/traces'`],
    ['langgraph', 'LangGraph, LangChain', 'LANGSMITH_OTEL_ONLY=true'],
    ['openai agents', 'OpenAI Agents SDK', 'OpenAIAgentsInstrumentor().instrument'],
    ['pydantic', 'Pydantic AI', 'Agent.instrument_all()'],
    ['adk', 'Google ADK', `OTLPSpanExporter("${gateway.url}/v1/traces")`],
  ] as const;
  for (const [query, label, line] of lines) {
    await field.fill(query);
    await guides.getByRole('button', { name: label, exact: true }).click();
    await expect(guides).toContainText(line);
  }
  await expectReadable(page);
  await field.fill('cobol');
  await expect(guides).toContainText('No guide is for “cobol”.');
  await guides.getByRole('button', { name: 'Any OpenTelemetry SDK' }).click();
  await expect(guides).toContainText(`OTEL_EXPORTER_OTLP_ENDPOINT=${gateway.url}`);
  expect(errors).toEqual([]);
});

const postJson = (path: string, body: object) =>
  gateway.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

test('after metrics only, or log records without a span, the page says what to turn on', async ({ page }) => {
  await page.goto(gateway.url);
  await expect(page.getByText('No requests yet.')).toBeVisible();
  await postJson('/v1/metrics', { resourceMetrics: [] });
  await expect(page.getByText(/Metrics are accepted but not stored: .*OTEL_LOGS_EXPORTER=otlp/)).toBeVisible();
  await expectReadable(page);
  const name = { key: 'event.name', value: { stringValue: 'gen_ai.user.message' } };
  const record = { timeUnixNano: '1', body: { stringValue: 'Hello?' }, attributes: [name] };
  await postJson('/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
  await expect(page.getByText(/1 log record of model calls without a span/)).toBeVisible();
  await page.getByRole('link', { name: 'Open the ingest log' }).click();
  await expect(page.getByRole('row', { name: /Metrics are accepted but not stored/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Send traces as well/ })).toBeVisible();
});

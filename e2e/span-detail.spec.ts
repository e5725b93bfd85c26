/** The detail of a span: messages and tool calls, changes since the previous call, the source of each value, and copying. */
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId, type SpanInput } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());
test.use({ viewport: { width: 1440, height: 900 } });

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const textMessage = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const call = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look_up', arguments: { city: 'Oslo' } }] };
const result = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { temp: 7 } }] };
const thought = { type: 'reasoning', content: 'It is winter there.' };
const imageMessage = {
  role: 'user',
  parts: [
    { type: 'text', content: 'What is here?' },
    { type: 'blob', mime_type: 'image/png', modality: 'image', content: picture },
  ],
};
const tools = [
  {
    type: 'function',
    name: 'look_up',
    description: 'Looks up the weather',
    parameters: { properties: { city: { type: 'string', description: 'Where' } }, required: ['city'] },
  },
];
const exceptionKeys = { type: 'exception.type', message: 'exception.message', stack: 'exception.stacktrace' };

/** An agent with a model call, a tool call that fails, and a second model call with another prompt. */
async function aRun() {
  const [traceId, root, first, tool, second] = [aTraceId(), aSpanId(), aSpanId(), aSpanId(), aSpanId()];
  const inside = { traceId, parentSpanId: root };
  const aCall = (input: SpanInput, messages: object[], answer: object) =>
    aSpan({
      ...inside,
      ...input,
      name: 'chat gpt-4o',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1000,
        'gen_ai.usage.output_tokens': 100,
        'gen_ai.usage.cache_read.input_tokens': 400,
        'gen_ai.request.temperature': 0.2,
        'gen_ai.tool.definitions': JSON.stringify(tools),
        'gen_ai.input.messages': JSON.stringify(messages),
        'gen_ai.output.messages': JSON.stringify([answer]),
        'session.id': 'oslo-1',
      },
    });
  const prompt = textMessage('system', 'You are a brief assistant.');
  const firstMessages = [prompt, textMessage('user', 'How warm is it?')];
  const error = {
    [exceptionKeys.type]: 'Timeout',
    [exceptionKeys.message]: 'no answer',
    [exceptionKeys.stack]:
      'Timeout: no answer\n    at mine (/app/src/a.ts:1:2)\n    at a (/app/node_modules/x/i.js:1:2)\n    at b (/app/node_modules/x/j.js:1:2)',
  };
  await gateway.ingest(
    aRequest([
      aSpan({ traceId, spanId: root, name: 'weather agent', durationMs: 5000, attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
      aCall({ spanId: first }, firstMessages, call),
      aSpan({
        ...inside,
        spanId: tool,
        name: 'execute_tool look_up',
        startMs: Date.UTC(2026, 0, 15, 10, 0, 1),
        status: 'ERROR',
        statusMessage: 'no answer',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'look_up',
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
        },
        events: [{ name: 'exception', attributes: error }],
      }),
      aCall(
        { spanId: second, startMs: Date.UTC(2026, 0, 15, 10, 0, 2) },
        [textMessage('system', 'You are a brief, kind assistant.'), firstMessages[1] as object, call, result, imageMessage],
        {
          role: 'assistant',
          parts: [thought, { type: 'text', content: 'It is **7 degrees**.\n\n- cold\n- dry' }],
        },
      ),
    ]),
  );
  return { traceId, first, tool, second };
}

const open = async (page: Page, traceId: string, span: string, tab = '') => {
  await page.goto(`${gateway.url}/#/traces/${traceId}?span=${span}&view=tree${tab ? `&tab=${tab}` : ''}`);
  return page.getByLabel('Detail');
};

test('a call shows its text, its tools as tables, its reasoning collapsed, and images only from the gateway', async ({ page }) => {
  const errors = watchConsole(page);
  const { traceId, second } = await aRun();
  const detail = await open(page, traceId, second);
  await expect(detail.getByText('7 degrees').locator('xpath=self::strong')).toBeVisible();
  await expect(detail.getByRole('listitem').filter({ hasText: 'cold' })).toBeVisible();
  await expect(detail.getByText('It is winter there.')).toHaveCount(0);
  await detail.getByRole('button', { name: /assistant reasoning/ }).click();
  await expect(detail.getByText('It is winter there.')).toBeVisible();
  await detail.getByRole('button', { name: /1 tool/ }).click();
  await expect(detail.getByRole('row', { name: /city.*string.*Where/ })).toBeVisible();
  const image = detail.getByRole('img', { name: /image\/png/ });
  await expect(image).toHaveJSProperty('naturalWidth', 1);
  expect(await image.getAttribute('src')).toMatch(new RegExp(`^/v1/viewer/traces/${traceId}/spans/${second}/media/[0-9a-f]{64}$`));
  await detail.getByLabel('Show the assistant message as').selectOption('plain');
  await expect(detail.getByText('It is **7 degrees**.')).toBeVisible();
  expect(errors).toEqual([]);
});

test('a tool call is shown with its result, and leads to the span that ran it', async ({ page }) => {
  const { traceId, first } = await aRun();
  const detail = await open(page, traceId, first);
  const card = detail.getByRole('article').filter({ hasText: 'look_up' }).filter({ hasText: 'failed' });
  await expect(card).toContainText('no answer');
  await card.getByRole('button', { name: 'span' }).click();
  await expect(detail.getByRole('heading', { level: 2 })).toContainText('look_up');
  await expect(detail.getByText('2 library frames — show').first()).toBeVisible();
  await expect(detail.getByText('/app/src/a.ts').first()).toBeVisible();
});

test('changes since the previous call are shown by message and by word', async ({ page }) => {
  const { traceId, first, second } = await aRun();
  const detail = await open(page, traceId, second, 'changes');
  await expect(detail.getByText(/1 edited, 3 added/)).toBeVisible();
  await expect(detail.getByRole('insertion').filter({ hasText: 'kind' })).toBeVisible();
  const other = await open(page, traceId, first);
  await expect(other.getByRole('tab', { name: 'Messages' })).toBeVisible();
  await expect(other.getByRole('tab', { name: 'Changes' })).toHaveCount(0);
});

test('every normalised value shows its source, and a cost shows its calculation', async ({ page }) => {
  const { traceId, second } = await aRun();
  const detail = await open(page, traceId, second, 'raw');
  await detail.getByRole('button', { name: 'Value sources' }).click();
  await expect(detail.getByRole('row', { name: /cache_read_tokens 400 gen_ai.usage.cache_read.input_tokens/ })).toBeVisible();
  await expect(detail.getByText(/price of openai\/gpt-4o/)).toBeVisible();
  await expect(detail.getByRole('row', { name: /600 input \$2.50/ })).toBeVisible();
});

test('attributes are pinned, filtered, and lead to the traces that share them', async ({ page }) => {
  const { traceId, second } = await aRun();
  const detail = await open(page, traceId, second, 'attributes');
  const keys = detail.getByRole('term');
  await detail.getByRole('button', { name: 'Pin session.id', exact: true }).click({ force: true });
  await expect(keys.first()).toContainText('session.id');
  await page.reload();
  await expect(keys.first()).toContainText('session.id');
  await detail.getByRole('textbox', { name: 'Filter keys and values' }).fill('oslo-1');
  await expect(keys).toHaveCount(1);
  await detail.getByRole('button', { name: 'Show traces with this session.id' }).click({ force: true });
  await expect(page).toHaveURL(/#\/traces\?filter=session_id.*oslo-1/);
});

test('a new score is shown on the span, and can be removed', async ({ page }) => {
  const { traceId, second } = await aRun();
  const detail = await open(page, traceId, second, 'scores');
  await detail.getByLabel('Name').fill('helpfulness');
  await detail.getByLabel('Value').fill('0.7');
  await detail.getByLabel('Reason').fill('says what was asked');
  await detail.getByRole('button', { name: 'Add score' }).click();
  const row = detail.getByRole('list', { name: 'Scores' }).getByRole('listitem');
  await expect(row).toContainText('says what was asked');
  const { data } = await gateway.client.scores.list({ query: { resource_id: second } });
  expect(data).toMatchObject([{ name: 'helpfulness', score: 0.7, source: 'annotation' }]);
  await row.getByRole('button', { name: 'Delete score helpfulness' }).click({ force: true });
  await expect(detail.getByText('No scores yet.')).toBeVisible();
});

test('the copy menu copies the span as JSON, OTLP, a command and a text for an AI', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { traceId, second } = await aRun();
  const detail = await open(page, traceId, second);
  await expect(detail.getByText('7 degrees')).toBeVisible();
  const take = async (name: string) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.keyboard.press('y');
    await page.getByRole('menuitem', { name }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(JSON.parse(await take('JSON'))).toMatchObject({ id: second, output: expect.stringContaining('7 degrees') });
  const otlp = JSON.parse(await take('OTLP')) as { resourceSpans: { scopeSpans: { spans: { spanId: string }[] }[] }[] };
  expect(otlp.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.spanId).toBe(second);
  expect(await take('curl')).toContain(
    'curl \'https://api.openai.com/v1/chat/completions\' \\\n  -H "Authorization: Bearer $OPENAI_API_KEY"',
  );
  expect(await take('AI prompt')).toContain('Path: weather agent > chat gpt-4o');
});

test('a payload that cannot be read says so, and is shown after a retry', async ({ page }) => {
  const { traceId, second } = await aRun();
  const path = `**/v1/viewer/traces/${traceId}/spans?ids=${second}`;
  await page.route(path, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'service_unavailable', message: 'The store is busy' } } }),
  );
  const detail = await open(page, traceId, second);
  await expect(detail.getByText(/The store is busy/)).toBeVisible();
  await page.unroute(path);
  await detail.getByRole('button', { name: 'Try again' }).click();
  await expect(detail.getByText('7 degrees')).toBeVisible();
});

for (const size of [
  { width: 900, height: 700 },
  { width: 1440, height: 900 },
]) {
  test(`names of any length keep every part visible in a window of ${size.width}`, async ({ page }) => {
    await page.setViewportSize(size);
    const traceId = aTraceId();
    const [session, key] = ['s'.repeat(480), 'k'.repeat(300)];
    const model = `arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/${'m'.repeat(40)}`;
    const toolCall = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look_up', arguments: { [key]: 'the value' } }] };
    const attributes = { 'session.id': session, 'gen_ai.request.model': model, 'gen_ai.operation.name': 'chat' };
    await gateway.ingest(
      aRequest([aSpan({ traceId, name: 'chat', attributes: { ...attributes, 'gen_ai.output.messages': JSON.stringify([toolCall]) } })]),
    );
    await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
    const [detail, facts] = [page.getByRole('region', { name: 'Detail' }), page.getByRole('region', { name: 'Facts' })];
    const parts = [
      detail.getByRole('button', { name: 'Copy', exact: true }),
      detail.getByTitle(`Model ${model}`),
      detail.getByText('"the value"'),
      facts.getByTitle(model),
      facts.getByTitle(session),
    ];
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
  });
}

test('every tab is accessible', async ({ page }) => {
  const errors = watchConsole(page);
  const { traceId, second, tool } = await aRun();
  for (const [span, tab] of [
    ...['', 'changes', 'attributes', 'links', 'scores', 'metadata', 'raw'].map((name) => [second, name]),
    [tool, ''],
    [tool, 'events'],
  ]) {
    const detail = await open(page, traceId, span ?? '', tab);
    await expect(detail.getByRole('tabpanel')).not.toBeEmpty();
    await expect(detail.getByRole('status')).toHaveCount(0);
    await expectReadable(page);
  }
  expect(errors).toEqual([]);
});

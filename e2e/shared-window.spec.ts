/** Coding agents and the viewer: an agent that connects is seen, reads what the user looks at, and points at a place, if the user agreed. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, type Page } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
let agent: Client;
const traceId = aTraceId();
const [root, tool] = [aSpanId(), aSpanId()];

test.beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(
    aRequest([
      aSpan({ traceId, spanId: root, name: 'refund an order', attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
      aChat({ traceId, parentSpanId: root, ask: 'Refund order 1042', reply: 'I look it up.' }),
      aSpan({
        ...{ traceId, spanId: tool, parentSpanId: root, name: 'execute_tool lookup_order' },
        ...{ status: 'ERROR', statusMessage: 'order 1042 was archived' },
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup_order' },
      }),
    ]),
  );
});
test.afterEach(async () => {
  await agent.close();
  await gateway.stop();
});

async function connectAs(name: string): Promise<void> {
  agent = new Client({ name, version: '2.1.0' });
  await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)));
}

async function call(args: Record<string, string>): Promise<string> {
  const { content } = await agent.callTool({ name: 'show_trace', arguments: args });
  return (content as { text: string }[]).map(({ text }) => text).join('');
}

const shareWindow = async (page: Page) => {
  await page.goto(`${gateway.url}/#/setup`);
  await page.getByRole('checkbox', { name: 'Share this window with coding agents' }).check();
};

test('the card of a program has its configuration, and shows when it connects', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/setup`);
  const cards = page.getByRole('region', { name: 'Let a coding agent read traces' });
  const configurations: [name: string, line: string][] = [
    ['Cursor', `"url": "${gateway.url}/mcp"`],
    ['VS Code', '"type": "http"'],
    ['Codex', `url = "${gateway.url}/mcp"`],
    ['Gemini CLI', `--transport http glasshouse ${gateway.url}/mcp`],
    ['Zed', '"context_servers"'],
    ['Claude Code', `claude mcp add --scope user --transport http glasshouse ${gateway.url}/mcp`],
  ];
  for (const [name, line] of configurations) {
    await cards.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(cards.locator('pre').last()).toContainText(line);
  }
  const connection = cards.getByRole('status', { name: 'Connection' });
  await expect(connection).toContainText('Waiting for Claude Code');
  await connectAs('claude-code');
  await expect(connection).toContainText('Claude Code is connected');
  await call({ trace_id: traceId });
  await expect(connection).toContainText('1 call, the latest of show_trace');
  await expectReadable(page);
  expect(errors).toEqual([]);
});

test('an agent reads what the user looks at, and opens a place with a note', async ({ page }) => {
  const errors = watchConsole(page);
  await connectAs('an agent');
  expect(await call({ trace_id: traceId, to_user: 'Here' })).toContain('no window of the viewer is shared');
  await shareWindow(page);
  await page.goto(`${gateway.url}/#/traces/${traceId}?span=${tool}`);
  await expect.poll(() => call({})).toContain(`The user is looking at this trace, at span ${tool}`);

  await page.goto(`${gateway.url}/#/traces`);
  await expect.poll(() => call({})).toContain('where no trace is open');
  const note = 'The order was archived <b>before</b> the refund';
  expect(await call({ trace_id: traceId, span_id: tool, to_user: note })).toContain('Shown to the user');
  const shown = page.getByRole('region', { name: 'A coding agent shows you this' });
  await expect(shown).toContainText(note);
  await expect(page).toHaveURL(new RegExp(`/traces/${traceId}\\?span=${tool}`));
  await expectReadable(page);
  await shown.getByRole('button', { name: 'Back' }).click();
  await expect(shown).toBeHidden();
  await expect(page).toHaveURL(/#\/traces$/);
  expect(errors).toEqual([]);
});

test('once sharing is stopped, an agent neither sees the window nor opens anything in it', async ({ page }) => {
  await connectAs('an agent');
  await shareWindow(page);
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  await expect.poll(() => call({})).toContain('The user is looking at this trace');
  await page.getByRole('button', { name: 'Coding agents see this window: stop sharing' }).click();
  await expect.poll(() => call({})).toContain('no window of the viewer is shared');
  expect(await call({ trace_id: traceId, to_user: 'Here' })).toContain('Not shown to the user');
  await expect(page.getByRole('region', { name: 'A coding agent shows you this' })).toBeHidden();
});

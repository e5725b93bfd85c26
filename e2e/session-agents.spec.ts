/** The agents that a turn of a session called, and what the turns cost. */
import { expect, type Page } from '@playwright/test';
import { violationsOf } from '../bench/screens/accessibility.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';

let gateway: TestGateway;
const startMs = Date.now() - 3_600_000;

const agentNamed = (name: string) => ({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name });
const toolNamed = (name: string) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name });

/** A refund agent that asks two other agents; a tool of the second fails twice. */
function aTurn() {
  const [traceId, root, policy, fraud] = [aTraceId(), aSpanId(), aSpanId(), aSpanId()];
  const session = { 'session.id': 'kettle' };
  const within = (parentSpanId: string, at: number) => ({ traceId, parentSpanId, startMs: startMs + at, durationMs: 400 });
  const failing = { name: 'account_history', status: 'ERROR' as const, statusMessage: 'the archive is closed' };
  return [
    aSpan({
      traceId,
      spanId: root,
      name: 'refund-agent',
      startMs,
      durationMs: 9000,
      attributes: { ...agentNamed('refund-agent'), ...session },
    }),
    aChat({ ...within(root, 10), ask: 'Here is my order history.', reply: 'I have started a refund.' }),
    aSpan({ ...within(root, 500), spanId: policy, name: 'invoke_agent policy-checker', attributes: agentNamed('policy-checker') }),
    aChat({ ...within(policy, 510), ask: 'May we refund a second time?', reply: 'Yes, **if** a photo shows the fault.' }),
    aSpan({ ...within(root, 1000), spanId: fraud, name: 'invoke_agent fraud-screen', attributes: agentNamed('fraud-screen') }),
    aChat({ ...within(fraud, 1010), ask: 'Is this history unusual?', reply: 'No. Three returns in nine months.' }),
    aSpan({ ...within(fraud, 1500), ...failing, attributes: toolNamed('account_history') }),
    aSpan({ ...within(fraud, 2000), ...failing, attributes: toolNamed('account_history') }),
  ];
}

test.beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest(aTurn()));
});
test.afterEach(() => gateway.stop());

const card = (page: Page, name: string) => page.getByRole('article', { name: `Agent ${name}` });

test('an agent that a turn called is a card with question, answer and errors, and opens in place', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/kettle`);
  const policy = card(page, 'policy-checker');
  await expect(policy).toContainText('Asked May we refund a second time?');
  await expect(policy).toContainText('1 call');
  const fraud = card(page, 'fraud-screen');
  await expect(fraud).toContainText('2 errors');
  await expect(fraud).toContainText('Answered No. Three returns in nine months.');
  await expect(page.getByRole('article')).toHaveCount(2);
  await fraud.getByRole('button', { expanded: false }).click();
  const transcript = page.getByRole('tree', { name: 'Transcript of fraud-screen' });
  await expect(transcript.getByText('the archive is closed').first()).toBeVisible();
  await expect(transcript.getByRole('treeitem')).toHaveCount(3);
  await transcript
    .getByRole('treeitem', { name: /account_history/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/traces\/[0-9a-f]{32}\?span=/);
  await page.goBack();
  await expect(card(page, 'fraud-screen')).toBeVisible();
});

test('beside the conversation stand costs by agent, times by tool and inputs; a narrow window shows them on request', async ({ page }) => {
  await page.goto(`${gateway.url}/#/sessions/kettle`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'Cost by agent' })).toBeVisible();
  await expect(details.getByRole('listitem').filter({ hasText: 'policy-checker' })).toContainText('$');
  await expect(details.getByRole('row', { name: /account_history/ })).toContainText('2');
  await expect(details.getByRole('button', { name: 'Turn 1: 10 tokens' })).toBeVisible();
  await page.setViewportSize({ width: 900, height: 700 });
  await expect(details).toBeHidden();
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(details.getByRole('row', { name: /account_history/ })).toBeVisible();
});

test('the copy menu has the conversation as text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${gateway.url}/#/sessions/kettle`);
  await expect(card(page, 'fraud-screen')).toBeVisible();
  await page.keyboard.press('y');
  await page.getByRole('menuitem', { name: 'As text' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^Turn 1: refund-agent, .*2 errors inside/);
  expect(text).toContain('user: Here is my order history.');
});

for (const colorScheme of ['dark', 'light'] as const) {
  test(`cards and their transcripts are accessible, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${gateway.url}/#/sessions/kettle`);
    await card(page, 'fraud-screen').getByRole('button', { expanded: false }).click();
    await expect(page.getByRole('treeitem').first()).toBeVisible();
    expect((await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
}

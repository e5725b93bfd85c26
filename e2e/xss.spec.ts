/**
 * Hostile text in every field of every screen, in a real browser: no script runs, no request or navigation happens, no text becomes an
 * element. The page's content security policy would stop a script too; here it must not even be needed.
 */
import { expect, type Page } from '@playwright/test';
import { aProject } from '../server/fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { aHostileCall, aHostileStep } from './hostile-spans.ts';
import { hostileTexts } from './hostile-texts.ts';
import { test } from './journey.ts';
import { type Findings, forbiddenElements, watchForHarm } from './watch-harm.ts';

const perTrace = 34;
const groups = Array.from({ length: Math.ceil(hostileTexts.length / perTrace) }, (_, i) =>
  hostileTexts.slice(i * perTrace, (i + 1) * perTrace),
);

const aRow = (text: string) => `${JSON.stringify({ input: { [text]: text }, expected_output: text })}\n`;
const project = aProject({
  'agentmark/hostile.jsonl': hostileTexts.map(aRow).join(''),
  'agentmark/hostile.prompt.mdx': [
    '---',
    `name: ${JSON.stringify(hostileTexts[0])}`,
    'text_config:',
    `  model_name: ${JSON.stringify(hostileTexts[1])}`,
  ]
    .concat('---', '', '<System>', ...hostileTexts.map((text) => `{${JSON.stringify(text)}}`), '</System>', '')
    .join('\n'),
});
let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway({ projectDir: project.root });
});
test.afterAll(async () => {
  await gateway.stop();
  project.remove();
});

/** One trace: a root, a call with all texts, the same call again, and a step for each text. */
async function ingest(texts: readonly string[]) {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const [first = ''] = texts;
  const place = { traceId, parentSpanId: root };
  const calls = [aHostileCall(place, texts), aHostileCall(place, texts.toReversed())];
  const steps = texts.map((text, n) => aHostileStep(place, text, n));
  const top = { ...aSpan({ traceId, spanId: root, name: first, durationMs: 900 }) };
  const answer = await gateway.ingest(aRequest([top, ...calls, ...steps], { service: first, scope: first }), {
    'User-Agent': first.replace(/[^ -~]/g, ''),
  });
  expect(answer.status).toBe(200);
  const [call] = calls.map((span) => String((span as { spanId?: unknown }).spanId));
  for (const text of texts.slice(0, 12)) {
    await gateway.client.scores.create({ body: { resource_id: call ?? '', name: text, score: 0.5, label: text, reason: text } });
  }
  await gateway.client.scores.create({ body: { resource_id: traceId, name: first, score: 1, label: first, reason: first } });
  return { traceId, call: call ?? '' };
}

const nothing: Findings = { ran: [], requests: [], navigations: [], refusals: [], windows: [] };

async function expectHarmless(page: Page, findings: Findings, where: string) {
  expect(await forbiddenElements(page, gateway.url), where).toEqual([]);
  expect(findings, where).toEqual(nothing);
}

test('there are at least 300 different hostile texts', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(300);
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
});

test('the detection finds harm', async ({ page }) => {
  const findings = await watchForHarm(page, gateway.url);
  await page.goto(`${gateway.url}/#/traces`);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="https://evil.invalid/x" onerror="pwned(1)"><a href="javascript:pwned(2)">x</a>',
    );
    (window as unknown as { pwned: (n: number) => void }).pwned(3);
  });
  await expect
    .poll(() => findings)
    .toMatchObject({ ran: ['pwned(3)'], refusals: expect.arrayContaining([expect.stringContaining('script-src-attr')]) });
  expect(await forbiddenElements(page, gateway.url)).toHaveLength(2);
});

const tabs = ['messages', 'changes', 'attributes', 'events', 'links', 'scores', 'metadata', 'raw'];
const views = ['transcript', 'tree', 'timeline', 'graph'];

for (const [index, texts] of groups.entries()) {
  test(`texts ${index * perTrace} to ${index * perTrace + texts.length - 1} stay plain text on the trace page`, async ({ page }) => {
    const findings = await watchForHarm(page, gateway.url);
    const { traceId, call } = await ingest(texts);
    const detail = page.getByLabel('Detail');
    for (const tab of tabs) {
      await page.goto(`${gateway.url}/#/traces/${traceId}?span=${call}&tab=${tab}`);
      await expect(detail.getByRole('tab').first()).toBeVisible();
      await expect(detail.getByRole('status')).toHaveCount(0);
      // Expands everything that is collapsed, and then what was collapsed inside.
      for (const collapsed of [detail.getByRole('button', { expanded: false }), detail.getByRole('button', { name: /— show$/ })]) {
        await collapsed.evaluateAll((buttons) => {
          for (const button of buttons) (button as HTMLElement).click();
        });
      }
      await expectHarmless(page, findings, tab);
    }
    for (const view of views) {
      await page.goto(`${gateway.url}/#/traces/${traceId}?view=${view}`);
      await expect(detail.getByRole('heading').first()).toBeVisible();
      await expectHarmless(page, findings, view);
    }
    await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
    for (const _ of texts) {
      await page.keyboard.press('j');
      await expect(detail.getByRole('status')).toHaveCount(0);
      await expectHarmless(page, findings, `step ${await detail.getByRole('heading').first().textContent()}`);
    }
  });
}

test('hostile texts stay plain text on every other screen', async ({ page }) => {
  const findings = await watchForHarm(page, gateway.url);
  const texts = hostileTexts.slice(0, perTrace);
  const { traceId } = await ingest(texts);
  const run = {
    'agentmark.dataset_run_id': texts[0] ?? '',
    'agentmark.dataset_run_name': texts[1] ?? '',
    'agentmark.experiment_key': texts[2] ?? '',
  };
  const items = texts.map((text) =>
    aSpan({ name: text, attributes: { ...run, 'agentmark.dataset_item_name': text, 'agentmark.dataset_path': text } }),
  );
  expect((await gateway.ingest(aRequest(items))).status).toBe(200);
  const { data: sessions } = await gateway.client.sessions.list({ query: { limit: 3 } });
  const screens = [
    ...['traces', 'traces?page=2', `traces?name=${encodeURIComponent(texts[4] ?? '')}`, `traces?peek=${traceId}`],
    ...[
      'sessions',
      ...sessions.map(({ id }) => `sessions/${encodeURIComponent(id)}`),
      'scores',
      'dashboard',
      'storage',
      'ingest-log',
      'runaways',
      'spending',
      'spending?by=model',
      'spending?by=agent',
    ],
    ...['experiments', 'datasets', 'datasets?name=hostile', 'datasets?name=hostile&row=1', 'prompts', 'prompts?path=hostile.prompt.mdx'],
  ];
  for (const screen of screens) {
    await page.goto(`${gateway.url}/#/${screen}`);
    await expect(page.getByRole('rowgroup').or(page.getByRole('heading')).first()).toBeVisible();
    await expect(page.getByLabel('Loading')).toHaveCount(0);
    await expectHarmless(page, findings, screen);
  }
});

test('a link in a message shows its target and opens only after confirmation', async ({ page, context }) => {
  const traceId = aTraceId();
  const ask =
    '[docs](https://xn--exmple-cua.invalid/a?b=1) [run](javascript:pwned(1)) [share](smb://evil.invalid/x) [login](https://user:pw@evil.invalid/)';
  const message = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: ask }] }]);
  await gateway.ingest(
    aRequest([aSpan({ traceId, name: 'chat', attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': message } })]),
  );
  const opened: string[] = [];
  await context.route(/invalid/, (route) => {
    opened.push(route.request().url());
    return route.fulfill({ body: 'there' });
  });
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  const detail = page.getByLabel('Detail');
  await detail.getByRole('button', { name: 'docs' }).click();
  for (const name of ['run', 'share', 'login']) await expect(detail.getByRole('button', { name })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Open xn--exmple-cua.invalid?' })).toBeVisible();
  expect(opened).toEqual([]);
  const popup = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await (await popup).waitForLoadState();
  expect(opened).toEqual(['https://xn--exmple-cua.invalid/a?b=1']);
  expect(await (await popup).evaluate(() => window.opener === null)).toBe(true);
});

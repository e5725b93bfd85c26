/**
 * Hostile text in every field, through every screen, in a real browser (reliability E-2): no script runs, no request leaves, no page
 * is left, nothing of it is ever an element. The policy of the page would stop a script too; here nothing even gets that far.
 */
import { expect, type Page, test } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { aHostileCall, aHostileStep } from './hostile-spans.ts';
import { hostileTexts } from './hostile-texts.ts';
import { type Findings, strangeElements, watchForHarm } from './watch-harm.ts';

const perTrace = 34;
const groups = Array.from({ length: Math.ceil(hostileTexts.length / perTrace) }, (_, i) =>
  hostileTexts.slice(i * perTrace, (i + 1) * perTrace),
);

let gateway: TestGateway;
test.beforeAll(async () => {
  gateway = await startTestGateway();
});
test.afterAll(() => gateway.stop());

/** One trace: a root, a call that says all of the texts, the same call again, and a step for each text. */
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
  const [call] = calls.map((each) => String((each as { spanId?: unknown }).spanId));
  for (const text of texts.slice(0, 12)) {
    await gateway.client.scores.create({ body: { resource_id: call ?? '', name: text, score: 0.5, label: text, reason: text } });
  }
  await gateway.client.scores.create({ body: { resource_id: traceId, name: first, score: 1, label: first, reason: first } });
  return { traceId, call: call ?? '' };
}

const nothing: Findings = { ran: [], requests: [], navigations: [], refusals: [], windows: [] };

async function expectHarmless(page: Page, found: Findings, where: string) {
  expect(await strangeElements(page, gateway.url), where).toEqual([]);
  expect(found, where).toEqual(nothing);
}

test('the list of hostile texts is long, and no two are the same', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(300);
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
});

test('what watches for harm sees it', async ({ page }) => {
  const found = await watchForHarm(page, gateway.url);
  await page.goto(`${gateway.url}/#/traces`);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="https://evil.invalid/x" onerror="pwned(1)"><a href="javascript:pwned(2)">x</a>',
    );
    (window as unknown as { pwned: (n: number) => void }).pwned(3);
  });
  await expect
    .poll(() => found)
    .toMatchObject({ ran: ['pwned(3)'], refusals: expect.arrayContaining([expect.stringContaining('script-src-attr')]) });
  expect(await strangeElements(page, gateway.url)).toHaveLength(2);
});

const tabs = ['messages', 'changes', 'attributes', 'events', 'links', 'scores', 'metadata', 'raw'];
const looks = ['transcript', 'tree', 'timeline', 'graph'];

for (const [index, texts] of groups.entries()) {
  test(`texts ${index * perTrace} to ${index * perTrace + texts.length - 1} stay texts on the trace page`, async ({ page }) => {
    test.setTimeout(120_000);
    const found = await watchForHarm(page, gateway.url);
    const { traceId, call } = await ingest(texts);
    const detail = page.getByLabel('Detail');
    for (const tab of tabs) {
      await page.goto(`${gateway.url}/#/traces/${traceId}?span=${call}&tab=${tab}`);
      await expect(detail.getByRole('tab').first()).toBeVisible();
      await expect(detail.getByRole('status')).toHaveCount(0, { timeout: 20_000 });
      // Everything that is folded, and then what was folded within.
      for (const folded of [detail.getByRole('button', { expanded: false }), detail.getByRole('button', { name: /— show$/ })]) {
        await folded.evaluateAll((buttons) => {
          for (const button of buttons) (button as HTMLElement).click();
        });
      }
      await expectHarmless(page, found, tab);
    }
    for (const look of looks) {
      await page.goto(`${gateway.url}/#/traces/${traceId}?view=${look}`);
      await expect(detail.getByRole('heading').first()).toBeVisible();
      await expectHarmless(page, found, look);
    }
    await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
    for (const _ of texts) {
      await page.keyboard.press('j');
      await expect(detail.getByRole('status')).toHaveCount(0, { timeout: 20_000 });
      await expectHarmless(page, found, `step ${await detail.getByRole('heading').first().textContent()}`);
    }
  });
}

test('hostile texts stay texts in the lists', async ({ page }) => {
  const found = await watchForHarm(page, gateway.url);
  await ingest(hostileTexts.slice(0, perTrace));
  for (const path of ['traces', 'traces?page=2', `traces?name=${encodeURIComponent(hostileTexts[4] ?? '')}`, 'sessions', 'ingest-log']) {
    await page.goto(`${gateway.url}/#/${path}`);
    await expect(page.getByRole('rowgroup').or(page.getByRole('heading')).first()).toBeVisible();
    await expectHarmless(page, found, path);
  }
});

test('a link in a message says where it leads and opens only what is confirmed', async ({ page, context }) => {
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

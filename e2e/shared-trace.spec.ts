/** A link to a trace: made in the dialog, opened by somebody without an account, revoked. Its page shows hostile text as text. */
import { expect } from '@playwright/test';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { hostileTexts } from './hostile-texts.ts';
import { test } from './journey.ts';
import { expectReadable } from './screen-checks.ts';
import { forbiddenElements, watchForHarm } from './watch-harm.ts';

let cloud: TestCloud;

test.beforeAll(async () => {
  cloud = await startTestCloud();
});
test.afterAll(() => cloud.stop());

test('a link is made, opened without an account, and gone when it is revoked', async ({ page, browser }) => {
  const [traceId, spanId] = [aTraceId(), aSpanId()];
  const call = aChat({ traceId, parentSpanId: spanId, ask: 'What is the secret?', reply: 'Forty-two.' });
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId, spanId, name: 'answer' }), call]));
  await enter(page, cloud.url, cloud.tenant, `/traces/${traceId}`);
  await page.getByRole('button', { name: 'Share a link…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this trace' });
  await dialog.getByLabel('Works for').selectOption('1 day');
  await expectReadable(page);
  await dialog.getByRole('button', { name: 'Make link' }).click();
  const url = (await dialog.locator('pre').textContent()) ?? '';
  await expect(dialog.getByText('1 link to this trace')).toBeVisible();

  const visitor = await browser.newContext();
  const shared = await visitor.newPage();
  await shared.goto(url);
  await expect(shared.getByRole('heading', { level: 1, name: 'answer' })).toBeVisible();
  await expect(shared.getByText(/^Shared by acme, until/)).toBeVisible();
  await expect(shared.getByRole('navigation')).toHaveCount(0);
  await shared.getByRole('button', { name: 'Tree', exact: true }).click();
  await shared.getByRole('tree').getByText('chat', { exact: false }).first().click();
  await expect(shared.getByText('Forty-two.').last()).toBeVisible();
  await expectReadable(shared);

  await dialog.getByRole('button', { name: /^Revoke the link/ }).click();
  await expect(dialog.getByText('1 link to this trace')).toHaveCount(0);
  await shared.reload();
  await expect(shared.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await visitor.close();
});

test('hostile text on the page of a link stays text', async ({ page }) => {
  const traceId = aTraceId();
  const top = aSpanId();
  const texts = hostileTexts.slice(0, 34);
  const [first = ''] = texts;
  const calls = texts.map((text) => aChat({ traceId, parentSpanId: top, name: text, model: text, ask: text, reply: text }));
  const failed = { status: 'ERROR' as const, statusMessage: first, attributes: Object.fromEntries(texts.map((text) => [text, text])) };
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ traceId, spanId: top, name: first, ...failed }), ...calls], { service: first }));
  const hides = { contents: false, attributes: false, costs: false };
  const { data } = await cloud.tenant.owner.shareLinks.create({ body: { trace_id: traceId, hides } });
  const findings = await watchForHarm(page, cloud.url);
  await page.goto(data.url);
  for (const view of ['Transcript', 'Tree', 'Timeline']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await expect(page.getByRole('tree')).toBeVisible();
    expect(await forbiddenElements(page, cloud.url), view).toEqual([]);
  }
  await page.getByRole('tab', { name: 'Attributes' }).click();
  await expect(page.getByText(first, { exact: true }).last()).toBeVisible();
  await page.getByRole('tree').focus();
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('ArrowDown');
    await page.getByRole('tab', { name: step % 2 === 0 ? 'Messages' : 'Attributes' }).click();
    expect(await forbiddenElements(page, cloud.url), `span ${step}`).toEqual([]);
  }
  expect(findings).toEqual({ ran: [], requests: [], navigations: [], refusals: [], windows: [] });
});

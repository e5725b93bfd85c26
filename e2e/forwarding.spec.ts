/** Forwarding from the user's view: off by default, set up with a key or a code, and failures are shown. */
import { expect } from '@playwright/test';
import { type RefusingCloud, startRefusingCloud } from '../server/fixtures/refusing-cloud.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
let cloud: TestCloud;
let refusing: RefusingCloud;

test.beforeAll(async () => {
  cloud = await startTestCloud();
});
test.afterAll(() => cloud.stop());
test.beforeEach(async () => {
  gateway = await startTestGateway({ environment: {} });
  refusing = await startRefusingCloud();
});
test.afterEach(async () => {
  await gateway.stop();
  await refusing.stop();
});

const aTrace = async (name: string) => {
  const traceId = aTraceId();
  await gateway.ingest(aRequest([aChat({ traceId, spanId: aSpanId(), name })]));
  return traceId;
};
const inCloud = async (traceId: string) => (await cloud.tenant.client.spans.list({ query: { trace_id: traceId } })).data.length;
const create = (change: object = {}) =>
  gateway.client.forwarding.create({
    body: { name: 'cloud', url: cloud.url, app_id: cloud.tenant.app_id, key: cloud.tenant.api_key, ...change },
  });

test('with a pasted key traces are forwarded, and pausing holds back the next one', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/forwarding`);
  await expect(page.getByRole('heading', { name: 'Nothing leaves this machine' })).toBeVisible();
  await expectReadable(page);

  await page.getByRole('button', { name: 'Paste a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forward to a cloud' });
  await dialog.getByLabel('Cloud address').fill(cloud.url);
  await dialog.getByLabel('App ID').fill(cloud.tenant.app_id);
  await dialog.getByLabel('Key', { exact: true }).fill(cloud.tenant.api_key);
  await expectReadable(page);
  await dialog.getByRole('button', { name: 'Turn on forwarding' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('status')).toContainText('Up to date');
  await expect(page.locator('body')).not.toContainText(cloud.tenant.api_key);

  const traceId = await aTrace('the first to leave');
  await expect.poll(() => inCloud(traceId)).toBe(1);
  await expect(page.getByLabel('Figures of cloud')).toContainText('1 span');
  await expectReadable(page);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('status')).toContainText('Paused by you');
  const held = await aTrace('held back');
  await expect(page.getByLabel('Figures of cloud')).toContainText('Waiting1 span');
  expect(await inCloud(held)).toBe(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => inCloud(held)).toBe(1);

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove destination' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing leaves this machine' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a machine is linked by a code that a member approves in the cloud', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/forwarding`);
  await page.getByRole('button', { name: 'Link to a cloud' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link to a cloud' });
  await dialog.getByLabel('Cloud address').fill(cloud.url);
  await dialog.getByRole('button', { name: 'Get a code' }).click();
  await expect(dialog.getByRole('status')).toContainText('Waiting for approval');
  await expectReadable(page);
  const user_code = (await dialog.locator('[data-code]').textContent()) ?? '';
  await expect(dialog).toContainText(`${cloud.url}/#/link`);
  await cloud.tenant.owner.deviceSignIn.approve({ body: { user_code, environment_name: 'dev' } });
  await expect(dialog).toContainText('This machine forwards to cloud from now on');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('status')).toContainText('Up to date');
  await expect(page.getByLabel('Figures of cloud')).toContainText('acme / default / dev');
  const traceId = await aTrace('from a linked machine');
  await expect.poll(() => inCloud(traceId)).toBe(1);
  expect(errors).toEqual([]);
});

test('a denied link says so, and can be started again', async ({ page }) => {
  await page.goto(`${gateway.url}/#/forwarding`);
  await page.getByRole('button', { name: 'Link to a cloud' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link to a cloud' });
  await dialog.getByLabel('Cloud address').fill('http://cloud.example');
  await dialog.getByRole('button', { name: 'Get a code' }).click();
  await expect(dialog).toContainText('It must begin with https://');
  await dialog.getByLabel('Cloud address').fill(cloud.url);
  await dialog.getByRole('button', { name: 'Get a code' }).click();
  await cloud.tenant.owner.deviceSignIn.deny({ body: { user_code: (await dialog.locator('[data-code]').textContent()) ?? '' } });
  await expect(dialog).toContainText('Denied');
  await dialog.getByRole('button', { name: 'Start again' }).click();
  await expect(dialog.getByLabel('Cloud address')).toBeVisible();
});

test('the rules of a destination are saved, and what they drop is not sent', async ({ page }) => {
  await create({ is_paused: true });
  await page.goto(`${gateway.url}/#/forwarding`);
  await page.getByRole('link', { name: 'Redaction: off' }).click();
  await page.getByLabel('Inputs').check();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByRole('link', { name: 'Back to Cloud' }).click();
  await expect(page.getByRole('link', { name: 'Redaction: on' })).toBeVisible();
  const traceId = aTraceId();
  await gateway.ingest(aRequest([aChat({ traceId, spanId: aSpanId(), ask: 'the launch is on Friday' })]));
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => inCloud(traceId)).toBe(1);
  const sent = JSON.stringify((await cloud.tenant.client.traces.get({ params: { traceId } })).data);
  expect(sent).not.toContain('Friday');
  expect(JSON.stringify((await gateway.client.traces.get({ params: { traceId } })).data)).toContain('Friday');
});

test('an error in an address or a key is shown next to it', async ({ page }) => {
  await page.goto(`${gateway.url}/#/forwarding`);
  await page.getByRole('button', { name: 'Paste a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forward to a cloud' });
  await dialog.getByLabel('Cloud address').fill('http://cloud.example');
  await dialog.getByLabel('App ID').fill('app');
  await dialog.getByLabel('Key', { exact: true }).fill('sk_service_typo');
  await dialog.getByRole('button', { name: 'Turn on forwarding' }).click();
  await expect(dialog).toContainText('It must begin with https://');
  await dialog.getByLabel('Cloud address').fill(cloud.url);
  await dialog.getByRole('button', { name: 'Turn on forwarding' }).click();
  await expect(dialog).toContainText('Incomplete key');
});

test('a refused key is reported, and forwarding continues with another key', async ({ page }) => {
  const { owner, api_key } = cloud.tenant;
  const created = (await owner.apiKeys.create({ body: { name: `doomed ${aSpanId()}`, permissions: ['trace.write'] } })).data;
  await create({ key: created.plaintext_key });
  await owner.apiKeys.revoke({ params: { apiKeyId: created.id } });
  const traceId = await aTrace('waits for a key');
  await page.goto(`${gateway.url}/#/forwarding`);
  await expect(page.getByRole('status')).toContainText('Paused: the key is refused');
  await expect(page.getByLabel('Figures of cloud')).toContainText('401 unauthorized');
  await expectReadable(page);
  await page.getByRole('button', { name: 'Enter a new key' }).click();
  await page.getByRole('dialog').getByLabel('New key').fill(api_key);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText('Up to date');
  await expect.poll(() => inCloud(traceId)).toBe(1);
});

test('a trace is forwarded manually from its page, and the list shows which traces were sent', async ({ page }) => {
  await create({ automatic: false });
  const traceId = await aTrace('chosen');
  await aTrace('stays');
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  await page.getByRole('button', { name: /Forward this trace. On this machine only/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Open in the cloud It was not sent' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Forward to cloud' }).click();
  await expect.poll(() => inCloud(traceId)).toBe(1);
  await expect(page.getByRole('button', { name: /Forward this trace. Sent to cloud/ })).toBeVisible();
  await expectReadable(page);
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('row', { name: /chosen/ }).getByRole('img', { name: /Sent to cloud/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /stays/ }).getByRole('img', { name: /On this machine only/ })).toBeVisible();
  await expectReadable(page);
});

test('a refused span is listed with the reason and a link to its trace, and is sent by a retry', async ({ page }) => {
  await create({ url: refusing.url });
  const traceId = await aTrace('not taken');
  await page.goto(`${gateway.url}/#/forwarding`);
  const deadLetters = page.getByRole('region', { name: 'Dead letters of cloud' });
  await expect(deadLetters).toContainText('1 dead letter');
  await deadLetters.getByRole('button', { name: 'Show' }).click();
  await expect(deadLetters).toContainText('Spans like this are not accepted');
  await expect(deadLetters.getByRole('link', { name: 'not taken' })).toHaveAttribute('href', new RegExp(traceId));
  await expectReadable(page);
  refusing.acceptAll();
  await deadLetters.getByRole('button', { name: 'Retry' }).click();
  await expect(deadLetters).toBeHidden();
  await expect(page.getByLabel('Figures of cloud')).toContainText('Sent1 span');
});

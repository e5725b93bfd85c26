/** From an empty folder to the first trace in a team's dashboard with two commands; and the sign-in. */
import { expect } from '@playwright/test';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { type StartedCloud, startCloudByCommands } from './cloud-commands.ts';
import { enter, signIn } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: StartedCloud;

test.beforeAll(async () => {
  cloud = await startCloudByCommands();
});
test.afterAll(() => cloud.stop());

const send = (key: string, appId: string, spans: object[]) =>
  fetch(`${cloud.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: key, 'x-service-app-id': appId },
    body: JSON.stringify(aRequest(spans)),
  });

test('two commands, a login and one button bring a first trace to the setup page', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(cloud.url);
  await expect(page.getByRole('heading', { name: 'Sign in to Glasshouse' })).toBeVisible();
  await expectReadable(page);
  await signIn(page, cloud);

  await expect(page.getByRole('heading', { name: 'Send the first trace' })).toBeVisible();
  await expect(page.getByText(`listening at ${cloud.url}`)).toBeVisible();
  const lines = page.locator('pre').filter({ hasText: 'OTEL_EXPORTER_OTLP_HEADERS' });
  await expect(lines).toContainText(`OTEL_EXPORTER_OTLP_ENDPOINT=${cloud.url}`);
  await expect(lines).toContainText(`authorization=<API_KEY>,x-service-app-id=${cloud.app_id}`);
  await expectReadable(page);

  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(lines).toContainText(/authorization=sk_service_\w+,/);
  const [, key = ''] = /authorization=(sk_service_\w+),/.exec((await lines.textContent()) ?? '') ?? [];
  const answer = await send(key, cloud.app_id, aRun({ name: 'answer a customer', startMs: Date.now() - 2000 }));
  expect(answer.status).toBe(200);

  await expect(page.getByRole('heading', { level: 1, name: 'answer a customer' })).toBeVisible();
  await expect(page).toHaveURL(/#\/traces\/[0-9a-f]{32}/);
  await page.getByRole('link', { name: 'Traces', exact: true }).click();
  await page.getByRole('link', { name: 'answer a customer' }).click();
  await expect(page.getByRole('region', { name: 'Trace', exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});

test('the key that the bootstrap printed works, and an unknown one does not', async () => {
  expect((await send(cloud.api_key, cloud.app_id, [aChat()])).status).toBe(200);
  expect((await send('sk_service_nobodys', cloud.app_id, [aChat()])).status).toBe(401);
});

test('a failed sign-in says why, and the requested page opens after a successful one', async ({ page }) => {
  await page.goto(`${cloud.url}/#/settings/usage`);
  await signIn(page, { email: cloud.email, password: 'not this one' });
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await expectReadable(page);
  await page.route('**/v1/auth/login', (route) => route.abort('connectionrefused'), { times: 1 });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('does not answer');
  const slow = { error: { code: 'rate_limit_exceeded', message: 'Too many requests', retry_after_seconds: 7 } };
  await page.route('**/v1/auth/login', (route) => route.fulfill({ status: 429, json: slow }), { times: 1 });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Try again in 7 s');

  await signIn(page, cloud);
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await expect(page).toHaveURL(/#\/settings\/usage\?app=/);
});

test('an ended login leads to the sign-in and then back to the same page', async ({ page, context }) => {
  await enter(page, cloud.url, cloud, '/settings/environments');
  await expect(page.getByRole('table', { name: 'Environments' })).toContainText('Default');
  const ended = await context.request.post(`${cloud.url}/v1/auth/logout`, { headers: { 'x-glasshouse-page': '1' } });
  expect(ended.status()).toBe(204);
  await page.getByRole('link', { name: 'Alerts' }).click();
  await expect(page.getByText('Your session has expired.')).toBeVisible();
  await signIn(page, cloud);
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();

  await page.getByRole('button', { name: /app and account/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Glasshouse' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in to Glasshouse' })).toBeVisible();
});

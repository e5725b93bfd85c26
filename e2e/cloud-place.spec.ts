/** App and environment are in the URL of every page: a copied link opens both for another person, and a switch keeps the page. */
import { expect, type Page } from '@playwright/test';
import { addMember } from '../server/fixtures/add-member.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../server/fixtures/test-cloud.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { enter, signIn } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: TestCloud;
let tenant: TestTenant;
let secondApp: string;
let errors: string[];

test.beforeAll(async () => {
  cloud = await startTestCloud();
  tenant = cloud.tenant;
  await tenant.owner.environments.create({ body: { name: 'staging' } });
  await cloud.ingest(tenant, aRequest(aRun({ name: 'of the default environment', startMs: Date.now() - 60_000 })));
  secondApp = (await tenant.owner.apps.create({ body: { name: 'billing' } })).data.id;
});
test.afterAll(() => cloud.stop());
test.beforeEach(({ page }) => {
  errors = watchConsole(page);
});

const placeButton = (page: Page) => page.getByRole('button', { name: /app and account/ });
const sidebarLink = (page: Page, name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
const searchOf = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]);

async function choose(page: Page, group: 'Environments' | 'Apps of acme', name: string) {
  await placeButton(page).click();
  await page.getByRole('region', { name: group }).getByRole('button', { name, exact: true }).click();
}

async function expectPlace(page: Page, path: string, place: { app: string; environment: string | null }) {
  await expect(page).toHaveURL((url) => {
    const [at, search] = url.hash.slice(1).split('?');
    const params = new URLSearchParams(search);
    return at === path && params.get('app') === place.app && params.get('environment') === place.environment;
  });
}

test('every page has the app and the chosen environment in its URL, and links and keys keep them', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const here = { app: tenant.app_id, environment: 'staging' };
  await enter(page, cloud.url, tenant, '/traces?last=30d');
  await expectPlace(page, '/traces', { ...here, environment: null });
  await choose(page, 'Environments', 'staging');
  await expectPlace(page, '/traces', here);
  expect(searchOf(page).get('last')).toBe('30d');
  await expect(placeButton(page)).toHaveAccessibleName(/app and account: default, acme, staging/);
  await expect(page.getByRole('link', { name: 'of the default environment' })).toHaveCount(0);

  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', new RegExp(`[?&]app=${tenant.app_id}&environment=staging`));
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`[?&]app=${tenant.app_id}&environment=staging`));
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expectPlace(page, '/sessions', here);
  await expect(page.getByRole('status').filter({ hasText: 'This page shows all environments, not only staging.' })).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: 'Switch to all environments' }).click();
  await expectPlace(page, '/sessions', { ...here, environment: null });
  expect(errors).toEqual([]);
});

test('the list of traces can remove the environment, and a trace leads to the list of another', async ({ page }) => {
  const here = { app: tenant.app_id, environment: 'staging' };
  await enter(page, cloud.url, tenant, '/traces?environment=staging');
  await expectPlace(page, '/traces', here);
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await expectPlace(page, '/traces', { ...here, environment: null });
  await page.getByRole('link', { name: 'of the default environment' }).click();
  await page
    .getByRole('region', { name: 'Trace', exact: true })
    .getByRole('button', { name: /Full page|Open/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/traces\/[0-9a-f]{32}/);
  await choose(page, 'Environments', 'staging');
  await expectPlace(page, '/traces', here);
  expect(errors).toEqual([]);
});

test('a copied link opens app and environment for another person, after the sign-in too', async ({ page, browser }) => {
  const member = { email: 'ben@acme.test', ...(await addMember(cloud, tenant, 'ben@acme.test', 'read')) };
  await enter(page, cloud.url, tenant);
  await choose(page, 'Apps of acme', 'billing');
  await expect(placeButton(page)).toHaveAccessibleName(/billing/);
  await expectPlace(page, '/traces', { app: secondApp, environment: null });
  await sidebarLink(page, 'Prompts').click();
  const [dev] = (await cloud.as(tenant.token, secondApp).environments.list({})).data;
  await choose(page, 'Environments', dev?.name ?? '');
  const place = { app: secondApp, environment: dev?.name ?? '' };
  await expectPlace(page, '/prompts', place);

  const other = await (await browser.newContext()).newPage();
  await enter(other, cloud.url, member);
  await expect(placeButton(other)).toHaveAccessibleName(/app and account: default/);
  await other.goto(page.url());
  await expectPlace(other, '/prompts', place);
  await expect(placeButton(other)).toHaveAccessibleName(new RegExp(`billing.*${dev?.name}`));
  await other.context().clearCookies();
  await other.goto('about:blank');
  await other.goto(page.url());
  await signIn(other, member);
  await expectPlace(other, '/prompts', place);
  await other.context().close();

  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(placeButton(page)).toHaveAccessibleName(/app and account: default/);
  expect(errors).toEqual([]);
});

test('a link to an app that one cannot open says so, and another app keeps the page', async ({ page }) => {
  await enter(page, cloud.url, tenant, '/alerts?app=00000000-0000-4000-8000-000000000000');
  const notice = page.getByRole('status').filter({ hasText: 'The link is to an app that you cannot open, or that was deleted.' });
  await expect(notice).toBeVisible();
  await expectReadable(page);
  await notice.getByRole('button', { name: 'Hide' }).click();
  await expect(notice).toHaveCount(0);
  const before = searchOf(page).get('app');
  await choose(page, 'Apps of acme', before === secondApp ? 'default' : 'billing');
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();
  await expectPlace(page, '/alerts', { app: before === secondApp ? tenant.app_id : secondApp, environment: null });
  expect(errors).toEqual([]);
});

const found = [
  ...[
    ['overview', 'Dashboard'],
    ['runs', 'Traces'],
    ['failures', 'Error groups'],
    ['conversations', 'Sessions'],
    ['feedback', 'Scores'],
  ],
  ...[
    ['labelling', 'Queues'],
    ['test cases', 'Datasets'],
    ['baseline', 'Experiments'],
    ['trials', 'Eval runs'],
    ['templates', 'Prompts'],
  ],
  ...[
    ['monitors', 'Alerts'],
    ['rollback', 'Deployments'],
    ['rejected', 'Ingest log'],
    ['install', 'Set up'],
  ],
  ...[
    ['tokens', 'API keys'],
    ['secrets', 'API keys'],
    ['promote', 'Environments'],
    ['github', 'Git'],
    ['runner', 'Eval worker'],
  ],
  ...[
    ['slack', 'Alert destinations'],
    ['rename', 'Apps'],
    ['invite', 'Members'],
    ['billing', 'Usage'],
    ['password', 'Your account'],
  ],
  ...[
    ['laptop', 'Link a machine'],
    ['appearance', 'Theme: dark'],
    ['logout', 'Sign out'],
    ['staging', 'staging'],
    ['switch app', 'billing'],
  ],
] as const;

test('Ctrl+K finds every page and setting by its name and by other words', async ({ page }) => {
  await enter(page, cloud.url, tenant, `/setup?app=${tenant.app_id}`);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search commands, pages and traces' });
  const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) });
  for (const [words = '', name = ''] of found) {
    await field.fill(words);
    await expect(option(name), words).toBeVisible();
    if (['staging', 'billing'].includes(name)) continue;
    await field.fill(name);
    await expect(page.getByRole('option').first(), name).toHaveText(new RegExp(`^${name}`));
  }
  await field.fill('staging');
  await page.keyboard.press('Enter');
  await expectPlace(page, '/setup', { app: tenant.app_id, environment: 'staging' });
  await page.keyboard.press('Control+k');
  await field.fill('slack');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Destinations' })).toBeVisible();
  expect(errors).toEqual([]);
});

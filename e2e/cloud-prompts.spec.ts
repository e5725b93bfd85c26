/** The prompts of a team: prompts deployed from a repository are listed, read, compared with earlier versions, and promoted with a diff. */
import { expect, type Page, type TestInfo } from '@playwright/test';
import { type ConnectedCloud, startConnectedCloud } from '../server/fixtures/git-hosts/connected-cloud.ts';
import { gitHubPush } from '../server/fixtures/git-hosts/fake-github.ts';
import { FakeRepository } from '../server/fixtures/git-hosts/fake-repository.ts';
import type { TestTenant } from '../server/fixtures/test-cloud.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

const refund = (model: string, text: string) => `---
name: refund
text_config:
  model_name: ${model}
test_settings:
  dataset: ./questions.jsonl
---
import Policy from './policy.mdx';

<System>
${text}

<Policy />
</System>
<User>Order {props.order.id}: {props.question}</User>
`;
const banner = '---\nname: banner\nimage_config:\n  model_name: gpt-image-1\n---\n<ImagePrompt>An owl over {props.city}</ImagePrompt>\n';
const files = {
  'agentmark.json': '{}',
  'agentmark/shop/refund.prompt.mdx': refund('gpt-4o', 'You help customers.'),
  'agentmark/shop/policy.mdx': 'Never promise a date.\n',
  'agentmark/shop/questions.jsonl': '{"input":{"question":"Where is it?"}}\n',
  'agentmark/banner.prompt.mdx': banner,
};

let cloudWithGit: ConnectedCloud;
let tenant: TestTenant;
let repository: FakeRepository;
let errors: string[];

test.beforeAll(async () => {
  cloudWithGit = await startConnectedCloud();
  tenant = cloudWithGit.cloud.tenant;
  repository = new FakeRepository(7, 'team/prompts', {});
  cloudWithGit.hosts.github.repositories.push(repository);
  await cloudWithGit.connect(tenant, 'github');
});
test.afterAll(() => cloudWithGit.stop());
test.beforeEach(({ page }) => {
  errors = watchConsole(page);
});

/** Pushes a commit and waits until the default environment serves it. */
async function push(changed: Record<string, string | null>, message: string): Promise<void> {
  const commit = repository.commit(changed, message);
  const response = await cloudWithGit.cloud.fetch('/v1/git/webhooks/github', gitHubPush(repository, commit, 'main'));
  expect(response.status).toBe(202);
  const newest = async () => (await tenant.client.deployments.list({ query: { limit: 1 } })).data[0];
  await expect.poll(async () => (await newest())?.commit_sha).toBe(commit.sha);
  await expect.poll(async () => (await newest())?.deployment_status).toBe('success');
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 700 },
];

/** Screenshots for the report. */
async function saveScreenshots(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: info.outputPath(`${name}-${size.width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('before anything is deployed the page says how to get prompts', async ({ page }, info) => {
  await enter(page, cloudWithGit.cloud.url, tenant, '/prompts');
  await expect(page.getByRole('heading', { name: 'Nothing is deployed to this environment yet' })).toBeVisible();
  await expectReadable(page);
  await saveScreenshots(page, info, 'empty');
  await page.getByRole('button', { name: 'Link a repository' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Git' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a deployed prompt is listed and read, with its versions and uses', async ({ page }, info) => {
  await tenant.owner.appGit.link({ params: { appId: tenant.app_id }, body: { repository: repository.full_name, branch: 'main' } });
  await push(files, 'Begin with two prompts');
  await push({ 'agentmark/shop/refund.prompt.mdx': refund('gpt-5', 'You help customers. Be brief.') }, 'Shorter answers');
  await push({ 'agentmark/banner.prompt.mdx': banner.replace('An owl', 'A bright owl') }, 'A bright banner');
  await cloudWithGit.cloud.ingest(
    tenant,
    aRequest([
      aChat({ name: 'a refund', attributes: { 'agentmark.prompt_name': 'refund' } }),
      aChat({ name: 'a later refund', startMs: Date.now(), attributes: { 'agentmark.prompt_name': 'refund' } }),
      aChat(),
    ]),
  );

  await enter(page, cloudWithGit.cloud.url, tenant, '/prompts');
  const list = page.getByRole('table', { name: 'Prompts' });
  await expect(list.getByRole('row').filter({ hasText: 'refund' })).toContainText('gpt-5');
  await expect(list.getByRole('row').filter({ hasText: 'banner' })).toContainText('gpt-image-1');
  await list.getByRole('link', { name: 'refund' }).click();
  const detail = page.getByRole('region', { name: 'Detail' });
  await expect(detail.getByRole('heading', { name: 'refund', exact: true })).toBeVisible();
  await expect(detail).toContainText('Shorter answers');
  await expect(detail.getByRole('article').filter({ hasText: 'System' })).toContainText('Never promise a date.');
  await expect(detail.getByRole('region', { name: 'Traces' }).getByRole('link', { name: 'a refund' })).toBeVisible();
  await expect(detail.getByRole('region', { name: 'Datasets' }).getByRole('link', { name: 'shop/questions.jsonl' })).toBeVisible();
  await expectReadable(page);
  await saveScreenshots(page, info, 'messages');

  await detail.getByRole('tab', { name: 'Versions' }).click();
  const versions = detail.getByRole('list', { name: 'Versions' });
  await expect(versions.getByRole('button')).toHaveCount(2);
  const diff = detail.getByRole('region', { name: 'Diff' });
  await expect(diff).toContainText('removed: You help customers.');
  await expect(diff).toContainText('added: You help customers. Be brief.');
  await expect(diff).toContainText('model_name: gpt-5');
  // Runs count for the version that was deployed when they started.
  const runs = detail.getByRole('region', { name: 'Runs of these versions' });
  await expect(runs.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('0');
  await expect(runs.getByRole('row').nth(2).getByRole('cell')).toHaveText(['1', /^0 \(0/, '100 ms', /^\$/]);
  await expectReadable(page);
  await saveScreenshots(page, info, 'versions');
  await versions.getByRole('button').filter({ hasText: 'Begin with two prompts' }).click();
  await expect(diff).toContainText('added: name: refund');
  await detail.getByRole('tab', { name: 'Source' }).click();
  await expect(detail.getByText("import Policy from './policy.mdx';")).toBeVisible();
  expect(errors).toEqual([]);
});

test('a promotion shows what it changes, file by file, before it is confirmed', async ({ page }, info) => {
  await tenant.owner.environments.create({ body: { name: 'production' } });
  await enter(page, cloudWithGit.cloud.url, tenant, '/prompts?environment=production');
  await expect(page.getByRole('heading', { name: 'Nothing is deployed to this environment yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Open environments' }).click();
  await page.getByRole('link', { name: 'production' }).first().click();

  const dialog = page.getByRole('dialog', { name: 'Promote to production' });
  const promote = async (note: string) => {
    await dialog.getByLabel('Note').fill(note);
    await dialog.getByRole('button', { name: 'Promote' }).click();
    await expect(page.getByRole('row').filter({ hasText: note })).toContainText('Succeeded');
  };
  await page.getByRole('button', { name: 'Promote to this environment' }).click();
  await expect(dialog.getByText('5 files: 5 added.')).toBeVisible();
  await promote('the first');
  await push(
    { 'agentmark/shop/refund.prompt.mdx': refund('gpt-5', 'You help customers. Be kind.'), 'agentmark/banner.prompt.mdx': null },
    'Kind answers, no banner',
  );
  await push(
    { 'agentmark/shop/questions.jsonl': '{"input":{"question":"Where is it?"}}\n{"input":{"question":"Why?"}}\n' },
    'One more question',
  );

  await page.reload();
  await page.getByRole('button', { name: 'Promote to this environment' }).click();
  await expect(dialog.getByText('3 files: 2 changed, 1 removed.')).toBeVisible();
  await dialog.getByRole('list', { name: 'Prompts' }).getByRole('button', { name: 'refund.prompt.mdx' }).click();
  const diff = dialog.getByRole('region', { name: /^Diff of .*refund/ });
  await expect(diff).toContainText('removed: You help customers. Be brief.');
  await expect(diff).toContainText('added: You help customers. Be kind.');
  await expectReadable(page);
  await saveScreenshots(page, info, 'promotion');
  await promote('the second');
  const stale = page.request.get(`${cloudWithGit.cloud.url}/v1/environments?limit=1000`, {
    headers: { authorization: `Bearer ${tenant.token}`, 'x-service-app-id': tenant.app_id },
  });
  await stale;
  await page.getByRole('button', { name: 'Promote to this environment' }).click();
  await expect(dialog.getByText('No file changes.')).toBeVisible();
  // A push that the page does not know yet is shown before it is promoted.
  await page.route('**/v1/environments?*', async (route) => route.fulfill({ response: await stale }));
  await push({ 'agentmark/shop/policy.mdx': 'Promise nothing.\n' }, 'A stricter policy');
  await page.unroute('**/v1/environments?*');
  await dialog.getByRole('button', { name: 'Promote' }).click();
  await expect(dialog.getByRole('alert')).toContainText('dev has a newer deployment');
  await expect(dialog.getByRole('list', { name: 'Components' })).toContainText('agentmark/shop/policy.mdx');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Roll back to version 1' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Roll production back to version 1' }).getByText('3 files: 1 added, 2 changed.'),
  ).toBeVisible();
  expect(errors).toEqual([]);
});

test('an experiment offers the deployed prompts', async ({ page }, info) => {
  await enter(page, cloudWithGit.cloud.url, tenant, '/datasets?name=shop/questions.jsonl');
  await page.getByRole('button', { name: 'Run experiment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run experiment' });
  await dialog.getByLabel('Prompt').selectOption('shop/refund.prompt.mdx');
  await expect(dialog.getByLabel('Prompt')).toContainText('refund (shop/refund.prompt.mdx)');
  await expectReadable(page);
  await saveScreenshots(page, info, 'experiment');
  expect(errors).toEqual([]);
});

test('a list that cannot be loaded says so, and can be loaded again', async ({ page }, info) => {
  await enter(page, cloudWithGit.cloud.url, tenant, '/traces');
  const list = '**/v1/viewer/prompts';
  await page.route(list, (route) => route.abort());
  await page.goto(`${cloudWithGit.cloud.url}/#/prompts`);
  await expect(page.getByRole('alert')).toContainText('The prompts could not be loaded');
  await expectReadable(page);
  await saveScreenshots(page, info, 'failed');
  await page.unroute(list);
  // The page may be quicker than the click.
  await page
    .getByRole('button', { name: 'Try again' })
    .click({ timeout: 2_000 })
    .catch(() => {});
  await expect(page.getByText(/\d prompts?/).first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

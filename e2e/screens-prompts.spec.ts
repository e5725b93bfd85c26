/** Prompts of the project are shown as messages with their properties, as a tree and as configuration, and lead to the traces that used them. */
import { expect } from '@playwright/test';
import { aProject, type ProjectTree } from '../server/fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;
let project: ProjectTree;

test.beforeEach(async () => {
  project = aProject({ 'agentmark.json': '{}' });
  gateway = await startTestGateway({ projectDir: project.root });
});
test.afterEach(async () => {
  await gateway.stop();
  project.remove();
});

const prompt = `---
name: refund
text_config:
  model_name: gpt-4o
---
import Policy from './policy.mdx';

<System>
Be kind.

<Policy />
</System>
<User>Order {props.order.id}: {props.question}</User>
`;

test('a prompt is shown with its imports and properties, and leads to its traces', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/prompts`);
  await expect(page.getByText('No prompts yet')).toBeVisible();
  await expectReadable(page);

  project.write('agentmark/shop/refund.prompt.mdx', prompt);
  project.write('agentmark/shop/policy.mdx', 'Never promise a date.');
  await gateway.ingest(aRequest([aChat({ name: 'a refund', attributes: { 'agentmark.prompt_name': 'refund' } }), aChat()]));
  // The open page follows the files.
  await expect(page.getByRole('heading', { name: 'refund', exact: true })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'System' })).toContainText('Never promise a date.');
  project.write('agentmark/shop/policy.mdx', 'Promise a day, never an hour.');
  await expect(page.getByRole('article').filter({ hasText: 'System' })).toContainText('Promise a day, never an hour.');
  await expect(page.getByText('{props.order.id}')).toBeVisible();
  await expect(page.getByText('order.id', { exact: true })).toBeVisible();
  await expectReadable(page);

  await page.getByRole('tab', { name: 'Config' }).click();
  await expect(page.getByText('model_name: gpt-4o')).toBeVisible();
  await page.getByRole('tab', { name: 'Tree' }).click();
  await expect(page.getByText('"mdxTextExpression"').first()).toBeVisible();
  await expectReadable(page);
  await page.getByRole('tab', { name: 'Messages' }).click();
  // In a narrow window the prompt covers the list until Esc.
  const detail = page.getByRole('region', { name: 'Detail' });
  await page.setViewportSize({ width: 800, height: 700 });
  await page.reload();
  await expect(detail.getByRole('heading', { name: 'refund' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(detail).toBeHidden();
  await page.getByRole('link', { name: 'refund' }).click();
  await expect(detail).toBeVisible();
  await page.getByRole('link', { name: 'a refund' }).click();
  await expect(page.getByRole('heading', { name: 'a refund' }).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('for a prompt that cannot be parsed the page says where', async ({ page }) => {
  project.write('agentmark/broken.prompt.mdx', '---\nname: broken\n---\n<System>\nnever closed\n');
  await page.goto(`${gateway.url}/#/prompts`);
  await expect(page.getByRole('alert')).toContainText('The prompt could not be loaded');
  await expect(page.getByRole('alert')).toContainText(/line \d+/);
});

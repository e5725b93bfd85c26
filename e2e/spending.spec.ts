/** What was spent: by project, model and agent, the most expensive prompts, and a budget that is exceeded. */
import { expect } from '@playwright/test';
import { startTestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

const prompt = (text: string, folder: string, cost: number) => {
  const traceId = aTraceId();
  const startMs = Date.now() - 60_000;
  const asked = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }]);
  return [
    aSpan({
      traceId,
      startMs: startMs - 1,
      name: 'claude-code',
      attributes: { 'metadata.folder': folder, 'gen_ai.input.messages': asked },
    }),
    aChat({ traceId, startMs, model: 'claude-sonnet-4-5', attributes: { 'gen_ai.usage.cost': cost } }),
  ];
};

test('the page of spending says where the money went, opens the most expensive run, and a budget that is exceeded is told on every page', async ({
  page,
}) => {
  const errors = watchConsole(page);
  const gateway = await startTestGateway();
  const spans = [...prompt('Add the winter timetable', '/home/ada/ferries', 6), ...prompt('Rename crossing', '/home/ada/harbour', 2)];
  await gateway.ingest(aRequest(spans, { service: 'claude-code' }));
  await page.goto(`${gateway.url}/#/spending`);
  await expect(page.getByText('$8.00 in the last 30 days, 75 % of it in ferries.')).toBeVisible();
  const row = page.getByRole('region', { name: 'By project' }).getByRole('row', { name: /ferries/ });
  await expect(row).toContainText('$6.00');
  await expect(page.getByRole('region', { name: 'Plan windows' }).getByRole('row', { name: /claude-code/ })).toContainText('$8.00');
  await expectReadable(page);

  await page.getByRole('button', { name: 'Set a budget…' }).click();
  await page.getByRole('textbox', { name: 'US dollars' }).fill('5');
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Seven days, until now');
  await page.getByRole('combobox', { name: 'Project' }).selectOption('/home/ada/ferries');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  const banner = page.getByRole('region', { name: 'Budgets that are exceeded' });
  await expect(banner).toContainText('$6.00 spent in the last seven days in /home/ada/ferries, more than the budget of $5.00.');
  await expectReadable(page);

  await page.getByRole('link', { name: 'Add the winter timetable' }).click();
  await expect(page).toHaveURL(/#\/traces\/\w{32}/);
  await banner.getByRole('link', { name: 'Open spending' }).click();
  await page.getByRole('button', { name: /^Remove the budget/ }).click();
  await expect(banner).toHaveCount(0);

  await page.getByRole('link', { name: 'harbour' }).click();
  await expect(page).toHaveURL(/#\/traces\?filter=/);
  await expect(page.getByText('Rename crossing')).toBeVisible();
  await expect(page.getByText('Add the winter timetable')).toHaveCount(0);
  expect(errors).toEqual([]);
  await gateway.stop();
});

/** From two commands to the first trace in the dashboard of a team whose gateways share PostgreSQL and ClickHouse. */
import { expect } from '@playwright/test';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { type StartedCloud, startClusterByCommands } from './cloud-commands.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: StartedCloud | undefined;
test.afterAll(() => cloud?.stop());

test('a team of a fleet sees its first trace, whichever gateway received it', async ({ page }, info) => {
  const began = performance.now();
  cloud = await startClusterByCommands();
  const spans = aRun({ name: 'answer a customer', startMs: Date.now() - 2000 });
  const answer = await fetch(`${cloud.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: cloud.api_key, 'x-service-app-id': cloud.app_id },
    body: JSON.stringify(aRequest(spans)),
  });
  expect(answer.status).toBe(200);

  const errors = watchConsole(page);
  await enter(page, cloud.url, cloud);
  const trace = page.getByRole('link', { name: 'answer a customer' });
  await expect(trace).toBeVisible();
  process.stdout.write(`from the first command to the first trace: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  await trace.click();
  const opened = page.getByRole('region', { name: 'Trace', exact: true });
  await expect(opened).toBeVisible();
  await expect(opened).toContainText('answer a customer');
  await expectReadable(page);
  await page.screenshot({ path: info.outputPath('first-trace-of-a-fleet.png') });
  expect(errors).toEqual([]);
});

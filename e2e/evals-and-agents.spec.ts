/** Eval runs and coding-agent sessions that are sent over HTTP to a cloud, as its members see them. */
import { createHash } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { type Client, createClient } from '../shared/client.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { type StartedCloud, startCloudByCommands } from './cloud-commands.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: StartedCloud;

test.beforeAll(async () => {
  cloud = await startCloudByCommands();
});
test.afterAll(() => cloud.stop());

const as = (key: string): Client =>
  createClient(async ({ method, path, body }) => {
    const headers = { authorization: key, 'x-service-app-id': cloud.app_id, 'content-type': 'application/json' };
    const response = await fetch(cloud.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  });

/** An image of 2 by 2 pixels. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4YSMCRAwQCgAhfgRh5kKsPwAAAABJRU5ErkJggg==', 'base64');
const blobOf = (bytes: Buffer, media_type: string) => ({
  ...{ sha256: createHash('sha256').update(bytes).digest('hex'), media_type },
  data: bytes.toString('base64'),
});
const at = (second: number) => new Date(Date.now() - 60_000 + second * 1000).toISOString();

test('a session of a coding agent is shown as a session and a trace, with its images, and its calls with their results', async ({
  page,
}) => {
  const errors = watchConsole(page);
  const picture = blobOf(png, 'image/png');
  const script = blobOf(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="harm"</script></svg>'),
    'image/svg+xml',
  );
  const call = { tool_name: 'Bash', tool_call_id: 'call-1' };
  await as(cloud.api_key).agents.ingest({
    body: {
      ...{ session_id: 'agent-1', agent: 'claude_code', title: 'Fix the failing build', model: 'claude-sonnet-4-5' },
      ...{ started_at: at(0), ended_at: at(50), blobs: [picture, script] },
      events: [
        {
          seq: 0,
          type: 'user',
          timestamp: at(1),
          text: 'What is wrong here?',
          images: [{ sha256: picture.sha256 }, { sha256: script.sha256 }],
        },
        { seq: 1, type: 'tool_call', timestamp: at(2), ...call, input: { command: 'npm test' } },
        { seq: 2, type: 'tool_result', timestamp: at(9), ...call, output: 'one test failed' },
        { seq: 3, type: 'assistant', timestamp: at(12), text: 'The rounding is off.', input_tokens: 100, output_tokens: 20, cost_usd: 0.5 },
      ],
    },
  });

  await enter(page, cloud.url, cloud, '/sessions');
  await expect(page.getByRole('table', { name: 'Sessions' })).toContainText('Fix the failing build');
  await page.getByRole('link', { name: 'Traces of coding agents' }).click();
  await expect(page.getByRole('link', { name: 'Fix the failing build' })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Fix the failing build' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fix the failing build' })).toBeVisible();
  await expect(page.getByText('The rounding is off.').first()).toBeVisible();
  await expectReadable(page);

  await page.getByRole('link', { name: 'Show traces' }).click();
  await page.getByRole('link', { name: 'Fix the failing build' }).click();
  const transcript = page.getByRole('region', { name: 'Trace', exact: true });
  await expect(transcript.getByText('npm test')).toBeVisible();
  await expect(transcript.getByText('one test failed').first()).toBeVisible();
  await transcript.getByText('user', { exact: true }).first().click();
  await expectImage(page);
  await expect(page.getByText('the bytes are not what they claim to be').first()).toBeVisible();
  expect(await page.title()).not.toContain('harm');
  // Playwright reads the blob: URLs of images, which the page's policy does not allow.
  expect(errors.filter((error) => !error.startsWith("Connecting to 'blob:"))).toEqual([]);
});

/** The image has the width of the sent bytes. */
const expectImage = async (page: Page) =>
  expect
    .poll(() => page.locator('img').evaluateAll((all) => all.map((element) => (element as HTMLImageElement).naturalWidth)))
    .toContain(2);

test('an eval run is shown from queued to succeeded, with its tasks and trials', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, cloud.url, cloud, '/evals');
  await expect(page.getByRole('heading', { name: 'No eval runs yet' })).toBeVisible();
  await expectReadable(page);

  const { id: runId, plaintext_key } = (await as(cloud.api_key).evals.createRun({ body: { name: 'nightly' } })).data;
  const worker = as(plaintext_key);
  const chat = aChat({ traceId: 'c'.repeat(32), ask: 'Is it open?', reply: 'Until six' });
  await worker.ingest.traces({ body: { ...aRequest([chat]) } });
  await page.reload();
  const list = page.getByRole('table', { name: 'Eval runs' });
  await expect(list).toContainText('Queued');
  await page.getByRole('link', { name: 'nightly' }).click();
  await expect(page.getByRole('heading', { name: 'No tasks yet' })).toBeVisible();

  // Updates of the worker appear without a reload.
  await worker.evals.reportStatus({ params: { runId }, body: {} });
  await worker.evals.addTrials({
    params: { runId },
    body: {
      trials: [
        { task_id: 'opening hours', status: 'passed', score: 1, trace_id: 'c'.repeat(32), duration_ms: 1200 },
        { task_id: 'refunds', status: 'failed', score: 0 },
        { task_id: 'refunds', trial_index: 1, status: 'error', error: 'The judge timed out' },
      ],
    },
  });
  await worker.evals.escalate({ body: { attempts: 3, task_ids: ['refunds'], suggested_next_steps: 'Read the new terms' } });
  const tasks = page.getByRole('table', { name: 'Tasks' });
  await expect(tasks.getByRole('row').nth(1)).toContainText('refunds');
  await expect(tasks.getByRole('row').nth(1)).toContainText('0 of 2');
  await expect(page.getByText('Running', { exact: true })).toBeVisible();

  await worker.evals.reportStatus({ params: { runId }, body: { card: { accuracy: 0.33 }, costUsd: 1.5 } });
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await expectReadable(page);
  await page.getByRole('tab', { name: /Result card/ }).click();
  await expect(page.getByText('0.33')).toBeVisible();
  await page.getByRole('tab', { name: /Escalations/ }).click();
  await expect(page.getByText('Read the new terms')).toBeVisible();
  await page.getByRole('tab', { name: /Trials/ }).click();
  await page.getByRole('button', { name: 'Error' }).click();
  const trials = page.getByRole('table', { name: 'Trials' });
  await expect(trials).toContainText('The judge timed out');
  await expect(trials).not.toContainText('opening hours');
  await page.getByRole('button', { name: 'All' }).click();
  await page.getByRole('link', { name: 'Open trace' }).click();
  await expect(page).toHaveURL(/#\/traces\/c{32}/);
  await expect(page.getByText('Until six').first()).toBeVisible();

  await page.goto(`${cloud.url}/#/evals`);
  await page.goto(`${cloud.url}/#/evals/nobody`);
  await expect(page.getByRole('heading', { name: 'Eval run not found' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toContainText('nightly');
  expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
});

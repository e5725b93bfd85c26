/** From an empty gateway and the sessions that coding agents keep on the machine to the trace of a prompt, and what an agent adds meanwhile. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { HistoryFolders } from '../server/fixtures/imported-history.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { hostileTexts } from './hostile-texts.ts';
import { test } from './journey.ts';
import { expectReadableAtAnyWidth } from './screen-checks.ts';
import { forbiddenElements, watchForHarm } from './watch-harm.ts';

const folders = new HistoryFolders();
let home: string;
let gateway: TestGateway;
test.beforeEach(async () => {
  home = folders.home();
  gateway = await startTestGateway({ homeDir: home, environment: {} });
});
test.afterEach(() => gateway.stop());
test.afterAll(() => folders.remove());

const sessionId = '0b0b0b0b-2222-4222-8222-000000000009';
const sessionFile = () => join(home, '.claude/projects/-home-ada-ferries', `${sessionId}.jsonl`);

/** A prompt and its answer. */
function aTurn(number: number, prompt: string, answer: string): string {
  const line = (uuid: string, parentUuid: string | null, more: object) =>
    `${JSON.stringify({ uuid, parentUuid, sessionId, version: '2.1.0', timestamp: new Date(Date.now() - 1000 + number).toISOString(), ...more })}\n`;
  const message = { model: 'claude-opus-5-5', content: [{ type: 'text', text: answer }], usage: { input_tokens: 10, output_tokens: 5 } };
  return (
    line(`u${number}`, number === 1 ? null : `a${number - 1}`, { type: 'user', message: { role: 'user', content: prompt } }) +
    line(`a${number}`, `u${number}`, { type: 'assistant', requestId: `r${number}`, message })
  );
}

test('the first page offers the history, shows it when asked, and follows it', async ({ page }) => {
  await page.goto(gateway.url);
  const panel = page.getByRole('region', { name: 'History of coding agents' });
  await expect(panel.getByRole('heading')).toHaveText('4 coding agents found on this machine');
  await expect(panel.getByRole('listitem')).toHaveText([
    /Claude Code5 sessions/,
    /Codex6 sessions/,
    /Gemini CLI5 sessions/,
    /pi5 sessions/,
  ]);
  for (const box of await panel.getByRole('checkbox').all()) await expect(box).not.toBeChecked();
  await expectReadableAtAnyWidth(page);

  await panel.getByRole('button', { name: 'Show their history' }).click();
  await expect(page.getByText('42 traces', { exact: true })).toBeVisible();

  writeFileSync(sessionFile(), aTurn(1, 'Which ferry is the last one?', 'The one at ten.'));
  // A row never moves one under the pointer: it may wait at the top.
  const newer = page.getByRole('button', { name: /new trace/ });
  const row = page.getByRole('row', { name: /Which ferry is the last one/ });
  await expect(newer.or(row).first()).toBeVisible();
  if (await newer.isVisible()) await newer.click();
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/peek=[0-9a-f]{32}/);
  await expect(page.getByText('The one at ten.').first()).toBeVisible();

  appendFileSync(sessionFile(), aTurn(2, 'And on Sundays?', 'There is none.'));
  await page.goto(`${gateway.url}/#/sessions/${sessionId}`);
  await expect(page.getByText('There is none.').first()).toBeVisible();

  await page.goto(`${gateway.url}/#/setup`);
  await expect(panel.getByText('Up to date, 15 traces')).toBeVisible();
  await expectReadableAtAnyWidth(page);
  await panel.getByRole('checkbox', { name: 'Show the history of Claude Code' }).click();
  await expect(panel.getByText('Off; 15 traces kept')).toBeVisible();
});

test('a page with traces has one line about it, which can be dismissed, and a folder that cannot be read is named', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  await page.goto(`${gateway.url}/#/traces`);
  const line = page.getByRole('complementary', { name: 'History of coding agents' });
  await expect(line).toContainText('4 coding agents found on this machine: Claude Code, Codex, Gemini CLI and pi');
  await expectReadableAtAnyWidth(page);
  await line.getByRole('button', { name: 'Dismiss' }).click();
  await expect(line).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('1 trace', { exact: true })).toBeVisible();
  await expect(line).toHaveCount(0);

  const sessions = join(home, '.codex/sessions');
  rmSync(sessions, { recursive: true });
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(sessions, 'no folder');
  await gateway.client.agentHistories.show({ body: { agents: ['codex'], is_shown: true } });
  await expect.poll(async () => (await gateway.client.agentHistories.list()).data.some(({ problem }) => problem !== null)).toBe(true);
  await page.reload();
  await expect(line).toContainText('cannot be read (ENOTDIR)');
  await expectReadableAtAnyWidth(page);
});

test('the texts of sessions and the names of files are shown as text', async ({ page }) => {
  const findings = await watchForHarm(page, gateway.url);
  const hostile = hostileTexts.slice(0, 60).join('\n');
  writeFileSync(sessionFile(), aTurn(1, `Plainly ${hostile}`, hostile));
  const name = 'rollout-<img src=x onerror=pwned(1)>-01a2225c-0000-7000-8000-000000000000.jsonl.zst';
  writeFileSync(join(home, '.codex/sessions', name), 'no zstd');
  await gateway.client.agentHistories.show({ body: { agents: ['claude-code', 'codex'], is_shown: true } });
  await page.goto(`${gateway.url}/#/setup`);
  await expect(page.getByText('Up to date, 14 traces')).toBeVisible();
  await page.getByText('Some of it could not be read').click();
  await expect(page.getByText('<img src=x onerror=pwned(1)>')).toBeVisible();
  await expectReadableAtAnyWidth(page);
  expect(await forbiddenElements(page, gateway.url)).toEqual([]);
  await page.goto(`${gateway.url}/#/sessions/${sessionId}`);
  await expect(page.getByText('Plainly').first()).toBeVisible();
  expect(await forbiddenElements(page, gateway.url)).toEqual([]);
  expect(findings).toEqual({ ran: [], requests: [], navigations: [], refusals: [], windows: [] });
});

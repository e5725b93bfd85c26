/** Tasks with many traces: comparing, searching, filtering, sessions, experiments, prompts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detailOf, expect, openList, rowsOf, search, type Task, traceRows } from './task.ts';
import { kettleQuestion, kettleSession, systemPromptLength } from './task-data.ts';

export const twoRuns: Task = {
  title: 'compare two runs',
  before: 'IMPOSSIBLE',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await search(hands, 'name = "Refund: grinder after 46 days"', 'Refund: grinder after 46 days');
    await expect(traceRows(page)).toHaveCount(2);
    await hands.press('Escape', 'j', 'x', 'j', 'x', 'c');
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(/diverge at step \d+/);
    await expect(page.getByRole('table', { name: 'Steps of both runs' })).toBeVisible();
  },
};

export const toolWithArgument: Task = {
  title: 'tool called with an argument',
  before: 'part',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await search(hands, 'web_search sodium', 'Sodium-ion against LFP');
    await expect(traceRows(page).first().locator('mark').first()).toBeVisible();
    await hands.press('Escape', '2');
    const call = rowsOf(page, 'Spans').filter({ hasText: 'web_search' }).first();
    await expect(call).toBeVisible();
    await hands.click(call.getByRole('link').first());
    await expect(detailOf(page).getByRole('heading', { level: 2 })).toContainText('web_search');
    await expect(
      detailOf(page)
        .getByText(/sodium-ion/i)
        .first(),
    ).toBeVisible();
  },
};

export const filterAndShare: Task = {
  title: 'model + cost + metadata, save, share',
  before: 'filter done, save form not sent',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await search(hands, 'model = "claude-sonnet-4-5" cost > 0.01 metadata.glasshouse_demo exists', 'research-crew');
    const count = await page.getByText(/ of .+ · found in /).innerText();
    await hands.click(page.getByRole('button', { name: 'Views' }));
    await hands.fill(page.getByLabel('Save current view as'), 'dear demo runs');
    await hands.press('Enter');
    await expect(page.getByRole('button', { name: 'dear demo runs' }).first()).toBeVisible();
    // Somebody else opens the address.
    const other = await (await page.context().browser()?.newContext())?.newPage();
    if (!other) throw new Error('no second browser');
    await other.goto(page.url());
    await expect(other.getByText(count.split(' · ')[0] ?? count)).toBeVisible();
    await other.context().close();
  },
};

export const wholeSession: Task = {
  title: 'session across traces',
  before: 'WRONG',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await hands.press('g s');
    await hands.click(
      page
        .getByRole('row', { name: new RegExp(kettleSession) })
        .getByRole('link')
        .first(),
    );
    const turn = (number: number) => page.getByRole('region', { name: new RegExp(`^Turn ${number}: `) });
    for (const number of [1, 2]) await expect(turn(number).getByText(kettleQuestion)).toBeVisible();
    await expect(turn(2)).toContainText('Same question as turn 1');
    await expect(turn(1)).toContainText(`System prompt, ${String(systemPromptLength / 1000)}\u202f000 characters`);
  },
};

export const againstBaseline: Task = {
  title: 'experiment against its baseline',
  before: 'inspected only',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await hands.press('g e');
    for (const run of ['refund-decision v3', 'refund-decision v4']) await hands.click(page.getByRole('button', { name: `Compare ${run}` }));
    await hands.press('c');
    const runs = page.getByRole('region', { name: 'Runs' });
    await expect(runs.getByRole('row', { name: /refund-decision v3.*Baseline/ })).toBeVisible();
    await expect(page.getByText(/\d+ improved/).first()).toBeVisible();
    await hands.click(
      page
        .getByRole('table', { name: /regressions first/ })
        .getByRole('link')
        .first(),
    );
    await expect(page.getByRole('region', { name: 'Item', exact: true })).toBeVisible();
  },
};

export const editedPrompt: Task = {
  title: 'prompt edited on disk',
  before: 'part',
  run: async (hands, place) => {
    const { page } = hands;
    const file = join(place.projectFolder, 'agentmark/summary.prompt.mdx');
    const line = 'Name the page of the document in each answer.';
    await openList(hands, place);
    await hands.press('g p');
    await hands.click(page.getByRole('link', { name: /^summary/ }));
    const system = page.getByRole('article').filter({ hasText: 'System' });
    await expect(system).toContainText('Answer from the documents only.');
    writeFileSync(file, readFileSync(file, 'utf8').replace('documents only.', `documents only. ${line}`));
    await expect(system).toContainText(line);
  },
};

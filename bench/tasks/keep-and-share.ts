/** Tasks after the reading: datasets and scores, keys alone, files and deletion, and a coding agent that reads the same. */
import { startCli } from '../../server/fixtures/cli-process.ts';
import { askByTools } from '../questions/askers.ts';
import { detailOf, expect, openFound, openList, type Place, search, type Task } from './task.ts';

export const datasetAndScore: Task = {
  title: 'a span into a dataset, and a score',
  before: 'score done, dataset clumsy',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await openFound(hands, '"Storage tender in Port Aurelia"', 'Storage tender in Port Aurelia');
    await hands.press('e', 'd');
    const add = page.getByRole('dialog', { name: 'Add this span to a dataset' });
    await expect(add.getByLabel('Input')).toHaveValue(/\S/);
    await hands.click(add.getByRole('button', { name: 'Add row' }));
    await expect(add.getByRole('status')).toContainText(/Row added to /);
    await hands.press('Escape', 'v');
    const score = page.getByRole('dialog', { name: 'Score this span' });
    await hands.fill(score.getByLabel('Name'), 'worth a test');
    await hands.fill(score.getByLabel('Value'), '0.8');
    await hands.click(score.getByRole('button', { name: 'Add score' }));
    await expect(score.getByRole('status')).toContainText('1 score added');
    await hands.press('Escape');
    await hands.click(detailOf(page).getByRole('tab', { name: /^Scores/ }));
    await expect(detailOf(page).getByText('worth a test').first()).toBeVisible();
  },
};

export const keysAlone: Task = {
  title: 'keyboard only',
  before: 'very good; acts missing in the palette',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await hands.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Open the row');
    await hands.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toHaveCount(0);
    await search(hands, 'status = ERROR', 'Insurance of grid');
    await hands.press('Escape', 'j', 'Enter');
    await expect(page).toHaveURL(/peek=/);
    await expect(page.getByRole('treeitem').first()).toBeVisible();
    await hands.press('e');
    await expect(page.getByRole('treeitem', { selected: true })).toBeVisible();
    await hands.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await expect(palette).toBeVisible();
    for (const act of ['score', 'dataset', 'export']) {
      await page.getByRole('combobox').fill(act);
      await expect(
        palette
          .getByRole('option')
          .filter({ hasText: new RegExp(act, 'i') })
          .first(),
      ).toBeVisible();
    }
    await page.getByRole('combobox').fill('');
    await hands.type('to a dataset');
    await hands.press('Enter');
    await expect(page.getByRole('dialog', { name: /to a dataset$/ }).getByLabel('Input')).toHaveValue(/\S/);
    if (hands.effort().clicks > 0) throw new Error('a click was needed');
  },
};

export const keepAndDelete: Task = {
  title: 'archive, delete, retention',
  before: 'delete impossible',
  run: async (hands, place) => {
    const { page } = hands;
    await openList(hands, place);
    await openFound(hands, '"Storage tender in Port Aurelia"', 'Storage tender in Port Aurelia');
    const traceId = /(?:peek=|traces\/)([0-9a-f]{32})/.exec(page.url())?.[1];
    await hands.click(page.getByRole('button', { name: 'Export trace' }));
    const download = page.waitForEvent('download');
    await hands.click(page.getByRole('menuitem', { name: /^Trace archive/ }));
    if (!(await download).suggestedFilename().endsWith('.capsule')) throw new Error('no archive was saved');
    await hands.press('Delete');
    await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Delete 1 trace' }));
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(async () => (await place.client.get(`/v1/traces/${traceId}`)).status).toBe(404);
    await setRetention(hands);
  },
};

async function setRetention(hands: Parameters<Task['run']>[0]): Promise<void> {
  const { page } = hands;
  await hands.click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Storage' }));
  const form = page.getByRole('form', { name: 'Retention' });
  await hands.fill(form.getByLabel('Days'), '365');
  await hands.click(form.getByRole('button', { name: 'Save' }));
  const confirmation = page.getByRole('dialog', { name: 'Remove older traces?' });
  await expect(confirmation.or(form.getByRole('button', { name: 'Reset' })).first()).toBeVisible();
  if (await confirmation.isVisible()) await hands.click(confirmation.getByRole('button', { name: 'Remove older traces' }));
  await expect(form.getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await expect(form.getByLabel('Days')).toHaveValue('365');
}

async function glasshouse({ url }: Place, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await startCli([...args, '--url', url]).ended;
  if (code !== 0) throw new Error(`glasshouse ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

export const codingAgent: Task = {
  title: 'a coding agent reads traces',
  before: 'NO MCP',
  run: async (hands, place) => {
    const { agentTrace } = place.seeded;
    hands.begin();
    const tools = await askByTools(place.url);
    const list = await tools.ask('find_traces', { filter: 'name = "Sodium-ion against LFP"', limit: 3 });
    const shown = await tools.ask('show_trace', { trace_id: agentTrace, errors_only: true });
    await tools.close();
    const byShell = await glasshouse(place, 'traces', 'sodium-ion', '--limit', '10');
    const tree = await glasshouse(place, 'show', agentTrace);
    hands.end();
    for (const [what, text] of Object.entries({ find_traces: list, 'glasshouse traces': byShell }))
      if (!text.includes(agentTrace)) throw new Error(`${what} did not name the trace`);
    for (const [what, text] of Object.entries({ show_trace: shown, 'glasshouse show': tree }))
      if (!text.includes('429 Too Many Requests')) throw new Error(`${what} did not give the error`);
    await hands.page.setContent(`<pre style="color: white; font: 13px monospace; white-space: pre-wrap"></pre>`);
    const text = `$ mcp find_traces\n${list}\n\n$ mcp show_trace errors_only\n${shown}\n\n$ glasshouse traces sodium-ion --limit 10\n${byShell}\n\n$ glasshouse show ${agentTrace}\n${tree}`;
    await hands.page.locator('pre').evaluate((element, value) => {
      element.textContent = value;
    }, text);
  },
};

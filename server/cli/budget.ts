/** `glasshouse budget`: fails a command when more than a budget was spent. */
import { resolve } from 'node:path';
import type { Client } from '../../shared/client.ts';
import { type BudgetDraft, type BudgetPeriod, budgetPeriods } from '../../shared/contract/viewer/budget-shape.ts';
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import { ownZone } from '../../shared/own-zone.ts';
import { budgetName, budgetText } from '../../shared/words/budget-words.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, exitCode, textOf, usage, type Values } from './command.ts';
import { requireGateway, withCommandErrors } from './local-gateway.ts';
import { printable } from './terminal.ts';

export const budget: Command = {
  summary: 'fail when more than a budget was spent',
  help: `glasshouse budget [--max N/day|N/week|N/5h] [--project DIR] [--keep] [--remove] [--json] [--url URL]

Says what was spent of a budget in US dollars, and fails when it was more. Without --max it judges the budgets that are kept, which
also warn in the viewer and on the desktop. Put it before an agent: glasshouse budget --max 20/day && claude

  --max N/P      20/day: since midnight. 100/week: in the last seven days. 10/5h: in the current five-hour window
  --project DIR  only what was spent in this folder and the folders in it
  --keep         keep the budget, in place of one for the same period and project
  --remove       remove the kept budget of this period and project
  --json         what the API answers, as one JSON document
${addressHelp}

0: nothing is over. 1: a budget is over. 2: invalid usage. 3: no gateway answers.
`,
  options: {
    ...addressOptions,
    max: { type: 'string' },
    project: { type: 'string' },
    keep: { type: 'boolean' },
    remove: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  execute: async (values) => {
    const draft = draftOf(values);
    const { client } = await requireGateway(values);
    if (draft && values['remove']) return withCommandErrors(remove(client, draft));
    const budgets = await withCommandErrors(judge(client, draft, values));
    process.stdout.write(values['json'] ? `${JSON.stringify(budgets)}\n` : textFor(budgets));
    return budgets.some(({ state }) => state === 'over') ? exitCode.failed : exitCode.ok;
  },
};

function draftOf(values: Values): BudgetDraft | null {
  const [max, project] = [textOf(values, 'max'), textOf(values, 'project')];
  if (max === undefined) {
    if (project !== undefined || values['keep'] || values['remove']) return usage('Say which budget: --max 20/day, N/week or N/5h');
    return null;
  }
  if (values['keep'] && values['remove']) return usage('--keep and --remove exclude each other');
  const [, dollars = '', unit = ''] = /^\$?(\d+(?:\.\d+)?)\/(\w+)$/.exec(max) ?? [];
  const period = budgetPeriods.find((name): name is BudgetPeriod => name === unit);
  if (!period || !(Number(dollars) > 0)) return usage('--max must be an amount and a period: 20/day, 100/week or 10/5h');
  return { period, max: Number(dollars), folder: project === undefined ? null : resolve(project) };
}

async function judge(client: Client, draft: BudgetDraft | null, values: Values): Promise<Budget[]> {
  const time_zone = ownZone();
  if (draft && values['keep']) {
    const { others } = await keptBudgets(client, draft);
    await client.spending.setBudgets({ body: { budgets: [...others, draft] } });
  }
  if (!draft) return (await client.spending.budgets({ query: { time_zone } })).data;
  const { period, max, folder } = draft;
  return (await client.spending.budgets({ query: { period, max: String(max), ...(folder === null ? {} : { folder }), time_zone } })).data;
}

/** @returns those for another period or folder than the draft, and the one for the same */
async function keptBudgets(client: Client, draft: BudgetDraft): Promise<{ others: BudgetDraft[]; same: BudgetDraft | undefined }> {
  const kept = (await client.spending.budgets({ query: {} })).data.map(({ period, max, folder }) => ({ period, max, folder }));
  const isSame = ({ period, folder }: BudgetDraft) => period === draft.period && folder === draft.folder;
  return { others: kept.filter((budget) => !isSame(budget)), same: kept.find(isSame) };
}

async function remove(client: Client, draft: BudgetDraft): Promise<number> {
  const { others, same } = await keptBudgets(client, draft);
  if (!same) {
    process.stderr.write(`No budget is kept for ${printable(budgetName(draft).replace(/^\$[\d.]+ /, ''))}.\n`);
    return exitCode.failed;
  }
  await client.spending.setBudgets({ body: { budgets: others } });
  process.stdout.write(`Removed the budget of ${printable(budgetName(same))}.\n`);
  return exitCode.ok;
}

const textFor = (budgets: readonly Budget[]): string =>
  budgets.length === 0 ? 'No budget is kept.\n' : budgets.map((each) => `${printable(budgetText(each))}\n`).join('');

/** `npm run cloud:plan`: shows or changes the plan of a team, while the gateway runs or not. */
import { existsSync } from 'node:fs';
import type { Actor } from '../control/actor.ts';
import { controlFile } from '../control/drizzle/store.ts';
import { isPlan, type Plan, plans, type Tenant, type TenantStore } from '../control/tenant-store.ts';
import { defaultPlan, type PlanTable, standardPlans } from '../limits/plan-table.ts';
import { systemClock } from '../platform/clock.ts';
import { readPlans } from './cloud-settings.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { openControlBeside } from './control-beside.ts';

const name = 'npm run cloud:plan --';
const by: Actor = { kind: 'system', id: 'plan', ip: null };
const namedMax = 20;

const lineOf = ({ name: called, plan: current }: Tenant): string => `${called}: ${current}\n`;

const said = readCommandLine({
  name,
  about:
    'Gives a team another plan, also while the gateway runs: it holds from the next request on. Without --plan it prints which plan the\n' +
    'team has and what each plan allows; without --tenant, the plans of all teams. GLASSHOUSE_PLANS is read as the gateway reads it.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    tenant: { value: 'T', help: 'the team, by its name or its id' },
    plan: { value: 'PLAN', help: `what it may use from now on: ${plans.join(', ')}` },
  },
});

const { data: dataDir, tenant, plan: named } = said;
if (!dataDir) quit(`The data folder is needed: ${name} --data DIR --tenant T [--plan PLAN]`);
if (named !== undefined && tenant === undefined) quit(`Which team is to have the plan ${named}? Name it with --tenant.`);
const plan = named === undefined || isPlan(named) ? named : quit(`There is no plan ${named}: choose ${plans.join(', ')}.`);
if (!existsSync(controlFile(dataDir))) quit(`There is no gateway's store in ${dataDir}`);
const file = process.env['GLASSHOUSE_PLANS'];
const table = file ? orQuit(() => readPlans(file)) : standardPlans;

process.stdout.write(await onFolder(dataDir, () => answerOf(dataDir)));

async function answerOf(folder: string): Promise<string> {
  const control = await openControlBeside(folder, systemClock);
  try {
    const all = await control.tenants.list();
    if (tenant === undefined) return `${all.map(lineOf).join('')}\n${tableOf(table)}`;
    const found = all.find(({ id, name: called }) => called === tenant || id === tenant) ?? unknown(tenant, all);
    return plan === undefined ? `${lineOf(found)}\n${tableOf(table)}` : await changed(control.tenants, found, plan);
  } finally {
    await control.stop();
  }
}

async function changed(tenants: TenantStore, { id, name: called, plan: before }: Tenant, after: Plan): Promise<string> {
  if (before === after) return `${called} has the plan ${after} already.\n`;
  await tenants.setPlan(by, id, after);
  return `${called} has the plan ${after} now, and had ${before}. A gateway that runs follows with the next request.\n`;
}

function unknown(asked: string, all: readonly Tenant[]): never {
  const named = all.slice(0, namedMax).map(({ name: called }) => called);
  const more = all.length > namedMax ? ` and ${all.length - namedMax} more` : '';
  return quit(`There is no team ${asked}. ${all.length === 0 ? 'There is none yet.' : `There are: ${named.join(', ')}${more}.`}`);
}

/** A column for each plan, a line for each limit. */
function tableOf(allowed: PlanTable): string {
  const limits = Object.keys(allowed.free) as (keyof PlanTable['free'])[];
  const heads = ['', ...plans.map((each) => (each === defaultPlan ? `${each} (default)` : each))];
  const rows = [heads, ...limits.map((limit) => [limit, ...plans.map((each) => wordOf(allowed[each][limit]))])];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function wordOf(limit: number | boolean | null): string {
  if (limit === null) return 'no limit';
  return typeof limit === 'boolean' ? (limit ? 'yes' : 'no') : String(limit);
}

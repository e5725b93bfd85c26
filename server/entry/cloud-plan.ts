/** `npm run cloud:plan`: shows or changes the plan of a team, while the gateway runs or not. */
import type { Actor } from '../control/actor.ts';
import { isPlan, type Plan, plans, type Tenant, type TenantStore } from '../control/tenant-store.ts';
import { defaultPlan, type PlanTable, standardPlans } from '../limits/plan-table.ts';
import { systemClock } from '../platform/clock.ts';
import { readPlans } from './cloud-settings.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { hasControl, openControlBeside } from './open-control.ts';
import { readPostgresAddress } from './postgres-address.ts';

const name = 'npm run cloud:plan --';
const by: Actor = { kind: 'system', id: 'plan', ip: null };
const namedMax = 20;

const lineOf = ({ name: teamName, plan: current }: Tenant): string => `${teamName}: ${current}\n`;

const options = readCommandLine({
  name,
  about:
    'Changes the plan of a team, also while the gateway runs: it takes effect with the next request. Without --plan it prints the plan of\n' +
    'the team and the limits of each plan; without --tenant, the plans of all teams. It reads GLASSHOUSE_PLANS like the gateway.',
  options: {
    data: { value: 'DIR', help: 'the data folder of the cloud gateway', isNeeded: true },
    tenant: { value: 'T', help: 'name or id of the team' },
    plan: { value: 'PLAN', help: `the new plan: ${plans.join(', ')}` },
  },
});

const { data: dataDir, tenant, plan: named } = options;
if (!dataDir) quit(`The data folder is needed: ${name} --data DIR --tenant T [--plan PLAN]`);
if (named !== undefined && tenant === undefined) quit(`Which team should get the plan ${named}? Name it with --tenant.`);
const plan = named === undefined || isPlan(named) ? named : quit(`There is no plan ${named}: choose ${plans.join(', ')}.`);
const place = orQuit(() => readPostgresAddress(process.env));
if (!hasControl(dataDir, place)) quit(`There is no gateway's store in ${dataDir}`);
const file = process.env['GLASSHOUSE_PLANS'];
const table = file ? orQuit(() => readPlans(file)) : standardPlans;

process.stdout.write(await onFolder(dataDir, () => run(dataDir)));

async function run(folder: string): Promise<string> {
  const control = await openControlBeside(folder, place, systemClock);
  try {
    const all = await control.tenants.list();
    if (tenant === undefined) return `${all.map(lineOf).join('')}\n${tableOf(table)}`;
    const found = all.find(({ id, name: teamName }) => teamName === tenant || id === tenant) ?? unknown(tenant, all);
    return plan === undefined ? `${lineOf(found)}\n${tableOf(table)}` : await changePlan(control.tenants, found, plan);
  } finally {
    await control.stop();
  }
}

async function changePlan(tenants: TenantStore, { id, name: teamName, plan: before }: Tenant, after: Plan): Promise<string> {
  if (before === after) return `${teamName} has the plan ${after} already.\n`;
  await tenants.setPlan(by, id, after);
  return `${teamName} has the plan ${after} now, and had ${before}. A running gateway applies it with the next request.\n`;
}

function unknown(requested: string, all: readonly Tenant[]): never {
  const named = all.slice(0, namedMax).map(({ name: teamName }) => teamName);
  const more = all.length > namedMax ? ` and ${all.length - namedMax} more` : '';
  return quit(`There is no team ${requested}. ${all.length === 0 ? 'There is none yet.' : `There are: ${named.join(', ')}${more}.`}`);
}

/** A column for each plan, a line for each limit. */
function tableOf(allowed: PlanTable): string {
  const limits = Object.keys(allowed.free) as (keyof PlanTable['free'])[];
  const heads = ['', ...plans.map((candidate) => (candidate === defaultPlan ? `${candidate} (default)` : candidate))];
  const rows = [heads, ...limits.map((limit) => [limit, ...plans.map((candidate) => wordOf(allowed[candidate][limit]))])];
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

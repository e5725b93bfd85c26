/** `glasshouse spending`: what model calls cost, as a table. */
import type { Spending, SpendingSums, SpendingWindow } from '../../shared/contract/viewer/spending.ts';
import { ownZone } from '../../shared/own-zone.ts';
import { count, many, money, percent } from '../reports/figures.ts';
import { ReportRefusal, startOf } from '../reports/report.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, exitCode, textOf, usage } from './command.ts';
import { requireGateway, withCommandErrors } from './local-gateway.ts';
import { printable } from './terminal.ts';

const breakdowns = ['project', 'day', 'model', 'agent', 'prompt'] as const;
type Breakdown = (typeof breakdowns)[number];

export const spending: Command = {
  summary: 'sum up spending by project, day, model or agent',
  help: `glasshouse spending [--by project] [--since 30d] [--json] [--url URL]

Sums up what model calls cost, by project folder, day, model or agent, or lists the ten most expensive prompts. Also prints the
current five-hour window and the last seven days of each agent. Calls whose model has no price are counted, and named as such.

  --by B         project, day, model, agent or prompt (project)
  --since T      15m, 24h, 7d, or an ISO time, at most 400 days ago (30d)
  --json         what the API answers, as one JSON document
${addressHelp}

0: printed. 1: refused. 3: no gateway answers.
`,
  options: {
    ...addressOptions,
    by: { type: 'string', default: 'project' },
    since: { type: 'string', default: '30d' },
    json: { type: 'boolean' },
  },
  execute: async (values) => {
    const by = breakdowns.find((name) => name === values['by']) ?? usage(`--by must be ${breakdowns.join(', ')}`);
    const from = sinceOf(textOf(values, 'since') ?? '30d');
    const { client, url } = await requireGateway(values);
    const query = { from: new Date(from).toISOString(), time_zone: ownZone() };
    const { data } = await withCommandErrors(client.spending.get({ query }));
    process.stdout.write(values['json'] ? `${JSON.stringify(data)}\n` : spendingText(data, by, url));
    return exitCode.ok;
  },
};

function sinceOf(text: string): number {
  try {
    return startOf(text, Date.now()) ?? usage('--since must be 15m, 24h, 7d or an ISO time');
  } catch (error) {
    if (error instanceof ReportRefusal) return usage(printable(error.message));
    throw error;
  }
}

/** Recorded names may hold what a terminal would execute. */
function spendingText(data: Spending, by: Breakdown, url: string): string {
  const rows = rowsOf(data, by, url).map(([name, sums]) => [printable(name, nameMax), sums] as const);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = rows.map(([name, sums]) => `${name.padEnd(width)}  ${figures(sums, data.total.cost)}`);
  const windows = data.windows.flatMap(({ agent, five_hours, week }) => [
    `${printable(agent || 'no service', nameMax)}: ${five_hours ? `${money(five_hours.cost)} in the five hours until ${clock(five_hours)}, ` : ''}${money(week.cost)} in the last seven days`,
  ]);
  const left = data.left_out > 0 ? [`${count(data.left_out)} more projects, models and agents are only in the total.`] : [];
  return [
    `Since ${data.from.slice(0, 16).replace('T', ' ')} UTC: ${totalText(data.total)}`,
    '',
    ...lines,
    ...left,
    '',
    ...windows,
    '',
  ].join('\n');
}

const nameMax = 100;
const clock = ({ to }: SpendingWindow): string => new Date(to).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

function totalText(total: SpendingSums): string {
  const parts = [
    money(total.cost),
    many(total.calls, 'model call'),
    `${count(total.input_tokens)}→${count(total.output_tokens)} tokens`,
    `${percent(total.cache_read_tokens, total.input_tokens)} of the input read from a cache`,
    total.cache_savings < 0 ? `caches cost ${money(-total.cache_savings)}` : `caches saved ${money(total.cache_savings)}`,
  ];
  if (total.unpriced_calls > 0) parts.push(`${many(total.unpriced_calls, 'call')} without a price, not in the cost`);
  return `${parts.join(' · ')}.`;
}

function rowsOf({ projects, days, models, agents, prompts }: Spending, by: Breakdown, url: string): [string, SpendingSums][] {
  switch (by) {
    case 'project':
      return projects.map((row) => [row.folder ?? 'folder not recorded', row]);
    case 'day':
      return days.map((row) => [row.day, row]);
    case 'model':
      return models.map((row) => [row.model || 'no model', row]);
    case 'agent':
      return agents.map((row) => [row.agent || 'no service', row]);
    case 'prompt':
      return prompts.map((row) => [`${url}/#/traces/${row.trace_id}`, row]);
  }
}

const figures = (sums: SpendingSums, whole: number): string =>
  [
    `${money(sums.cost).padStart(9)}  ${percent(sums.cost, whole).padStart(7)}`,
    many(sums.calls, 'call'),
    `${count(sums.input_tokens)}→${count(sums.output_tokens)} tokens`,
    ...(sums.unpriced_calls > 0 ? [`${count(sums.unpriced_calls)} without a price`] : []),
  ].join('  ');

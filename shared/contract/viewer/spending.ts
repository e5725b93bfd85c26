/** What model calls cost, by project folder, day, model and agent, and budgets. Local gateways only. */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { dateTime } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { spendingDaysMax } from './budget-shape.ts';
import { budgetList, budgetQuestion, judgedBudget, timeZone } from './budgets.ts';

const moment = z.iso.datetime();
const folder = z
  .string()
  .nullable()
  .meta({ description: 'Folder of the project, `metadata.folder` of the trace; null where it is not recorded.' });

const sums = {
  cost: z.number().meta({ description: 'US dollars, without the calls of `unpriced_calls`.' }),
  calls: z.int(),
  unpriced_calls: z.int().meta({ description: 'Calls that used tokens and whose cost is not known.' }),
  input_tokens: z.int().meta({ description: 'With those that were read from or written to a cache.' }),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  cache_savings: z.number().meta({
    description:
      'What the same tokens would have cost more without a cache, by the price list: reads are cheaper than other input, and writes dearer, so that it can be below 0.',
  }),
};
const spendingSums = z.object(sums).meta({ id: 'SpendingSums', description: 'Of model calls that started in a range of time.' });
export type SpendingSums = z.output<typeof spendingSums>;

const window = z.object({ from: moment, to: moment, ...sums });
export type SpendingWindow = z.output<typeof window>;

const agentWindows = z
  .object({
    agent: z.string(),
    five_hours: window.nullable().meta({
      description: 'The current window: five hours from the full hour before its first call. Null when the last one is over.',
    }),
    highest: window.meta({ description: 'The most expensive five-hour window of the last 14 days, including this one.' }),
    week: window.meta({ description: 'The seven days until now.' }),
  })
  .meta({ id: 'AgentWindows', description: 'As the plans of coding agents count.' });
export type AgentWindows = z.output<typeof agentWindows>;

const costlyPrompt = z
  .object({
    trace_id: z.string(),
    text: z.string().meta({ description: 'How the input of the trace begins.' }),
    name: z.string(),
    folder,
    agent: z.string(),
    at: moment,
    ...sums,
  })
  .meta({ id: 'CostlyPrompt', description: 'A trace by what its calls in the range cost.' });
export type CostlyPrompt = z.output<typeof costlyPrompt>;

const spendingOf = z
  .object({
    from: moment,
    to: moment,
    time_zone: z.string(),
    total: spendingSums,
    projects: z.array(z.object({ folder, ...sums })).meta({ description: 'Most expensive first, like models and agents.' }),
    days: z.array(z.object({ day: z.iso.date(), ...sums })).meta({ description: 'Days of the time zone with calls, oldest first.' }),
    models: z.array(z.object({ model: z.string(), ...sums })).meta({ description: '`` for calls that name no model.' }),
    agents: z.array(z.object({ agent: z.string(), ...sums })).meta({
      description: 'By `service.name`; Codex has one name for all its programs. `` for calls that name no service.',
    }),
    left_out: z.int().meta({ description: 'Projects, models and agents that are only in the total: each list has at most 200.' }),
    windows: z.array(agentWindows).meta({ description: 'Until now, whatever the range is. Agents of the last seven days.' }),
    prompts: z.array(costlyPrompt).meta({ description: 'The ten that cost most.' }),
  })
  .meta({ id: 'Spending', description: 'What model calls cost that started in a range of time.' });
export type Spending = z.output<typeof spendingOf>;

const dayMs = 86_400_000;

const range = z
  .object({ from: dateTime.optional(), to: dateTime.optional(), time_zone: timeZone })
  .refine(({ from, to }) => !from || !to || Date.parse(from) < Date.parse(to), { error: 'must be after from', path: ['to'] })
  .refine(({ from, to }) => !from || Date.parse(to ?? new Date().toISOString()) - Date.parse(from) <= spendingDaysMax * dayMs, {
    error: `must not be more than ${spendingDaysMax} days before the end`,
    path: ['from'],
  });

const declare = { tag: 'viewer', only: 'local', touches: ['telemetry'] } as const;

export const spending = {
  get: route({
    ...declare,
    id: 'viewer-spending',
    method: 'GET',
    path: '/v1/viewer/spending',
    summary: 'Sum up what model calls cost, by project folder, day, model and agent; the last 30 days by default',
    permission: 'trace.read',
    query: range,
    reply: one(spendingOf),
    errors: [],
  }),
  budgets: route({
    ...declare,
    id: 'viewer-budgets',
    method: 'GET',
    path: '/v1/viewer/budgets',
    summary: 'List the budgets and what was spent of each; with `period` and `max`, judge that budget instead',
    permission: 'trace.read',
    query: budgetQuestion,
    reply: all(judgedBudget),
    errors: [],
  }),
  setBudgets: route({
    ...declare,
    id: 'viewer-budgets-set',
    method: 'PUT',
    path: '/v1/viewer/budgets',
    summary: 'Replace all budgets',
    permission: 'trace.write',
    body: budgetList,
    reply: all(judgedBudget),
    // They are in a file beside the store.
    touches: [],
    errors: ['storage_unavailable'],
  }),
};

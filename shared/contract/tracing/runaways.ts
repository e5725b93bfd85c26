/** Runs that keep going without making progress, and when a run counts as one (docs/runaways.md). */
import { z } from 'zod';
import { all, one } from '../core/envelope.ts';
import { idList, limit, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { runawayRules, runawayThresholds } from './runaway-rules.ts';

const rule = z.enum(runawayRules).meta({ id: 'RunawayRule', description: 'The sign by which a run was found.' });

export const runaway = z
  .object({
    trace_id: z.string(),
    trace_name: z.string(),
    service: z.string().meta({ description: 'The service of its latest step; `` where none is named.' }),
    rule,
    subject: z.string().meta({ description: 'The tool or model that it is about; `` where it is about the whole run.' }),
    value: z.number().meta({ description: 'What was measured, in the unit of the threshold of the rule.' }),
    cost: z.number().meta({ description: 'US dollars that the run has cost so far.' }),
    cost_per_minute: z.number().meta({ description: 'US dollars a minute over the last five minutes; 0 before the first minute is over.' }),
    found_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable().meta({ description: 'When the run ended or fell silent; null while it goes on.' }),
    run_id: z.string().nullable().meta({ description: 'The run of `glasshouse run` that the trace belongs to; null for none.' }),
  })
  .meta({ id: 'Runaway', description: 'A sign that a run keeps going without making progress.' });
export type Runaway = z.output<typeof runaway>;

const listedRunaway = runaway
  .extend({ can_stop: z.boolean().meta({ description: 'Whether its `glasshouse run` is connected and can end the program.' }) })
  .meta({ id: 'ListedRunaway', description: 'A runaway, and whether its program can be ended from here.' });
export type ListedRunaway = z.output<typeof listedRunaway>;

const serviceName = text.max(200).meta({ description: 'Name of a service; `` for spans that name none.' });

const threshold = z
  .object({
    service: serviceName,
    rule,
    threshold: z.number().nullable().meta({ description: 'Null: the rule is off for the service.' }),
  })
  .meta({ id: 'RunawayThreshold', description: 'A threshold of one service that is not the default.' });
export type RunawayThreshold = z.output<typeof threshold>;

const tracesMax = 200;

const change = z
  .strictObject({
    service: serviceName,
    rule,
    threshold: z
      .number()
      .nullable()
      .optional()
      .meta({ description: 'Null turns the rule off for the service; without it the default holds again.' }),
  })
  .refine(({ rule, threshold }) => threshold === undefined || threshold === null || isPossible(rule, threshold), {
    message: 'is outside the range of the rule',
    path: ['threshold'],
  });
export type RunawayThresholdChange = z.output<typeof change>;

function isPossible(name: (typeof runawayRules)[number], value: number): boolean {
  const { min, max } = runawayThresholds[name];
  return value >= min && value <= max;
}

const selection = z.object({
  trace_ids: idList(tracesMax, 'trace').optional(),
  running: z.enum(['true', 'false']).optional(),
  limit: limit(50, 200),
});
export type RunawayQuery = z.output<typeof selection>;

const declare = { tag: 'viewer', touches: ['telemetry'] } as const;

export const runaways = {
  list: route({
    ...declare,
    id: 'list-runaways',
    method: 'GET',
    path: '/v1/viewer/runaways',
    summary: 'List the signs of runaway runs, running ones first, then newest first',
    permission: 'trace.read',
    query: selection,
    reply: all(listedRunaway),
    errors: [],
  }),
  thresholds: route({
    ...declare,
    id: 'list-runaway-thresholds',
    method: 'GET',
    path: '/v1/viewer/runaway-thresholds',
    summary: 'List the thresholds that are not the default',
    permission: 'trace.read',
    reply: all(threshold),
    errors: [],
  }),
  setThreshold: route({
    ...declare,
    id: 'set-runaway-threshold',
    method: 'PUT',
    path: '/v1/viewer/runaway-thresholds',
    summary: 'Set the threshold of a rule for one service, turn the rule off there, or restore the default',
    permission: 'trace.write',
    body: change,
    reply: one(threshold.extend({ is_default: z.boolean() }).meta({ id: 'SetRunawayThreshold' })),
    errors: ['service_not_found'],
  }),
  stop: route({
    tag: 'viewer',
    id: 'stop-program',
    method: 'POST',
    path: '/v1/viewer/runs/:runId/stop',
    summary: 'Ask each connected `glasshouse run` of that id to end its program',
    permission: 'trace.write',
    runKeyAccess: 'nothing',
    params: z.object({ runId: text.min(1).max(200) }),
    reply: one(
      z
        .object({ programs: z.int().meta({ description: 'How many were asked; 0 when none is connected any more.' }) })
        .meta({ id: 'StoppedPrograms' }),
    ),
    status: [202],
    errors: [],
  }),
};

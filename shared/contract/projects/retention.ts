/** How long the traces of an app are kept. Additive, for teams; the store of one machine has rules of its own (../viewer/viewer-storage.ts). */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';
import { keepDaysMax } from '../viewer/viewer-storage.ts';

const days = z.int().min(1).max(keepDaysMax).meta({ description: 'Days since the start of a trace, in UTC.' });

const environmentRule = z.object({
  environment_id: z.uuid(),
  name: z.string(),
  keep_days: days.nullable().meta({ description: 'Null: the rule of the app applies.' }),
});

const appRetention = z
  .object({
    keep_days: days.nullable().meta({
      description: 'For traces of environments without a rule, and of none. Null: as long as the plan allows.',
    }),
    environments: z.array(environmentRule).meta({ description: 'All environments of the app, the default first.' }),
    plan_days: z.int().nullable().meta({ description: 'The longest that the plan keeps traces. Null: no limit.' }),
  })
  .meta({ id: 'AppRetention', description: 'How long the traces of an app are kept.' });
export type AppRetention = z.output<typeof appRetention>;

const rules = z.object({
  keep_days: days.nullable().meta({ description: 'For environments without a rule, and for traces of none. Null: no rule.' }),
  environments: z
    .array(z.object({ environment_id: z.uuid(), keep_days: days }))
    .max(1000)
    .refine((rules) => new Set(rules.map((rule) => rule.environment_id)).size === rules.length, 'must not name an environment twice')
    .meta({ description: 'Environments with a rule of their own. Those left out have none.' }),
});

export type RetentionRules = z.output<typeof rules>;

const path = '/v1/retention';
const declare = { tag: 'environments', only: 'cloud' } as const;

export const retention = {
  get: route({
    ...declare,
    id: 'get-retention',
    method: 'GET',
    path,
    summary: 'Read how long traces are kept',
    permission: 'environment.read',
    touches: ['control'],
    reply: one(appRetention),
    errors: [],
  }),
  replace: route({
    ...declare,
    id: 'replace-retention',
    method: 'PUT',
    path,
    summary: 'Set how long traces are kept. Older traces are deleted within hours, which cannot be undone',
    permission: 'trace.delete',
    touches: ['control'],
    body: rules,
    reply: one(appRetention),
    errors: ['environment_not_found', 'entitlement_required'],
  }),
  preview: route({
    ...declare,
    id: 'preview-retention',
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the traces that rules would delete now',
    permission: 'trace.delete',
    rate: 'search',
    body: rules,
    reply: one(
      z.object({
        traces: z.int().meta({ description: 'Traces that would be deleted.' }),
        spans: z.int().meta({ description: 'Spans that they have.' }),
      }),
    ),
    errors: [],
  }),
};

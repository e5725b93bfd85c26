/** Rules that fill annotation queues. Additive. */
import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const ruleFields = {
  filter: z.string().meta({ description: 'Text form, over traces. Empty: every trace.' }),
  sample_percent: z
    .number()
    .meta({ description: 'The share of the matching traces that is added. Which they are depends on their ids alone.' }),
  max_per_day: z.int().meta({ description: 'The most that the rule adds on a day in UTC.' }),
  paused: z.boolean(),
};

/** `behind`: more traces match than can be looked at, and some became too old. */
const ruleProblem = z.enum(['search_failed', 'search_incomplete', 'behind']);
export type RuleProblem = z.output<typeof ruleProblem>;

export const queueRule = z
  .object({
    id: z.uuid(),
    queue_id: z.uuid(),
    ...ruleFields,
    added: z.int().meta({ description: 'Traces that it has added.' }),
    last_added_at: z.iso.datetime().nullable(),
    active_since: z.iso.datetime().meta({
      description: 'Traces that started earlier are not looked at: the last change or resumption, or the day after the limit was reached.',
    }),
    looked_at: z.iso.datetime().nullable().meta({ description: 'When traces were last looked at, to about 5 minutes.' }),
    problem: ruleProblem.nullable().meta({ description: 'What kept the last look from finding all traces.' }),
    created_by: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'QueueRule', description: 'Which traces are added to an annotation queue by themselves.' });
export type QueueRule = z.output<typeof queueRule>;

/** How many a queue may have. */
export const rulesMax = 20;
export const rulesOfAppMax = 50;

const filterNote = { description: ruleFields.filter.description ?? '' };
const matching = {
  filter: bounded(0, 4000).meta(filterNote).default('').meta(filterNote),
  sample_percent: z.number().gt(0, 'must be greater than 0').max(100, 'must be at most 100').default(100),
};
const newRule = z.object({
  ...matching,
  max_per_day: z.int().min(1, 'must be at least 1').max(1000, 'must be at most 1000').default(100),
  paused: z.boolean().default(false),
});
/** Without defaults: what is left out would be changed by them. */
const changedRule = z.object({
  filter: newRule.shape.filter.unwrap(),
  sample_percent: newRule.shape.sample_percent.unwrap(),
  max_per_day: newRule.shape.max_per_day.unwrap(),
  paused: newRule.shape.paused.unwrap(),
});
export type QueueRuleDraft = z.output<typeof newRule>;

/** Days that a preview looks back. */
export const previewDays = 7;

const rulePreview = z.object({
  matching: z.int().meta({ description: 'Traces of the last 7 days that the filter matches.' }),
  sampled: z.int().meta({ description: 'Those of them that the rule would have added, without its limit for a day.' }),
  is_lower_bound: z.boolean().meta({ description: 'The contents of some traces could not be searched in time.' }),
  is_estimate: z.boolean().meta({ description: 'There are too many to be looked at one by one.' }),
});
export type RulePreview = z.output<typeof rulePreview>;

const path = '/v1/annotation-queues/:queueId/rules';
const params = z.object({ queueId: z.uuid() });
const ruleParams = params.extend({ ruleId: z.uuid() });
const declare = { tag: 'annotation-queues', only: 'cloud', touches: ['control'] } as const;
const noRule = 'annotation_queue_rule_not_found' as const;

export const queueRules = {
  listRules: route({
    ...declare,
    id: 'list-annotation-queue-rules',
    method: 'GET',
    path,
    summary: 'List the rules that fill a queue, oldest first',
    permission: 'annotation_queue.read',
    params,
    query: z.object(paging),
    reply: many(queueRule),
    errors: ['annotation_queue_not_found'],
  }),
  createRule: route({
    ...declare,
    id: 'create-annotation-queue-rule',
    method: 'POST',
    path,
    summary: 'Let a queue be filled with the traces that match a filter, or a share of them',
    permission: 'annotation_queue.write',
    params,
    body: newRule,
    reply: one(queueRule),
    status: [201],
    errors: ['annotation_queue_not_found', 'invalid_filter'],
  }),
  replaceRule: route({
    ...declare,
    id: 'replace-annotation-queue-rule',
    method: 'PUT',
    path: `${path}/:ruleId`,
    summary: 'Replace, pause or resume a rule',
    permission: 'annotation_queue.write',
    params: ruleParams,
    body: changedRule,
    reply: one(queueRule),
    errors: [noRule, 'invalid_filter'],
  }),
  removeRule: route({
    ...declare,
    id: 'delete-annotation-queue-rule',
    method: 'DELETE',
    path: `${path}/:ruleId`,
    summary: 'Delete a rule; the items that it added stay',
    permission: 'annotation_queue.write',
    params: ruleParams,
    reply: nothing,
    status: [204],
    errors: [noRule],
  }),
  previewRule: route({
    ...declare,
    touches: [],
    id: 'preview-annotation-queue-rule',
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the traces of the last 7 days that a rule would have added',
    permission: 'trace.read',
    rate: 'search',
    params,
    body: z.object(matching),
    reply: one(rulePreview),
    errors: ['invalid_filter'],
  }),
};

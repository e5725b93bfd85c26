/** Validation of alerts: each metric has its own range of thresholds, and only scores are chosen by name (docs/reference/records.md#alerts). */
import { z } from 'zod';
import { bounded } from '../core/parameters.ts';

export const alertMetric = z.enum(['error_rate', 'latency', 'cost', 'runaway_runs', 'model_calls', 'evaluation_score']);

/** Who looks after an alert. Additive. */
export const attentionFields = {
  muted_until: z
    .union([z.iso.datetime(), z.literal('resolved')])
    .nullable()
    .meta({ description: 'Nobody is notified before then. Null, or a time in the past: not muted.' }),
  muted_by: z.string().nullable(),
  acknowledged_at: z.iso.datetime().nullable().meta({ description: 'Since it triggered; null once it resolved.' }),
  acknowledged_by: z.string().nullable(),
  is_silenced: z.boolean().meta({ description: 'It triggered while it was muted, and nobody has been notified.' }),
};

export const evaluationFields = {
  evaluation_name: bounded(1, 255).nullable().default(null),
  evaluation_aggregation: z.enum(['avg', 'individual']).nullable().default(null),
  evaluation_threshold_direction: z.enum(['above', 'below']).nullable().default(null),
};

const evaluationKeys = ['evaluation_name', 'evaluation_aggregation', 'evaluation_threshold_direction'] as const;

const thresholdRule: Record<z.output<typeof alertMetric>, { holds(threshold: number): boolean; message: string }> = {
  error_rate: { holds: (threshold) => threshold >= 0 && threshold <= 100, message: 'must be a percentage, 0 to 100' },
  latency: {
    holds: (threshold) => Number.isInteger(threshold) && threshold > 0,
    message: 'must be a whole number of milliseconds above 0',
  },
  cost: { holds: (threshold) => threshold > 0, message: 'must be above 0' },
  runaway_runs: {
    holds: (threshold) => Number.isInteger(threshold) && threshold >= 0,
    message: 'must be a whole number of runs, 0 or more',
  },
  model_calls: {
    holds: (threshold) => Number.isInteger(threshold) && threshold > 0,
    message: 'must be a whole number of calls above 0',
  },
  evaluation_score: { holds: (threshold) => threshold >= 0 && threshold <= 1, message: 'must lie between 0 and 1' },
};

const ruleFields = z.object({
  metric: alertMetric,
  threshold: z.number(),
  time_window: z.int().min(5).max(100).meta({ description: 'Minutes.' }),
  environment_id: z.uuid().nullable().default(null).meta({ description: 'Null watches the whole app.' }),
  ...evaluationFields,
});

const isPossible: z.core.CheckFn<z.output<typeof ruleFields>> = ({ value, issues }) => {
  const refuse = (key: string, message: string) =>
    issues.push({ code: 'custom', input: value, path: [key], message, params: { field: key } });
  const { holds, message } = thresholdRule[value.metric];
  if (!holds(value.threshold)) refuse('threshold', message);
  const isEvaluation = value.metric === 'evaluation_score';
  for (const key of evaluationKeys) {
    if (isEvaluation && value[key] === null) refuse(key, 'is required when metric is evaluation_score');
    if (!isEvaluation && value[key] !== null) refuse(key, 'may be set only when metric is evaluation_score');
  }
};

/** What an alert watches, without its name and without whom it notifies. */
export const alertRule = ruleFields.check(isPossible);
export type AlertRule = z.output<typeof alertRule>;

/** Whether values below the threshold trigger. Too few calls are what is watched for: an application that has fallen silent. */
export const triggersBelow = ({
  metric,
  evaluation_threshold_direction,
}: Pick<AlertRule, 'metric' | 'evaluation_threshold_direction'>): boolean =>
  metric === 'model_calls' || evaluation_threshold_direction === 'below';

/** `null` counts as absent, because reads return null and clients send back what they read. Omitted options take their defaults. */
export const alertDraft = z
  .object({
    name: bounded(1, 100),
    ...ruleFields.shape,
    use_slack: z.boolean().default(false),
    use_webhook: z.boolean().default(false),
    channel_ids: z.array(z.uuid()).max(10).default([]).meta({ description: 'Channels that are notified too.' }),
    owner_id: z.uuid().nullable().default(null).meta({ description: 'Member of the team who is responsible, and is told by e-mail.' }),
  })
  .check(isPossible);

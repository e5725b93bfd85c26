import { expect, it } from 'vitest';
import type { Alert } from './alerts-query.ts';
import { attentionInWords, recipientsInWords, ruleInWords } from './words.ts';

const alert = (change: Partial<Alert>) =>
  ({ metric: 'error_rate', threshold: 5, time_window: 15, evaluation_name: null, ...change }) as Alert;

it.each<[Partial<Alert>, string]>([
  [{}, 'Error rate above 5 % within 15 min'],
  [{ metric: 'latency', threshold: 2500 }, 'Latency above 2.5 s within 15 min'],
  [{ metric: 'cost', threshold: 0.5, time_window: 60 }, 'Cost above $0.50 within 60 min'],
  [{ metric: 'model_calls', threshold: 1, time_window: 30 }, 'Model calls below 1 within 30 min'],
  [{ metric: 'runaway_runs', threshold: 0 }, 'Runaway runs above 0 within 15 min'],
  [
    {
      metric: 'evaluation_score',
      threshold: 0.7,
      evaluation_name: 'helpful',
      evaluation_aggregation: 'avg',
      evaluation_threshold_direction: 'below',
    },
    'Mean helpful below 0.7 within 15 min',
  ],
])('the condition of %o is written with its unit', (change, words) => {
  expect(ruleInWords(alert(change))).toBe(words);
});

it('an alert lists its recipients, or says that there are none', () => {
  expect(recipientsInWords({ use_slack: false, use_webhook: false, channel_ids: [] })).toBe('Nobody');
  expect(recipientsInWords({ use_slack: true, use_webhook: true, channel_ids: ['a'] })).toBe('Webhook, Slack, 1 channel');
});

it.each<[string | null, string | null, string]>([
  [null, null, ''],
  ['2020-01-01T00:00:00.000Z', null, ''],
  ['resolved', null, 'Muted until it resolves'],
  [null, '2026-01-01T00:00:00.000Z', 'Acknowledged'],
  ['2199-05-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'Muted until 1 May 2199, Acknowledged'],
])('muted until %s and acknowledged at %s is written %j', (muted_until, acknowledged_at, words) => {
  expect(attentionInWords({ muted_until, acknowledged_at })).toBe(words);
});

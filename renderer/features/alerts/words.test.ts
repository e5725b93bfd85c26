import { expect, it } from 'vitest';
import type { Alert, Delivery } from './alerts-query.ts';
import { notificationsInWords } from './notification-words.ts';
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
  const nobody = { use_slack: false, use_webhook: false, channel_ids: [], owner_id: null };
  expect(recipientsInWords(nobody, true)).toBe('Nobody');
  expect([true, false].map((sendsMail) => recipientsInWords({ ...nobody, owner_id: 'o' }, sendsMail))).toEqual(['Owner', 'Nobody']);
  expect(recipientsInWords({ ...nobody, use_slack: true, use_webhook: true, channel_ids: ['a'] }, true)).toBe('Webhook, Slack, 1 channel');
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

it('notifications are listed with the names of their channels, and an acknowledgement as one', () => {
  const delivery = (destination: Delivery['destination'], channel_id: string | null, parts: Partial<Delivery> = {}) =>
    ({ destination, channel_id, state: 'delivered', answer: null, attempts: 1, ...parts }) as Delivery;
  const sent = [
    delivery('slack', null),
    delivery('pagerduty', 'p', { answer: '2xx' }),
    delivery('slack', 'gone', { state: 'skipped', answer: 'no channel' }),
    delivery('owner', null, { state: 'failed', attempts: 4 }),
    delivery('pagerduty', 'p', { state: 'waiting', attempts: 0 }),
  ];
  const change = (created_at: string) => ({ id: created_at, created_at });
  const deliveries = { byChange: new Map([['2026-03-01', sent]]), knownAfter: '2026-01-15' };
  expect(notificationsInWords(change('2026-03-01'), deliveries, [{ id: 'p', name: 'On call' }])).toBe(
    'Slack delivered, On call delivered (2xx), A deleted channel skipped (no channel), Owner failed after 4 attempts, ' +
      'On call acknowledgement waiting',
  );
  expect(notificationsInWords(change('2026-02-01'), deliveries, [])).toBe('Nobody');
  expect(notificationsInWords(change('2026-01-01'), deliveries, [])).toBe('Too long ago to be listed');
  expect(notificationsInWords(change('2026-01-01'), undefined, [])).toBe('…');
});

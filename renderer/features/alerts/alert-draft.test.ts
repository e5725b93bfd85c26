import { expect, it } from 'vitest';
import { type AlertFields, draftOf, fieldsOf, previewOf } from './alert-draft.ts';

const fields = (change: Partial<AlertFields>): AlertFields => ({ ...fieldsOf(null), threshold: '5', ...change });

it.each<Partial<AlertFields>>([
  { threshold: ' ' },
  { threshold: 'x' },
  { threshold: '150' },
  { time_window: '' },
  { time_window: '4' },
  { metric: 'latency', threshold: '2.5' },
  { metric: 'evaluation_score', threshold: '0.5' },
])('there is no preview of %o, which the gateway would refuse', (change) => {
  expect(previewOf(fields(change))).toBeNull();
});

it('there is a preview of a condition that can be saved', () => {
  expect(previewOf(fields({}))).toEqual({ metric: 'error_rate', threshold: 5, time_window: 15, environment_id: null });
  expect(previewOf(fields({ metric: 'evaluation_score', threshold: '0.5', evaluation_name: 'helpful' }))).not.toBeNull();
});

it('channels that were deleted are left out, once it is known which there are', () => {
  const chosen = fields({ channel_ids: ['a', 'gone'] });
  expect([undefined, [{ id: 'a' }, { id: 'b' }]].map((channels) => draftOf(chosen, channels).channel_ids)).toEqual([['a', 'gone'], ['a']]);
});

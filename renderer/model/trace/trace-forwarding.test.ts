import { describe, expect, it } from 'vitest';
import type { Destination } from '../../../shared/contract/operations/destination.ts';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { cloudPageOf, forwardingText, worstState } from './trace-forwarding.ts';

type DestinationState = TraceForwarding['destinations'][number];
const at = (name: string, change: Partial<DestinationState>): DestinationState => ({
  ...{ name, is: 'local', waiting: 0, dead_letters: 0, refused: 0, reason: '', sent_at: null },
  ...change,
});
const trace = (...destinations: DestinationState[]): TraceForwarding => ({ trace_id: 'a', destinations });

it('writes a line for each destination, and finds the state that needs attention', () => {
  const forwarding = trace(at('cloud', { is: 'sent' }), at('other', { is: 'dead_letter', dead_letters: 2, reason: 'too large' }));
  expect(forwardingText(forwarding)).toBe('Sent to cloud\n2 dead letters at other: too large');
  expect(worstState(forwarding)).toBe('dead_letter');
  expect(worstState(trace(at('cloud', { is: 'sent' })))).toBe('sent');
  expect(worstState(trace(at('cloud', { is: 'sent' }), at('by-hand', {})))).toBe('sent');
  expect(worstState(trace())).toBeNull();
});

it('gives refused spans as an upper bound', () => {
  expect(forwardingText(trace(at('cloud', { is: 'refused', refused: 3, reason: 'no' })))).toBe('cloud did not keep up to 3 spans: no');
});

describe('the page of a trace in the cloud', () => {
  const cloud = {
    ...{ name: 'cloud', viewer_url: 'https://cloud.example/base', app_id: 'a&b', environment: 'dev' },
    state: { is: 'up_to_date', why: null, message: '', since: null, until: null },
  } as Destination;
  const sent = at('cloud', { is: 'sent', sent_at: '2026-11-01T00:00:00.000Z' });

  it('names the app, and the environment where it is known', () => {
    expect(cloudPageOf('ab12', cloud, sent)).toEqual({ url: 'https://cloud.example/base/#/traces/ab12?app=a%26b&environment=dev' });
    expect(cloudPageOf('ab12', { ...cloud, environment: null }, sent)).toEqual({
      url: 'https://cloud.example/base/#/traces/ab12?app=a%26b',
    });
  });

  it.each<[string, Partial<Destination>, Partial<DestinationState>]>([
    ['Its key is refused', { state: { ...cloud.state, is: 'paused', why: 'key' } }, {}],
    ['Spans of it were refused', {}, { is: 'refused', refused: 1 }],
    ['It is still on the way', {}, { is: 'queued', waiting: 1, sent_at: null }],
    ['It was refused', {}, { is: 'dead_letter', dead_letters: 1, sent_at: null }],
    ['It was not sent', {}, { is: 'local', sent_at: null }],
    ['The address is not valid', { viewer_url: null }, {}],
  ])('is not offered: %s', (whyNot, change, state) => {
    expect(cloudPageOf('ab12', { ...cloud, ...change }, { ...sent, ...state })).toEqual({ whyNot });
  });
});

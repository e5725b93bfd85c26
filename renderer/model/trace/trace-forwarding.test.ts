import { expect, it } from 'vitest';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { forwardingText, worstState } from './trace-forwarding.ts';

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

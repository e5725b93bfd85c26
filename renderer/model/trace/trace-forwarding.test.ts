import { expect, it } from 'vitest';
import type { TraceForwarding } from '../../../shared/contract/operations/trace-forwarding.ts';
import { forwardingInWords, worstOf } from './trace-forwarding.ts';

type Stand = TraceForwarding['destinations'][number];
const at = (name: string, change: Partial<Stand>): Stand => ({
  ...{ name, is: 'local', waiting: 0, dead_letters: 0, refused: 0, reason: '', sent_at: null },
  ...change,
});
const trace = (...destinations: Stand[]): TraceForwarding => ({ trace_id: 'a', destinations });

it('says a line for each destination, and marks the one that needs a look', () => {
  const found = trace(at('cloud', { is: 'sent' }), at('other', { is: 'dead_letter', dead_letters: 2, reason: 'too large' }));
  expect(forwardingInWords(found)).toBe('Sent to cloud\n2 dead letters at other: too large');
  expect(worstOf(found)).toBe('dead_letter');
  expect(worstOf(trace(at('cloud', { is: 'sent' })))).toBe('sent');
  expect(worstOf(trace(at('cloud', { is: 'sent' }), at('by-hand', {})))).toBe('sent');
  expect(worstOf(trace())).toBeNull();
});

it('does not say for sure whose span was refused', () => {
  expect(forwardingInWords(trace(at('cloud', { is: 'refused', refused: 3, reason: 'no' })))).toBe('cloud did not keep up to 3 spans: no');
});
